# Everything sets itself up: the first call makes a virtual environment in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
COMPILED := $(VENV)/tests-compiled
NATIVE := protocol/dealing/libsums$(if $(filter Darwin,$(shell uname)),.dylib,.so)
# Some tests wait for clocks and for one another's programs. They run beside those that compute, which leave them the first turn:
# what is late fails, and what waits keeps no core busy. tests/scheduling.py says which are which.
CORES = $(shell $(PYTHON) -c 'import os; print(os.cpu_count() or 2)')
# Tests start the program many times over: without compiled modules most of the time would be spent compiling.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play phones native test page check format lint types fast all waiting computing vectors soak fuzz security bench golden clean

play: $(READY)
	@$(BIN)/fairdeal play $(or $(GAME),crazy-eights)

# Fetches what phones need (Pyodide and libsodium.js, from npm) and installs it. Without a network the second time.
phones: $(READY)
	@$(BIN)/python -m cli.phones.build $(VENV)/phones

# Compiles sums of many multiples (GCC or Clang): proofs are checked four times as fast. Everything works without.
native: $(READY)
	$(CC) -std=c11 -O3 -Wall -Wextra -Werror -shared -fPIC -fvisibility=hidden -o $(NATIVE).new protocol/dealing/sums.c
	mv $(NATIVE).new $(NATIVE)

# All checks, as the continuous integration runs them. Types are checked beside the tests: they keep one core busy for a while.
test: lint
	@$(MAKE) --no-print-directory -j3 types all

# The page in a real browser. `make test` does the same where Chromium and what phones need (make phones) are installed.
page: $(READY) $(COMPILED)
	$(BIN)/python -m pytest tests/phones tests/web -n $(CORES) --dist worksteal

# What every commit passes: all of it but the slow tests.
check: lint
	@$(MAKE) --no-print-directory -j2 types fast

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(READY)
	nice -n 5 $(BIN)/mypy

all: waiting computing

# What it prints is shown when it is over: the other part shows how far it has come.
waiting: $(READY) $(COMPILED)
	@$(BIN)/python -m pytest --part waiting -n $$(($(CORES) + 2)) --dist worksteal > $(VENV)/waiting.txt 2>&1; \
	status=$$?; cat $(VENV)/waiting.txt; exit $$status

computing: $(READY) $(COMPILED)
	nice -n 5 $(BIN)/python -m pytest --part computing -n $(CORES) --dist worksteal

fast: $(READY) $(COMPILED)
	$(BIN)/python -m pytest -m "not slow and not netns and not soak" -n $$(($(CORES) + 1)) --dist worksteal

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Long runs over many matches and bad links: not part of the test. They take hours; ONLY='tests/simulator -k part7' runs a part.
soak: $(READY)
	$(BIN)/python -m pytest -m soak -n 2 --dist worksteal $(ONLY)

# Feeds everything that reads others' bytes, for SECONDS each; guided by coverage where atheris can be installed.
fuzz: $(READY)
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check atheris
	$(BIN)/python -m tests.fuzz.run $(or $(SECONDS),60)

# Rewrites the test vectors; a reviewer reads the difference.
vectors: $(READY)
	$(BIN)/python -m tests.vectors.make

# Writes SECURITY.md from what the tests of attacks declare.
security: $(READY)
	$(BIN)/python -m tests.adversaries.security

bench: $(READY)
	$(BIN)/fairdeal bench

# Writes the screens' golden canvases anew: look at the difference before committing it.
golden: $(READY)
	GOLDEN=rewrite $(BIN)/python -m pytest tests/cli/screen/test_golden.py -n 2

# Tests are compiled once before, or each process would do it for itself.
$(COMPILED): $(READY) $(shell find tests -name '*.py')
	@$(BIN)/python -m pytest --collect-only > /dev/null || true
	@touch $(COMPILED)

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache

$(READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $(READY)
