"""Sweeps: many scenarios of a Study, solved here, in pools of threads and processes, or on a cluster."""
