"""Files in and out: formats, companions, export."""
