"""The benchmarks' own file formats, in and out: what others released, and what they take."""
