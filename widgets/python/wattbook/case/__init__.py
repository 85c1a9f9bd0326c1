"""Cases, distribution networks and saved results, opened from files or bundled."""
