"""The command `wattbook`: `wattbook.cli:main`, or `python -m wattbook.cli`."""

from .command import main as main
