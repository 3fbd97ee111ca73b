// A worker that runs a Python file under Pyodide, with the sources and the library that a phone gets, and says what it prints last.

import { Sums } from "./sums.js";

const fetched = async (name) => (await fetch(name)).arrayBuffer();

async function run() {
  const { loadPyodide } = await import("./assets/pyodide.mjs");
  const sodium = (await import("./assets/libsodium-wrappers.mjs")).default;
  await sodium.ready;
  Object.assign(globalThis, { sodium, sums: new Sums(), store: {}, page: {} });
  const lines = [];
  const python = await loadPyodide({ indexURL: "/assets/", stdLibURL: "/assets/stdlib.zip", env: { HOME: "/home/fairdeal" }, stdout: (line) => lines.push(line) });
  python.unpackArchive(await fetched("source.zip"), "zip", { extractDir: "/fairdeal" });
  python.unpackArchive(await fetched("data.zip"), "zip", { extractDir: "/data" });
  python.runPython("import sys; sys.path.insert(0, '/fairdeal')");
  await python.runPythonAsync(await (await fetch("script.py")).text());
  return lines.at(-1);
}

run().then((said) => postMessage({ said }), (fault) => postMessage({ fault: String(fault?.message ?? fault).slice(-4000) }));
