"""What to do about an error, in Python and on the command line."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Advice:
    """What to do, as a part of a sentence: with arguments of Python, and with options of a command.

    `{option}` in `command` stands for the option that gives the format of the file in question.
    """

    python: str
    command: str

    def within(self, before: str, after: str) -> Advised:
        """The sentence around the advice."""
        return Advised(before, self, after)


@dataclass(frozen=True)
class Advised:
    """A message with an advice in it; as text it is the one for Python."""

    before: str
    advice: Advice
    after: str

    def __str__(self) -> str:
        return f"{self.before}{self.advice.python}{self.after}"

    def for_command(self, option: str) -> str:
        """The message on the command line, where `option` gives the format."""
        return f"{self.before}{self.advice.command.replace('{option}', option)}{self.after}"


FORMAT = Advice("pass format=", "give {option}")
FORMAT_OF_BYTES = Advice(
    'pass their format, for instance format="matpower"', "give {option}, for instance {option} matpower"
)
POSITIONS = Advice(
    "case.with_geography(file) or case.with_layout((longitude, latitude))", "--geography FILE or --layout LON,LAT"
)


def with_geography(file: str, python: str) -> Advice:
    """A geographic layer is applied to its case; `python` says so for Python."""
    return Advice(python, f"`wattbook convert CASE OUT --geography {file}` applies it")
