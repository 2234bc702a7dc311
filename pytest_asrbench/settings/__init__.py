"""Settings: the table of options, the settings file, and what all places together say."""
