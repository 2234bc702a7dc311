"""Runs beside each other: of several systems, and of one over time."""
