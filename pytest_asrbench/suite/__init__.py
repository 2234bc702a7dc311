"""Ready tests: `pytest --pyargs pytest_asrbench.suite --asr-provider=NAME --asr-data=PATH`."""
