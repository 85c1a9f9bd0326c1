"""What a Study answers: solutions, previews, sensitivities, tracks, explanations, outages."""
