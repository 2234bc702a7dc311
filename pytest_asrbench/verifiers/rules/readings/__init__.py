"""Readings of a transcript, read whole and once: numbers, quantities, clock times, dates."""
