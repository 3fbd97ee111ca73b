// The page: hears what is shown, draws it, and says what was tapped. It knows no rules and keeps nothing.

import { card } from "./cards.js";
import { Part, button, capital, h } from "./dom.js";
import { code, drawList, drawPage, drawScores, fitScores } from "./lists.js";
import { Rest } from "./rest.js";
import { Slips } from "./slips.js";
import { Sound } from "./sound.js";
import { Speaker } from "./speaker.js";
import { Table } from "./table.js";
import { paint } from "./theme.js";

const SLOW_MS = 150;
const PRESS_MS = 1000; // longer presses are no taps
const HERE = "fairdeal";
const CLICK_MS = 100; // a finger that is up has made its tap by then, if it makes one

// A replay does, though it is a table.
const offersBack = (view) => view.frame.actions.some((each) => each.name === "back");

// The arrows go from item to item, as in any menu.
function goThrough(event) {
  const items = [...event.currentTarget.children];
  const at = items.indexOf(document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (to === undefined) return;
  items.at(to % items.length).focus();
  event.preventDefault();
}

export class Page {
  // `linked(calls)` makes what carries messages: see link.js. `extras`: more for the menu, each with a name, a label, and what is
  // done by a tap.
  constructor(root, linked, extras = []) {
    this.extras = extras;
    this.root = root;
    this.texts = {};
    this.isBig = false;
    this.moves = true;
    this.heard = null;
    this.sound = new Sound();
    const send = {
      act: (name, arg = null) => this.tap({ act: name, arg }),
      pick: (id) => this.tap({ pick: id }),
      play: (ids) => this.tap({ play: ids }),
      choose: (key) => this.tap({ choose: key }),
    };
    this.send = send;
    this.table = new Table(send, this);
    this.plain = new Part(h("div", { class: "screen" }));
    this.over = new Part(h("div", { class: "screen" }));
    this.veil = h("div", { class: "veil" }, h("section", { class: "dialog", role: "dialog", "aria-modal": "true", tabindex: "-1" }, this.over.element));
    this.pop = h("div", { class: "pop", onclick: (event) => event.target === this.pop && this.putAway() });
    this.ask = new Part(h("div", { class: "ask", role: "dialog" }));
    this.turnNote = new Part(h("div", { role: "status" }));
    this.draft = "";
    this.join = new Part(h("aside", { class: "join" }));
    this.lostNote = h("div", { class: "lost", role: "alert" });
    root.append(this.lostNote);
    // What a finger lies on is not drawn anew before the finger is up: its tap would be lost. So long, what is heard waits.
    this.waiting = null;
    this.held = 0;
    root.addEventListener("pointerdown", (event) => event.target.closest("button") && this.hold());
    const slips = new Slips();
    const tapped = (event) => {
      const isSlip = slips.isSlip(event.timeStamp, event.clientX, event.clientY, event.target.closest("[data-key]")?.dataset.key);
      if (!isSlip) return;
      event.preventDefault();
      event.stopPropagation();
      this.release();
    };
    root.addEventListener("click", (event) => event.detail && tapped(event), true); // a key's click has no place
    addEventListener("click", () => this.release());
    addEventListener("pointercancel", () => this.release());
    addEventListener("pointerup", () => this.waiting && this.hold(CLICK_MS));
    addEventListener("resize", () => this.redraw());
    addEventListener("keydown", (event) => this.key(event));
    matchMedia("(prefers-reduced-motion: reduce)").addEventListener?.("change", () => this.hello(this.greeting));
    this.silent = 0;
    this.early = fetch("words.json").then((found) => found.json()).then((words) => {
      if (!this.greeting) this.texts = words[navigator.language.slice(0, 2)] ?? words.en;
    }, () => {});
    this.link = linked({
      heard: (message) => this.take(message),
      lost: (why) => this.early.then(() => this.lost(why)),
      found: () => this.found(),
    });
  }

  hold(ms = PRESS_MS) {
    this.waiting ??= [];
    clearTimeout(this.held);
    this.held = setTimeout(() => this.release(), ms);
  }

  release() {
    clearTimeout(this.held);
    const waiting = this.waiting ?? [];
    this.waiting = null;
    for (const message of waiting) this.take(message);
  }

  tap(input) {
    if (this.heard === null) return;
    this.sound.wake();
    this.link.send({ type: "tap", screen: this.heard.screen, input });
    clearTimeout(this.slow);
    this.slow = setTimeout(() => this.root.classList.add("sending"), SLOW_MS);
  }

  // --- what is heard ---

  take(message) {
    if (this.waiting) {
      this.waiting.push(message);
      return;
    }
    clearTimeout(this.slow);
    this.root.classList.remove("sending");
    if (message.type === "hello") this.hello(message);
    else if (message.type === "view") this.show(message);
    else if (message.type === "bell") this.ring(message);
    else if (message.type === "told") this.tell(message.lines);
    else if (message.type === "over") this.ended();
  }

  ring({ times, ours }) {
    if (this.speaker) this.speaker.ring(times);
    else this.sound.ring(times, ours, this.greeting.sound);
  }

  hello(message) {
    if (!message) return;
    this.greeting = message;
    this.texts = message.texts;
    this.isBig = message.big;
    document.documentElement.lang = message.lang;
    paint(message.theme);
    this.moves = message.motion && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    document.documentElement.classList.toggle("still", !this.moves);
    document.documentElement.classList.toggle("tv", message.big);
    if (message.big) {
      this.rest ??= new Rest(this.root);
      this.speaker ??= new Speaker(this.root, this.sound);
      this.speaker.show(message.texts);
    } else this.stay();
    document.documentElement.classList.toggle("joinable", message.code.length > 0);
    if (!message.code.length) this.join.element.remove();
    else {
      this.root.append(this.join.element);
      this.join.show([message.code, message.texts.join], () => [code(message.code, message.texts.join), h("p", {}, message.texts.join)]);
    }
    this.redraw();
  }

  redraw() {
    if (!this.heard) return;
    this.table.hand.width = 0;
    for (const part of [this.plain, this.over, this.table.header, this.table.seats, this.table.actions, this.table.middle]) part.shown = null;
    this.show(this.heard);
  }

  show(message) {
    const before = this.heard;
    const hadFocus = this.table.element.contains(document.activeElement);
    this.heard = message;
    document.title = message.title;
    this.rest?.show(message.view);
    const { view, below } = message;
    const isNew = before?.screen !== message.screen;
    if (isNew) this.unpop();
    const base = view.kind === "table" ? this.table.element : this.plain.element;
    if (!below || !this.shown) this.base(base);
    if (below && this.shown !== base) this.sheet(message, isNew);
    else if (below && base !== this.table.element) this.sheet(message, isNew);
    else {
      this.unsheet();
      if (view.kind === "table") this.table.show(view);
      else this.fill(this.plain, message);
    }
    this.askFor(message.asks, view.frame);
    // Who has pressed a button that is gone now goes on from the cards, not from nowhere.
    if (hadFocus && document.activeElement === document.body && view.kind === "table") this.table.hand.element.focus({ preventScroll: true });
    const told = view.frame.mood === "no" || view.frame.mood === "alarm" ? view.frame.banner || view.frame.prompt : "";
    const alert = document.getElementById("alert");
    if (alert.textContent !== told) alert.textContent = told;
  }

  base(element) {
    if (this.shown === element) return;
    if (this.shown) {
      this.shown.remove();
      this.shown.inert = false;
      if (this.shown === this.plain.element) this.plain.clear(); // a score sheet gets longer each round
    }
    this.shown = element;
    this.root.prepend(element);
  }

  fill(part, message) {
    const { view } = message;
    part.element.dataset.kind = view.kind;
    const drawn = part.show([view, message.screen], () => {
      if (view.kind === "list") return drawList(view, this.send, this);
      if (view.kind === "scores") return drawScores(view, this.send, this);
      return drawPage(view, this.send, this);
    });
    if (drawn && this.isBig && view.kind === "scores") fitScores(part.element.querySelector("main"));
    const text = part.element.querySelector("main.text");
    if (drawn && text && view.from_end && part.screen !== message.screen) text.scrollTop = text.scrollHeight;
    part.screen = message.screen;
  }

  sheet(message, isNew) {
    if (!this.veil.isConnected) {
      this.before = document.activeElement?.dataset?.key;
      this.root.append(this.veil);
      this.reach();
    }
    this.fill(this.over, message);
    const dialog = this.veil.firstChild;
    dialog.setAttribute("aria-label", message.view.heading ?? message.view.frame.title);
    if (isNew) dialog.focus({ preventScroll: true });
  }

  unsheet() {
    if (!this.veil.isConnected) return;
    this.veil.remove();
    this.over.clear();
    this.reach();
    if (this.before) setTimeout(() => this.root.querySelector(`[data-key="${CSS.escape(this.before)}"]`)?.focus({ preventScroll: true }));
  }

  // --- what lies over everything for a moment ---

  menu(items) {
    this.popUp(
      h("div", { class: "menu", role: "menu", "aria-label": this.texts.menu, onkeydown: goThrough }, items.map((each) => button(capital(each.label), () => (this.unpop(), each.done ? each.done() : this.send.act(each.name, each.arg)), { role: "menuitem", key: `menu-${each.name}` }))),
    );
  }

  // A few sentences, until they are closed.
  tell(sentences) {
    this.popUp(h("section", { class: "told panel", role: "alertdialog", "aria-label": this.texts.menu }, sentences.map((line) => h("p", {}, h("bdi", {}, line))), h("div", { class: "actions" }, button(capital(this.texts.close), () => this.unpop(), { key: "close", class: "primary" }))));
  }

  zoom(held, view) {
    this.popUp(h("div", { class: "zoom", role: "dialog", tabindex: "-1", "aria-label": held.face.name, onclick: () => this.putAway() }, card(held.face), h("p", {}, capital(held.face.name || held.face.short)), held.mark ? h("p", {}, held.mark) : null));
    if (view.seats.length) navigator.vibrate?.(10);
    this.isOpening = true;
    const isUp = () => setTimeout(() => (this.isOpening = false), CLICK_MS);
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, isUp, { once: true });
  }

  // By a tap on it or beside it; the finger that has called for it may still lie there, and its end be taken for a tap.
  putAway() {
    if (!this.isOpening) this.unpop();
  }

  // Only what lies on top can be reached by keys and screen readers.
  reach() {
    const isPopped = this.pop.isConnected;
    this.veil.inert = isPopped;
    if (this.shown) this.shown.inert = isPopped || this.veil.isConnected;
  }

  popUp(content) {
    this.from = document.activeElement?.dataset?.key;
    this.pop.replaceChildren(content);
    this.root.append(this.pop);
    this.reach();
    (content.querySelector("button") ?? content).focus();
  }

  unpop() {
    if (!this.pop.isConnected) return;
    this.pop.remove();
    this.reach();
    if (this.from) this.root.querySelector(`[data-key="${CSS.escape(this.from)}"]`)?.focus({ preventScroll: true });
  }

  askFor(asks, { head, mood }) {
    this.ask.element.setAttribute("aria-label", asks?.label ?? "");
    const isOurs = Boolean(head) && mood === "turn";
    this.turnNote.show([isOurs, head], () => (isOurs ? button([h("b", {}, head), h("span", {}, capital(this.texts.to_table))], () => this.putOff(), { key: "to-table", class: "to-table" }) : []));
    this.ask.show(asks, () => (asks ? this.drawAsk(asks) : []));
    if (!asks) this.ask.element.remove();
    else if (!this.ask.element.isConnected) {
      this.root.append(this.ask.element);
      const field = this.ask.element.querySelector("input");
      field.focus();
      field.select();
    }
  }

  // The form lies over the table, where it is our turn: what is written is there when it is opened again.
  putOff() {
    this.draft = this.ask.element.querySelector("input").value;
    this.back();
  }

  drawAsk(asks) {
    const answer = (text) => this.link.send({ type: "typed", number: asks.number, text });
    const field = h("input", { type: "text", name: "text", value: asks.initial || this.draft, maxlength: "200", autocomplete: "off", "aria-label": asks.label, enterkeyhint: "send" });
    const said = (event) => {
      event.preventDefault();
      if (field.value.trim()) answer(field.value.trim());
      else field.setAttribute("placeholder", asks.needed || asks.label);
    };
    this.draft = "";
    return h(
      "form",
      { class: "panel", onsubmit: said },
      this.turnNote.element,
      h("label", {}, asks.label, field),
      asks.offers.length ? h("div", { class: "emotes" }, asks.offers.map((each) => button(this.texts[`emote ${each}`] ?? each, () => answer(each), { key: each }))) : null,
      h("div", { class: "actions" }, button(capital(this.texts.cancel), () => answer(null), { key: "cancel" }), h("button", { type: "submit", class: "primary" }, this.texts.send)),
    );
  }

  // The browser's own way back, on phones a swipe, is Esc here; where there is nothing to go back from, it shows the menu. Nobody
  // leaves a table by accident.
  stay() {
    if (this.stays) return;
    this.stays = true;
    if (history.state !== HERE) history.pushState(HERE, "");
    addEventListener("popstate", () => {
      if (location.hash) return;
      history.pushState(HERE, "");
      const view = this.heard?.view;
      const isBare = view?.kind === "table" && !offersBack(view) && !view.dialog && !view.hand.some((each) => each.picked);
      if (isBare && !this.pop.isConnected && !this.veil.isConnected && !this.heard.asks) this.menu(this.table.menuItems(view));
      else this.back();
    });
  }

  // Esc goes back, as everywhere.
  key(event) {
    if (event.key === "Escape") this.back();
  }

  back() {
    if (!this.heard) return;
    if (this.pop.isConnected) this.unpop();
    else if (this.heard.asks) this.link.send({ type: "typed", number: this.heard.asks.number, text: null });
    else this.send.act(["table", "scores"].includes(this.heard.view.kind) && !offersBack(this.heard.view) ? "escape" : "back");
  }

  // --- the link ---

  // The link is looked at now, and made anew if it is lost.
  wake() {
    this.link.wake?.();
  }

  lost(why) {
    const { texts } = this;
    const told = { used: texts.refused, restoring: texts.restoring }[why] ?? texts.lost ?? "";
    if (why === "away" && !this.heard && ++this.silent < 3) return;
    this.lostNote.replaceChildren(h("p", {}, told), why === "away" ? h("p", { class: "ink-dim" }, texts.away ?? "") : "");
    this.lostNote.classList.add("shown");
  }

  found() {
    this.lostNote.classList.remove("shown");
    this.lostNote.replaceChildren();
  }

  ended() {
    this.lostNote.replaceChildren(h("p", {}, this.texts.over));
    this.lostNote.classList.add("shown");
  }
}
