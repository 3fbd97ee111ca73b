// One's own cards: drawn once each and moved, tapped, swiped, dragged, looked at, or gone through with the keyboard.

import { card } from "./cards.js";
import { h } from "./dom.js";
import { beyond, cardAt, handLayout, spread } from "./layout.js";
import { isSorted, moved, ordered } from "./order.js";

const LONG_MS = 350;
const DRAG_PX = 24;
const SWIPE_PX = 16;
const AWAY_PX = 32; // above the hand: whoever gets there has not swiped, but drags a card to the table

// Where one card is played at a time, another one may take the place of the one that is picked.
const isDull = (held, view) => !held.bright && !held.picked && !(view.takes_one && held.playable);

export class Hand {
  // `send`: pick, play, act; `near`: what may be told or done around the hand (texts, zoom, place under a point).
  constructor(send, near) {
    Object.assign(this, { send, near });
    this.nodes = new Map();
    this.dealt = [];
    this.own = [];
    this.at = 0;
    this.width = 0;
    this.element = h("div", {
      class: "hand",
      role: "listbox",
      tabindex: "0",
      "data-key": "hand",
      onpointerdown: (event) => this.down(event),
      onpointermove: (event) => this.move(event),
      onpointerup: (event) => this.up(event),
      onlostpointercapture: (event) => event.pointerId === this.grip?.pointer && this.drop(),
      oncontextmenu: (event) => event.preventDefault(),
      onkeydown: (event) => this.key(event),
      onfocus: () => this.mark(),
      onblur: () => this.mark(),
      onscroll: () => this.tellBeyond(),
    });
    this.inner = h("div", { class: "fan" });
    this.element.append(this.inner);
  }

  show(given, texts) {
    const dealt = given.hand.map((each) => each.id);
    if (isSorted(this.dealt, dealt)) this.own = [];
    this.dealt = dealt;
    const inOrder = ordered(dealt, this.own);
    const view = { ...given, hand: inOrder.map((id) => given.hand[dealt.indexOf(id)]) };
    Object.assign(this, { view, given, texts });
    this.width ||= this.element.clientWidth; // asked once: the browser would lay out everything anew for the answer
    this.layout = handLayout(view.hand.length, this.width || innerWidth, innerHeight);
    const { layout, element } = this;
    const picked = view.hand.map((each) => each.picked);
    const isSome = view.hand.some((each) => each.fits) && view.hand.some((each) => isDull(each, view));
    element.style.setProperty("--hand", `${layout.height}px`);
    element.style.setProperty("--card-w", `${layout.cardW}px`);
    element.style.setProperty("--card-h", `${layout.cardH}px`);
    this.inner.style.width = `${layout.width}px`;
    element.dataset.mode = layout.mode;
    element.setAttribute("aria-label", texts.hand);
    element.setAttribute("aria-multiselectable", String(!view.takes_one));
    const kept = new Set();
    spread(layout, picked).forEach((place, at) => {
      const held = view.hand[at];
      kept.add(held.id);
      let node = this.nodes.get(held.id);
      const look = JSON.stringify(held.face);
      if (!node) {
        node = h("div", { class: "slot arrives", role: "option", id: `card-${held.id}` });
        this.nodes.set(held.id, node);
        requestAnimationFrame(() => requestAnimationFrame(() => node.classList.remove("arrives")));
      }
      if (node.dataset.look !== look) {
        node.replaceChildren(card(held.face), h("span", { class: "mark" }));
        node.dataset.look = look;
      }
      node.lastChild.textContent = held.mark;
      const up = held.picked ? layout.lift : isSome && !isDull(held, view) ? layout.lift / 2 : 0;
      node.style.setProperty("--px", `${place.x}px`);
      node.style.setProperty("--py", `${place.y - up}px`);
      node.style.setProperty("--turn", `${place.turn}deg`);
      node.style.zIndex = String(at + 1);
      node.classList.toggle("dull", isDull(held, view));
      node.classList.toggle("picked", held.picked);
      node.classList.toggle("fresh", held.is_new);
      node.setAttribute("aria-selected", String(held.picked));
      const said = [held.face.name || held.face.short, held.playable ? texts.playable : "", held.picked ? texts.picked : "", held.mark];
      node.setAttribute("aria-label", said.filter(Boolean).join(", "));
      if (this.inner.children[at] !== node) this.inner.insertBefore(node, this.inner.children[at] ?? null);
    });
    for (const [id, node] of [...this.nodes]) {
      if (kept.has(id)) continue;
      node.remove();
      this.nodes.delete(id);
    }
    this.at = Math.max(0, Math.min(this.at, view.hand.length - 1));
    this.mark();
    this.tellBeyond();
  }

  // Whoever does not see all cards sees how many more there are.
  tellBeyond() {
    const from = this.layout.mode === "scroll" ? this.element.scrollLeft : 0; // asking makes the browser lay out everything anew
    const [left, right] = beyond(this.layout, from, this.width);
    Object.assign(this.element.parentElement.dataset, { left, right });
  }

  // A card that has just come flies here from a point, at first as wide as told there.
  arrive(id, x, y, width, timing) {
    const node = this.nodes.get(id);
    const place = this.layout.places[this.placeOf(id)];
    if (!node || !place) return;
    const { cardW, cardH } = this.layout;
    node.classList.remove("arrives");
    node.animate(
      [
        { translate: `${x - place.x - cardW / 2}px ${y - place.y - cardH / 2}px`, scale: String(width / cardW), opacity: 0 },
        { opacity: 1, offset: 0.3 },
        { translate: "0px 0px", scale: "1", opacity: 1 },
      ],
      timing,
    );
  }

  held(at = this.at) {
    return this.view?.hand[at];
  }

  node(at) {
    return this.nodes.get(this.held(at)?.id);
  }

  // The card that keys are about.
  mark() {
    const now = document.activeElement === this.element && this.element.matches(":focus-visible") ? this.node(this.at) : null;
    for (const node of this.nodes.values()) node.classList.toggle("looked", node === now);
    if (now) {
      this.element.setAttribute("aria-activedescendant", now.id);
      if (this.layout.mode === "scroll") now.scrollIntoView({ block: "nearest", inline: "center" });
    } else this.element.removeAttribute("aria-activedescendant");
  }

  key(event) {
    const last = (this.view?.hand.length ?? 0) - 1;
    if (last < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const typed = event.key.length === 1 ? event.key.toUpperCase() : event.key;
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -this.at, End: last - this.at };
    if (typed in steps) this.at = (this.at + steps[typed] + last + 1) % (last + 1);
    else if (typed === " " || typed === "ArrowUp") this.send.pick(this.held().id);
    else if (typed === "Enter") this.enter();
    else {
      const rank = typed === "0" ? "T" : typed;
      const next = [...Array(last + 1).keys()].map((each) => (this.at + 1 + each) % (last + 1)).find((each) => this.held(each).rank === rank);
      if (next === undefined) return;
      this.at = next;
    }
    event.preventDefault();
    this.mark();
  }

  enter() {
    if (this.view.hand.some((each) => each.picked)) this.send.act("play");
    else this.send.play([this.held().id]);
  }

  // Where a card lies now: others may have come or gone since a finger was put on it.
  placeOf(id) {
    return this.view.hand.findIndex((each) => each.id === id);
  }

  // --- pointers ---

  point(event) {
    const box = this.inner.getBoundingClientRect();
    return cardAt(this.layout, event.clientX - box.left, event.clientY - box.top);
  }

  down(event) {
    if (!this.layout || this.grip || event.button > 0) return;
    const at = this.point(event);
    if (at < 0) return;
    this.element.setPointerCapture(event.pointerId); // a fast mouse is out of the hand before it has moved in it
    const { id } = this.held(at);
    this.grip = { pointer: event.pointerId, id, x: event.clientX, y: event.clientY, mode: "press", swept: new Set([id]) };
    this.timer = setTimeout(() => this.hold(), LONG_MS);
  }

  hold() {
    if (this.grip?.mode !== "press") return;
    this.grip.mode = "held";
    const held = this.held(this.placeOf(this.grip.id));
    if (held) this.near.zoom(held);
  }

  move(event) {
    const grip = this.grip;
    if (event.pointerId !== grip?.pointer) return;
    const dx = event.clientX - grip.x;
    const dy = event.clientY - grip.y;
    if (grip.mode === "press") {
      if (dy < -DRAG_PX && -dy > Math.abs(dx)) this.begin("lift");
      else if (Math.abs(dx) > SWIPE_PX) this.begin(this.layout.mode === "scroll" ? "scroll" : this.view.takes_one ? "move" : "swipe");
    }
    if ((grip.mode === "move" || grip.mode === "swipe") && this.isOut(event, AWAY_PX)) {
      for (const node of this.nodes.values()) node.classList.remove("swept");
      this.begin("lift");
    }
    if (grip.mode === "lift" || grip.mode === "move") {
      const node = this.nodes.get(grip.id);
      node?.style.setProperty("--dx", `${dx}px`);
      node?.style.setProperty("--dy", `${dy}px`);
      if (grip.mode === "lift") this.near.over(event.clientX, event.clientY, this.isOut(event));
    }
    if (grip.mode === "swipe") {
      const at = this.point(event);
      const from = this.placeOf(grip.id);
      if (at >= 0 && from >= 0) for (let each = Math.min(at, from); each <= Math.max(at, from); each++) grip.swept.add(this.held(each).id);
      for (const each of grip.swept) this.nodes.get(each)?.classList.add("swept");
    }
  }

  begin(mode) {
    clearTimeout(this.timer);
    this.grip.mode = mode;
    if (mode === "lift" || mode === "move") this.nodes.get(this.grip.id)?.classList.add("lifted");
  }

  isOut(event, by = 8) {
    return event.clientY < this.element.getBoundingClientRect().top - by;
  }

  up(event) {
    const grip = this.grip;
    if (event.pointerId !== grip?.pointer) return;
    this.drop();
    if (grip.mode === "press") this.tap(this.placeOf(grip.id));
    else if (grip.mode === "swipe") for (const each of this.view.hand) if (grip.swept.has(each.id) && !each.picked) this.send.pick(each.id);
    if (grip.mode === "move") this.reorder(grip.id, this.point(event));
    if (grip.mode !== "lift") return;
    const place = this.near.place(event.clientX, event.clientY);
    if (place !== null) this.send.act("gift", [place, grip.id, false]);
    else if (this.isOut(event) && !this.isAsked()) this.thrown(grip.id);
  }

  // A card that is dragged sideways stays where it is let go, until the hand is sorted.
  reorder(id, at) {
    if (at < 0) return;
    this.own = moved(this.view.hand.map((each) => each.id), id, at);
    this.show(this.given, this.texts);
  }

  thrown(id) {
    const held = this.view.hand.find((each) => each.id === id);
    if (held?.picked) this.send.act("play");
    else this.send.play([id]);
  }

  drop() {
    clearTimeout(this.timer);
    for (const node of this.nodes.values()) {
      node.classList.remove("lifted", "swept");
      node.style.removeProperty("--dx");
      node.style.removeProperty("--dy");
    }
    this.near.over(0, 0, false);
    this.grip = null;
  }

  isAsked() {
    return Boolean(this.view.dialog?.asks);
  }

  tap(at) {
    const held = this.held(at);
    if (!held || this.isAsked()) return;
    this.at = at;
    const node = this.node(at);
    const isOurs = this.view.frame.actions.some((each) => each.name === "play");
    if (this.view.takes_one && isOurs && held.picked) {
      this.send.act("play");
    } else if (this.view.takes_one && isOurs && isDull(held, this.view)) {
      this.shake(node);
      this.send.play([held.id]);
    } else {
      node?.classList.toggle("picked"); // shown at once; what it means follows
      this.send.pick(held.id);
    }
  }

  shake(node) {
    node?.classList.remove("no");
    void node?.offsetWidth;
    node?.classList.add("no");
    navigator.vibrate?.(15);
  }
}
