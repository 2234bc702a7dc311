"""The sub-commands of `asrbench`, one module each, imported only when named."""
