"""Entity types by family: small patterns with their rule numbers beside them."""
