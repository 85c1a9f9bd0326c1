"""File names made safe to show. The engine applies the same rule to names inside files."""

from __future__ import annotations

import re

#: White space that ends lines or columns: a space takes its place.
_BREAKS = re.compile(r"[\t-\r\x85\u2028\u2029]")
#: Controls, and characters without a picture that change how what stands around them is read: marks, embeddings, overrides and
#: isolates of the reading direction, spaces without width, byte order marks, tags, surrogates, and what is no character at all.
_INVISIBLE = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    r"\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
)
#: Joiners belong to the spelling of several scripts: one between two of their letters.
_STRAY_JOINERS = re.compile(
    r"[\u200c\u200d]+(?=[\u200c\u200d])|(?<![^\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\x7f])"
)


def visible(text: str) -> str:
    """`text` without control and invisible characters, and without bytes of a file name that decode to no character."""
    return _STRAY_JOINERS.sub("", _STRAY_JOINERS.sub("", _INVISIBLE.sub("", _BREAKS.sub(" ", text))))
