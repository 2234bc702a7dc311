"""
Judges values in any language that has a pack: the transcript's values are read whole, the canonical
is read by the same reader, and the two are compared.
"""

VERSION = "1"
"""Raised whenever a verdict of these languages changes; the golden files hold it to that. English
has families and a version of its own, which this one leaves alone."""
