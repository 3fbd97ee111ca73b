"""The ports of a node in a phone's browser, under Pyodide: only imported there (sys.platform == "emscripten")."""
