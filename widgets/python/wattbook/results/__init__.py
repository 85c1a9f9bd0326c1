"""Answers of a Study: solutions, previews, sensitivities, tracks, explanations, outages."""
