// Compiles Python files with the very Python that runs in a browser. Arguments: Pyodide's folder, a zip of sources, the zip to write.

import fs from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, sources, compiled] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
// Without columns: a traceback shows them under the source, which is not there.
const python = await loadPyodide({ indexURL: `${pyodide}/`, env: { PYTHONNODEBUGRANGES: "1" } });
python.FS.writeFile("/sources.zip", fs.readFileSync(sources));
python.runPython(`
import sys

begun_with = "\\n".join(module.__file__ for module in list(sys.modules.values()) if getattr(module, "__file__", None))

import ast, importlib.util, marshal, zipfile

# PEP 552: known by a hash, which nobody checks, for the source is not there.
HEAD = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)

# What functions are for is read in the source. Classes keep a word: dataclasses would make up a longer one.
def without_docstrings(tree):
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)) and ast.get_docstring(node, clean=False):
            is_class = isinstance(node, ast.ClassDef)
            node.body[:1] = [ast.Expr(ast.Constant("."))] if is_class else [] if len(node.body) > 1 else [ast.Pass()]
    return ast.fix_missing_locations(tree)

with zipfile.ZipFile("/sources.zip") as sources, zipfile.ZipFile("/compiled.zip", "w") as compiled:
    compiled.writestr("begun-with", begun_with)
    for name in sources.namelist():
        tree = ast.parse(sources.read(name))
        code = compile(tree if "pyodide/" in name else without_docstrings(tree), "/" + name, "exec", dont_inherit=True)
        compiled.writestr(zipfile.ZipInfo(name), HEAD + marshal.dumps(code))
`);
fs.writeFileSync(compiled, python.FS.readFile("/compiled.zip"));
