"""Edits of a Study, and the elements that edits and queries refer to."""
