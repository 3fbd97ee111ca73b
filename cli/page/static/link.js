// What carries messages between the page and the client: a socket here. Anything with `send` and these three calls would do.

const AGAIN_MS = [300, 1000, 2000, 3000];
const CLOSED = { used: 4001, garbled: 4002, full: 4003 };

export class SocketLink {
  // `heard(message)`, `lost(isForGood)`, `found()`.
  constructor({ heard, lost, found }) {
    Object.assign(this, { heard, lost, found });
    this.tries = 0;
    this.isOver = false;
    this.token = new URLSearchParams(location.hash.slice(1)).get("t") ?? "";
    if (this.token) history.replaceState(null, "", location.pathname);
    this.open();
    for (const name of ["visibilitychange", "pageshow", "online"]) addEventListener(name, () => this.hurry());
  }

  open() {
    clearTimeout(this.timer);
    this.socket = new WebSocket(`ws://${location.host}/socket`);
    this.socket.onopen = () => this.put({ type: "open", token: this.token, pass: this.pass });
    this.socket.onmessage = (event) => this.take(JSON.parse(event.data));
    this.socket.onclose = (event) => this.closed(event.code);
  }

  get pass() {
    try {
      return sessionStorage.getItem("pass") ?? "";
    } catch {
      return this.kept ?? "";
    }
  }

  keep(pass) {
    this.kept = pass;
    this.token = "";
    try {
      sessionStorage.setItem("pass", pass);
    } catch {
      // Without storage the page lives until it is loaded anew.
    }
  }

  take(message) {
    if (message.type === "welcome") {
      this.keep(message.pass);
      this.tries = 0;
      this.found();
      return;
    }
    if (message.type === "over") this.isOver = true;
    this.heard(message);
  }

  closed(code) {
    if (this.isOver) return;
    if (code === CLOSED.used || code === CLOSED.full) {
      this.isOver = true;
      this.lost("used");
      return;
    }
    this.lost("away");
    this.timer = setTimeout(() => this.open(), AGAIN_MS[Math.min(this.tries++, AGAIN_MS.length - 1)]);
  }

  hurry() {
    if (!this.isOver && document.visibilityState === "visible" && this.socket.readyState === WebSocket.CLOSED) this.open();
  }

  put(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  send(message) {
    this.put(message);
  }
}
