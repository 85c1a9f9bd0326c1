"""Edits of a Study and the elements that they and its questions name."""
