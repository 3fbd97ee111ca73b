// A phone at the table: the page starts the peer in a worker, and draws what it says.

import { Awake } from "./awake.js";
import { button, h } from "./dom.js";
import { emblem } from "./lists.js";
import { Page } from "./main.js";
import { hasHome } from "./store.js";

globalThis.fairdeal = true;
const root = document.getElementById("app");
const TOO_OLD = !("WebAssembly" in globalThis) || !("indexedDB" in globalThis) || !crypto?.getRandomValues;

const brand = () => h("div", { class: "brand" }, emblem(), h("h1", {}, "Fairdeal"));

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

const PING_MS = 1000;
const SILENT_PINGS = 5; // counted, not timed: a page that was asleep has not waited
const MOST_FALLS = 2;
const FALLS_MS = 60000;

// Notices that a worker answers no more. It may be busy for a while; with its start it takes its time.
class Watch {
  constructor(worker, hung) {
    this.worker = worker;
    this.missed = 0;
    this.timer = setInterval(() => {
      if (document.visibilityState !== "visible") this.missed = 0;
      else if (this.missed++ >= SILENT_PINGS) hung();
      worker.postMessage({ type: "ping" });
    }, PING_MS);
  }

  answered() {
    this.missed = 0;
  }

  end() {
    clearInterval(this.timer);
  }
}

const AGAIN_MS = [300, 1000, 2000, 4000]; // the computer may have been out of reach for a moment

// What is fetched first.
async function build() {
  for (let tries = 0; ; tries++) {
    try {
      const found = await fetch("build.json");
      if (found.ok) return await found.json();
    } catch {
      // Once more.
    }
    if (tries === AGAIN_MS.length) return null;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS[tries]));
  }
}

class Start {
  constructor() {
    addEventListener("hashchange", () => location.hash && location.reload()); // another code, scanned into this tab
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => this.dropped(event));
    this.fragment = location.hash.slice(1);
    const options = new URLSearchParams(this.fragment.includes("&") ? this.fragment.slice(this.fragment.indexOf("&") + 1) : "");
    this.invitation = this.fragment.split("&")[0] || this.session("invitation");
    this.options = options;
    // The invitation is gone from the address before anybody looks over a shoulder or reloads.
    // Until somebody sits, this tab keeps it: a page that is loaded anew over a name would let nobody in.
    if (this.fragment) history.replaceState(null, "", location.pathname);
    if (this.fragment && !options.has("watch")) {
      this.keepSession("invitation", this.invitation);
      this.keepSession("watch", "");
    }
    if (options.has("watch") && this.invitation) this.keepWatch({ seed: seedOf(crypto.getRandomValues(new Uint8Array(32))), invitation: this.invitation });
    this.begin();
  }

  // A page that only watches has a key of its own as long as this tab is open: it comes back with it when it is loaded anew, and
  // with the word of whoever has let it in.
  keepWatch(watch) {
    this.watch = { again: false, voucher: [], ...watch };
    this.keepSession("watch", JSON.stringify({ ...this.watch, again: true }));
  }

  session(name) {
    try {
      return sessionStorage.getItem(name) ?? "";
    } catch {
      return "";
    }
  }

  keepSession(name, value) {
    try {
      sessionStorage.setItem(name, value);
    } catch {
      // A private window: loaded anew, it needs its address again.
    }
  }

  async begin() {
    if (!this.fragment) this.watch = JSON.parse(this.session("watch") || "null");
    root.replaceChildren(h("div", { class: "screen start" }, h("div", { class: "loading" })));
    this.build = await build();
    if (!this.build) return this.unreached();
    this.words = this.build.words[navigator.language.slice(0, 2)] ?? this.build.words.en;
    this.remember("words", JSON.stringify(this.words));
    document.documentElement.lang = this.words.lang;
    if (TOO_OLD) return this.say("old");
    if (!this.build.assets) return this.say("missing");
    const isKnown = await hasHome();
    if (!this.watch && !this.invitation && !isKnown) return this.ended({ text: this.words.uninvited });
    const known = this.remembered("name");
    const asked = this.options.get("name") ?? "";
    this.work();
    if (this.watch) this.sit("");
    else if (asked || known) this.sit(asked || known);
    else if (isKnown) this.sit("");
    else this.askName();
  }

  // Without its computer the page has only the words that it heard the last time.
  unreached() {
    const kept = this.remembered("words");
    if (kept) this.words = JSON.parse(kept);
    if (kept) this.say("lost");
    else root.replaceChildren(h("div", { class: "screen start", role: "alert" }, brand(), button("↻", () => location.reload(), { class: "primary", key: "again" })));
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
    this.loads = 0;
    this.falls = [];
    this.named = new Promise((resolve) => (this.name = resolve));
    this.named.then((name) => {
      this.run({
        name,
        invitation: this.watch?.invitation ?? this.invitation,
        watch: this.watch?.seed ?? "",
        again: this.watch?.again ?? false,
        voucher: this.watch?.voucher ?? [],
        place: location.host,
        languages: [...navigator.languages],
        autoplay: this.options.get("autoplay") === "1",
        server: this.build.server,
        page: this.build.page,
      });
    });
  }

  run(config) {
    this.config = config;
    this.worker.postMessage({ type: "start", assets: this.build.assets, source: this.build.source, config });
  }

  end() {
    this.guard?.end();
    this.guard = null;
    this.worker?.terminate();
    this.worker = null; // what it has said last is not heard any more
  }

  begun() {
    this.end();
    const worker = (this.worker = new Worker("worker.js", { type: "module" }));
    worker.onerror = (event) => worker === this.worker && (event.message ? this.fell(event.message) : this.missed());
    worker.onmessage = (event) => worker === this.worker && this.heard(event.data);
    worker.postMessage({ type: "load", assets: this.build.assets, source: this.build.source });
  }

  // A part of what the worker runs did not come: it asks for each once only.
  missed() {
    if (this.loads === AGAIN_MS.length) return this.say("lost");
    if (this.config && !this.page) this.say("away");
    setTimeout(() => this.loadAgain(), AGAIN_MS[this.loads++]);
  }

  loadAgain() {
    this.begun();
    if (this.page) this.link.worker = this.worker;
    if (this.config) this.run(this.config);
  }

  // The worker has broken down, or hangs: another one takes up the seat from what is saved. Not for ever.
  fell(detail) {
    const now = Date.now();
    this.falls = this.falls.filter((at) => now - at < FALLS_MS);
    if (!this.page || this.isOver || this.falls.length >= MOST_FALLS) return this.say("fault", detail);
    this.falls.push(now);
    this.page.lost("restoring");
    this.isRestored = false;
    this.begun();
    this.link.worker = this.worker;
    this.run({ ...this.config, invitation: this.watch ? this.config.invitation : "", again: true });
  }

  // Anybody can check a match file here: no table, no network, the same words as `fairdeal verify`.
  checker() {
    const field = this.field((file) => this.check(file));
    return h("p", {}, button(this.words.check, () => field.click(), { class: "quiet", key: "check" }), field);
  }

  // Phones know no such kind of file: one that is asked for by its name's end could not be chosen there.
  field(chosen) {
    const field = h("input", { type: "file", class: "unseen", tabindex: "-1", "aria-label": this.words.check, onchange: () => field.files[0] && chosen(field.files[0]) });
    return field;
  }

  async check(file) {
    this.say("checking");
    this.report(await this.checked(file));
  }

  // Beside a seat, too: another worker does it, and the match goes on.
  async checked(file) {
    const data = new Uint8Array(await file.arrayBuffer());
    const worker = new Worker("worker.js", { type: "module" });
    const said = await new Promise((resolve) => {
      worker.onerror = (event) => resolve({ lines: [this.words.fault, event.message ?? ""] });
      worker.onmessage = ({ data: told }) => {
        if (told.type === "report") resolve(told);
        else if (told.type === "ended") resolve({ lines: [told.text] });
        else if (told.type === "failed") resolve({ lines: [this.words.fault, told.text] });
      };
      worker.postMessage({ type: "start", assets: this.build.assets, source: this.build.source, file: data, config: { file: file.name, languages: [...navigator.languages] } });
    });
    worker.terminate();
    return said;
  }

  // What the page's menu offers here beside what the table does.
  extras() {
    const field = this.field(async (file) => {
      this.page.tell([this.words.checking]);
      this.page.tell((await this.checked(file)).lines);
    });
    return [{ name: "check", label: this.words.check, done: () => field.click() }];
  }

  dropped(event) {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (!file || !this.build?.assets) return;
    if (this.page && !this.isOver) this.checked(file).then(({ lines }) => this.page.tell(lines));
    else this.check(file);
  }

  report(message) {
    this.isOver = true;
    root.replaceChildren(h("div", { class: "screen start", role: "alert" }, brand(), message.lines.map((line) => h("p", {}, h("bdi", {}, line))), this.checker()));
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
      h("div", { class: "screen start" }, brand(), h("form", { class: "panel", onsubmit: said }, h("label", {}, this.words.name, field), h("button", { type: "submit", class: "primary" }, this.words.sit)), h("p", { class: "ink-dim" }, this.words.trust), this.checker()),
    );
    field.focus();
  }

  sit(name) {
    if (name) this.remember("name", name);
    this.say("loading");
    this.name(name);
  }

  heard(message) {
    if (message.type === "pong") this.guard?.answered();
    else if (message.type === "failed" && message.why === "unloaded") this.missed();
    else if (message.type === "failed" && message.why === "fault") this.fell(message.text);
    else if (message.type === "failed") {
      this.end(); // a tab whose seat is taken would call for it again and again
      this.say(message.why === "storage" && this.page ? "unsaved" : message.why, message.text);
    } else if (message.type === "ended") this.ended(message);
    else if (message.type === "file") this.file(message);
    else if (message.type === "skew") this.skewed(message.stuck);
    else if (message.type === "voucher") this.keepWatch({ ...this.watch, voucher: message.voucher });
    else if (message.type === "over" || this.isOver) return;
    else {
      if (!this.page) {
        root.replaceChildren();
        this.keepSession("invitation", "");
        this.page = new Page(root, (calls) => (this.link = new WorkerLink(calls, this.worker)), this.extras());
        const awake = new Awake(root);
        if (this.watch) awake.begin(); // nobody taps on a page that only watches
        const tell = () => this.link.wake();
        for (const name of ["visibilitychange", "resume"]) document.addEventListener(name, tell);
        for (const name of ["pageshow", "online"]) addEventListener(name, tell);
        tell();
      }
      this.loads = 0;
      this.guard ??= new Watch(this.worker, () => this.fell(""));
      this.link.heard(message);
      // While the computer that serves this page is away, the page cannot be loaded again.
      if (message.type === "view") onbeforeunload = message.view.dialog?.kind === "lost" ? (event) => event.preventDefault() : null;
      if (message.type === "view" && this.isRestored === false) {
        this.isRestored = true;
        this.page.found();
        this.link.wake();
      }
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
    const isWaiting = ["loading", "checking", "away"].includes(what);
    this.isOver = !isWaiting;
    onbeforeunload = null;
    root.replaceChildren(
      h(
        "div",
        { class: "screen start", role: isWaiting ? "status" : "alert" },
        brand(),
        h("p", {}, this.words[what] ?? this.words.fault),
        isWaiting ? h("div", { class: "loading" }) : button(what === "taken" ? this.words.here : this.words.again, () => location.reload(), { class: "primary", key: "again" }),
        (what === "loading" || what === "away") && !this.watch ? h("p", { class: "ink-dim" }, this.words.trust) : null,
        detail && !isWaiting ? h("details", {}, h("summary", {}, "…"), h("pre", {}, detail)) : null,
      ),
    );
  }

  ended(message) {
    this.isOver = true;
    root.replaceChildren(h("div", { class: "screen start", role: "alert" }, brand(), h("p", {}, message.text), button(this.words.again, () => location.reload(), { class: "primary", key: "again" }), this.checker()));
  }
}

new Start();
