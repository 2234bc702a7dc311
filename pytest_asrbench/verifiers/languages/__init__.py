"""
Judges values in any language that has a pack: the transcript's values are read whole, the canonical
is read by the same reader, and the two are compared.
"""
