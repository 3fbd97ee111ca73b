// A phone at the table: the page starts the peer in a worker, and draws what it says.

import { button, h } from "./dom.js";
import { Page } from "./main.js";
import { hasHome } from "./store.js";

const root = document.getElementById("app");
const TOO_OLD = !("WebAssembly" in globalThis) || !("indexedDB" in globalThis) || !crypto?.getRandomValues;

const seedOf = (bytes) => [...bytes].map((each) => each.toString(16).padStart(2, "0")).join("");

class WorkerLink {
  constructor({ heard }, worker) {
    this.heard = heard;
    this.worker = worker;
  }

  send(message) {
    this.worker.postMessage(message);
  }

  // Whether somebody looks at this page; when it is looked at again, or the network is back, the links are looked at, too.
  wake() {
    this.send({ type: "shown", shown: document.visibilityState === "visible" });
  }
}

class Start {
  constructor() {
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => this.dropped(event));
    this.fragment = location.hash.slice(1);
    const options = new URLSearchParams(this.fragment.includes("&") ? this.fragment.slice(this.fragment.indexOf("&") + 1) : "");
    this.invitation = this.fragment.split("&")[0];
    this.options = options;
    // The invitation is gone from the address before anybody looks over a shoulder or reloads.
    if (this.fragment) history.replaceState(null, "", location.pathname);
    if (options.has("watch") && this.invitation) this.keepWatch({ seed: seedOf(crypto.getRandomValues(new Uint8Array(32))), invitation: this.invitation });
    this.begin();
  }

  // A page that only watches has a key of its own as long as this tab is open: it comes back with it when it is loaded anew.
  keepWatch(watch) {
    this.watch = { ...watch, again: false };
    try {
      sessionStorage.setItem("watch", JSON.stringify({ ...watch, again: true }));
    } catch {
      // A private window: loaded anew, it needs its address again.
    }
  }

  keptWatch() {
    try {
      return JSON.parse(sessionStorage.getItem("watch"));
    } catch {
      return null;
    }
  }

  async begin() {
    if (!this.fragment) this.watch = this.keptWatch();
    this.build = await (await fetch("build.json")).json();
    this.words = this.build.words[navigator.language.slice(0, 2)] ?? this.build.words.en;
    document.documentElement.lang = this.words.lang;
    if (TOO_OLD) return this.say("old");
    if (!this.build.assets) return this.say("missing");
    const known = this.remembered("name");
    const asked = this.options.get("name") ?? "";
    this.work();
    if (this.watch) this.sit("");
    else if (asked || known) this.sit(asked || known);
    else if (await hasHome()) this.sit("");
    else this.askName();
  }

  remembered(name) {
    try {
      return localStorage.getItem(name) ?? "";
    } catch {
      return "";
    }
  }

  remember(name, value) {
    try {
      localStorage.setItem(name, value);
    } catch {
      // A private window: the store says so when it cannot keep anything.
    }
  }

  // Python begins to load while the name is typed.
  work() {
    this.begun();
    this.named = new Promise((resolve) => (this.name = resolve));
    this.named.then((name) => {
      this.worker.postMessage({
        type: "start",
        assets: this.build.assets,
        source: this.build.source,
        config: {
          name,
          invitation: this.watch?.invitation ?? this.invitation,
          watch: this.watch?.seed ?? "",
          again: this.watch?.again ?? false,
          place: location.host,
          languages: [...navigator.languages],
          autoplay: this.options.get("autoplay") === "1",
          server: this.build.server,
          page: this.build.page,
        },
      });
    });
  }

  begun() {
    this.worker?.terminate();
    this.worker = new Worker("worker.js", { type: "module" });
    this.worker.onerror = (event) => this.say("fault", event.message ?? "");
    this.worker.onmessage = (event) => this.heard(event.data);
  }

  // Anybody can check a match file here: no table, no network, the same words as `fairdeal verify`.
  checker() {
    const field = h("input", { type: "file", class: "unseen", accept: ".fairdeal,.match", onchange: () => field.files[0] && this.check(field.files[0]) });
    return h("p", {}, button(this.words.check, () => field.click(), { class: "quiet", key: "check" }), field);
  }

  async check(file) {
    const data = new Uint8Array(await file.arrayBuffer());
    this.say("checking");
    this.isOver = false;
    this.begun();
    this.worker.postMessage({ type: "start", assets: this.build.assets, source: this.build.source, file: data, config: { file: file.name, languages: [...navigator.languages] } });
  }

  dropped(event) {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file && !this.page && this.build?.assets) this.check(file);
  }

  report(message) {
    this.isOver = true;
    root.replaceChildren(h("div", { class: "screen start", role: "alert" }, h("h1", {}, "♠ Fairdeal"), message.lines.map((line) => h("p", {}, h("bdi", {}, line))), this.checker()));
  }

  // A browser keeps what it is given only as a download.
  file({ name, data }) {
    const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
    const address = URL.createObjectURL(new Blob([bytes]));
    h("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
  }

  askName() {
    const field = h("input", { type: "text", name: "name", maxlength: "24", autocomplete: "nickname", "aria-label": this.words.name, enterkeyhint: "go" });
    const said = (event) => {
      event.preventDefault();
      if (field.value.trim()) this.sit(field.value.trim());
      else field.focus();
    };
    root.replaceChildren(
      h("div", { class: "screen start" }, h("h1", {}, "♠ Fairdeal"), h("form", { class: "panel", onsubmit: said }, h("label", {}, this.words.name, field), h("button", { type: "submit", class: "primary" }, this.words.sit)), h("p", { class: "ink-dim" }, this.words.trust), this.checker()),
    );
    field.focus();
  }

  sit(name) {
    if (name) this.remember("name", name);
    this.say("loading");
    this.name(name);
  }

  heard(message) {
    if (message.type === "failed") this.say(message.why, message.text);
    else if (message.type === "ended") this.ended(message);
    else if (message.type === "report") this.report(message);
    else if (message.type === "file") this.file(message);
    else if (message.type === "skew") this.skewed(message.stuck);
    else if (message.type === "over" || this.isOver) return;
    else if (message.type === "step") this.step = message.name;
    else {
      if (!this.page) {
        root.replaceChildren();
        this.page = new Page(root, (calls) => (this.link = new WorkerLink(calls, this.worker)));
        const tell = () => this.link.wake();
        for (const name of ["visibilitychange", "resume"]) document.addEventListener(name, tell);
        for (const name of ["pageshow", "online"]) addEventListener(name, tell);
        tell();
      }
      this.link.heard(message);
      if (this.isOld) this.renew();
    }
  }

  // The program was updated since this page was loaded. A match goes on if both still understand each other.
  async skewed(isStuck) {
    const now = await fetch("build.json").then((found) => found.json(), () => this.build);
    if (now.page === this.build.page) return;
    this.isOld = true;
    if (!this.renew() && isStuck) this.say("updated");
  }

  // Loads the page anew where nothing is being played; once for each version. Whether it does.
  renew() {
    const shown = this.page?.heard?.view;
    if (shown && shown.list !== "room" && !this.watch) return false;
    if (this.remembered("renewed") === this.build.page) return false;
    this.remember("renewed", this.build.page);
    location.reload();
    return true;
  }

  // A sentence, and what can be done.
  say(what, detail = "") {
    this.isOver = !["loading", "checking"].includes(what);
    const isWaiting = what === "loading" || what === "checking";
    root.replaceChildren(
      h(
        "div",
        { class: "screen start", role: isWaiting ? "status" : "alert" },
        h("h1", {}, "♠ Fairdeal"),
        h("p", {}, this.words[what] ?? this.words.fault),
        isWaiting ? h("div", { class: "loading" }) : button(this.words.again, () => location.reload(), { class: "primary", key: "again" }),
        what === "loading" ? h("p", { class: "ink-dim" }, this.words.trust) : null,
        detail && !isWaiting ? h("details", {}, h("summary", {}, "…"), h("pre", {}, detail)) : null,
      ),
    );
  }

  ended(message) {
    this.isOver = true;
    root.replaceChildren(h("div", { class: "screen start", role: "alert" }, h("h1", {}, "♠ Fairdeal"), h("p", {}, message.text), button(this.words.again, () => location.reload(), { class: "primary", key: "again" }), this.checker()));
  }
}

new Start();
