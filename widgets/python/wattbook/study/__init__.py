"""Studies: a case with its edits."""
