"""Networks of other Python packages, in both directions."""
