// The page of the local client: everything secret stays in the program.

import { h } from "./dom.js";
import { SocketLink } from "./link.js";
import { Page } from "./main.js";

globalThis.fairdeal = true;
const PART = 2700; // a message has 4096 characters at most

let link = null;
const field = h("input", { type: "file", class: "unseen", tabindex: "-1", onchange: () => field.files[0] && check(field.files[0]) });
const extras = [{ name: "check", get label() { return page.texts.check ?? ""; }, done: () => field.click() }];
const page = new Page(document.getElementById("app"), (calls) => (link = new SocketLink(calls)), extras);

// Anybody can check a match file here, while playing, too: the program says what `fairdeal verify` says.
async function check(file) {
  page.tell([page.texts.checking]);
  const bytes = new Uint8Array(await file.arrayBuffer());
  for (let start = 0; start === 0 || start < bytes.length; start += PART) {
    const part = String.fromCharCode(...bytes.subarray(start, start + PART));
    link.send({ type: "part", name: file.name.slice(0, 100), data: btoa(part), last: start + PART >= bytes.length });
  }
  field.value = "";
}

addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (file && page.heard) check(file);
});
