"""A simulator of whole matches: real tables under a fake clock and a bad network, wholly decided by a seed.

`python -m tests.simulator SEED` replays a run and prints what happened; `python -m tests.simulator FIRST LAST` searches.
"""
