// Runs a Python file under Pyodide in Node, with the sources and the library that a phone gets. Arguments: assets, zip, file, data.

import fs from "node:fs";
import { pathToFileURL } from "node:url";

import { Sums } from "../../cli/page/static/sums.js";

const [assets, source, script, data] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${assets}/pyodide.mjs`));
const sodium = (await import(pathToFileURL(`${assets}/libsodium-wrappers.mjs`))).default;
await sodium.ready;
globalThis.sodium = sodium;
globalThis.sums = new Sums();
globalThis.store = {};
globalThis.page = {};
globalThis.WebSocket ??= class {};
const python = await loadPyodide({ indexURL: `${assets}/`, stdLibURL: `${assets}/stdlib.zip`, env: { HOME: "/home/fairdeal" } });
python.unpackArchive(new Uint8Array(fs.readFileSync(source)), "zip", { extractDir: "/fairdeal" });
python.FS.mkdir("/data");
python.FS.mount(python.FS.filesystems.NODEFS, { root: data }, "/data");
python.runPython("import sys; sys.path.insert(0, '/fairdeal')");
try {
  await python.runPythonAsync(fs.readFileSync(script, "utf8"));
} catch (fault) {
  console.error(String(fault.message ?? fault).slice(-4000));
  process.exit(1);
}
