"""
The audit: people measure on a sample of its verdicts how far a verifier may be trusted.

sample     draws rows from run files, every stratum alike; pure
sheet      the rows as CSV, out and in
page       the same rows as a page with players and keys
findings   agreement, kappa, false accepts and misses, and where the sample is too small; pure
decisions  what people decided, as verdicts.yaml
"""
