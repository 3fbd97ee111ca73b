// The peer: Python in a worker, with its keys, its journal and its link. The page only draws what this says.

import { Store } from "./store.js";
import { Sums } from "./sums.js";
import { fairChannel } from "./turns.js";

const HOME = "/fairdeal";
const heard = [];
let hear = null;
let loading = null;
globalThis.MessageChannel = fairChannel(MessageChannel); // before Pyodide takes one

// Python asks for what the page says, and tells it what to draw.
globalThis.page = {
  tell: (text) => postMessage(JSON.parse(text)),
  hear: (take) => {
    hear = take;
    for (const each of heard.splice(0)) take(each);
  },
};
globalThis.store = new Store((fault) => failed(Object.assign(fault, { isOfStore: true })));

onmessage = ({ data }) => {
  if (data.type === "ping") postMessage({ type: "pong" });
  else if (data.type === "load") load(data);
  else if (data.type === "start") start(data).catch(failed);
  else if (hear) hear(JSON.stringify(data));
  else heard.push(JSON.stringify(data));
};

function failed(fault) {
  const text = String(fault?.message ?? fault);
  const isFull = /QuotaExceeded/.test(`${fault?.name} ${text}`);
  const why = isFull ? "full" : text === "taken" ? "taken" : fault?.isOfStore ? "storage" : fault?.isOfLoad ? "unloaded" : "fault";
  postMessage({ type: "failed", why, text: text.slice(-2000) });
}

// Python and what it needs, from the moment when the page knows where they are: whoever sits down still types a name then.
function load(places) {
  loading ??= loaded(places).catch((fault) => {
    throw Object.assign(fault, { isOfLoad: true });
  });
  loading.catch(() => {}); // whoever waits for it hears of it
  return loading;
}

async function loaded({ assets, source }) {
  const zipped = fetch(source).then((found) => {
    if (!found.ok) throw new Error(`${found.status} for ${source}`);
    return found.arrayBuffer();
  });
  const python = import(`${assets}/pyodide.mjs`).then(({ loadPyodide }) =>
    loadPyodide({ indexURL: `${assets}/`, stdLibURL: `${assets}/stdlib.zip`, stdout: () => {}, stderr: (line) => console.warn(line) }),
  );
  const sodium = import(`${assets}/libsodium-wrappers.mjs`).then(async ({ default: found }) => (await found.ready, found));
  const [data, ready, library] = await Promise.all([zipped, python, sodium]);
  globalThis.sodium = library;
  try {
    globalThis.sums = new Sums();
  } catch {
    // Python adds up one by one then.
  }
  ready.unpackArchive(new Uint8Array(data), "zip", { extractDir: HOME });
  ready.runPython(`import sys; sys.path.insert(0, "${HOME}")`);
  return ready.pyimport("cli.web.worker");
}

// Takes the seat from other tabs. What is kept, or why nothing can be.
async function kept() {
  try {
    await globalThis.store.open(() => postMessage({ type: "failed", why: "taken", text: "" }));
    return await globalThis.store.load();
  } catch (fault) {
    throw Object.assign(fault, { isOfStore: true });
  }
}

async function start({ assets, source, config, file }) {
  // Who checks a file, or only watches, has no seat: nothing is kept, and no other tab gives way.
  const isSeated = !file && !config.watch;
  const [program, saved] = await Promise.all([load({ assets, source }), isSeated ? kept() : { log: [], names: [], files: [] }]);
  globalThis.checked = file ?? new Uint8Array();
  globalThis.saved = saved;
  globalThis.config = JSON.stringify(config);
  await program.main();
}
