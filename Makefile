# Each target sets up its own virtual environment (.venv) first; Python >= 3.11 is all that must be there.
.PHONY: demo test clean

demo:
	@bash .ci/venv
	@.venv/bin/yamlcrawl demo

test:
	@bash .ci/run

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist *.egg-info
