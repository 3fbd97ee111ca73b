// The peer: Python in a worker, with its keys, its journal and its link. The page only draws what this says.

import { Store } from "./store.js";
import { Sums } from "./sums.js";

const heard = [];
let hear = null;
let at = "";

// Python asks for what the page says, and tells it what to draw.
globalThis.page = {
  tell: (text) => postMessage(JSON.parse(text)),
  hear: (take) => {
    hear = take;
    for (const each of heard.splice(0)) take(each);
  },
};

onmessage = (event) => {
  if (event.data.type === "ping") postMessage({ type: "pong" });
  else if (event.data.type === "start") start(event.data).catch((fault) => failed(fault));
  else if (hear) hear(JSON.stringify(event.data));
  else heard.push(JSON.stringify(event.data));
};

function failed(fault) {
  const text = String(fault?.message ?? fault);
  const why = /QuotaExceeded/.test(`${fault?.name} ${text}`) ? "full" : at === "store" ? "storage" : "fault";
  postMessage({ type: "failed", why, text: text.slice(-2000) });
}

async function start({ assets, source, config, file }) {
  const step = (name) => {
    at = name;
    postMessage({ type: "step", name });
  };
  step("store");
  // Who checks a file, or only watches, has no seat: nothing is kept, and no other tab gives way.
  const isSeated = !file && !config.watch;
  const store = isSeated ? await Store.open(() => postMessage({ type: "failed", why: "taken", text: "" })) : {};
  const { log, names, files } = isSeated ? await store.load() : { log: [], names: [], files: [] };
  globalThis.store = store;
  globalThis.checked = file ?? new Uint8Array();
  step("python");
  const [{ loadPyodide }, sodium, zipped] = await Promise.all([
    import(`${assets}/pyodide.mjs`),
    import(`${assets}/libsodium-wrappers.mjs`),
    fetch(source).then((found) => {
      if (!found.ok) throw new Error(`${found.status} for ${source}`);
      return found.arrayBuffer();
    }),
  ]);
  await sodium.default.ready;
  globalThis.sodium = sodium.default;
  try {
    globalThis.sums = new Sums();
  } catch {
    // Python adds up one by one then.
  }
  const python = await loadPyodide({ indexURL: `${assets}/`, stdout: () => {}, stderr: (line) => console.warn(line) });
  python.unpackArchive(new Uint8Array(zipped), "zip", { extractDir: "/fairdeal" });
  step("fairdeal");
  globalThis.saved = { log, names, files };
  globalThis.config = JSON.stringify(config);
  await python.runPythonAsync(`
import sys
sys.path.insert(0, "/fairdeal")
from cli.web.worker import main
await main()
`);
}
