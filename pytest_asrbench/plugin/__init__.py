"""A pytest plugin that gates speech recognition."""
