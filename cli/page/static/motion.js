// Cards on their way: played to the middle, drawn from the stock, dealt. Only `transform` and `opacity` change, and taps never wait.

import { card } from "./cards.js";
import { h } from "./dom.js";

const FLIGHT_MS = 320;
const OWN_MS = 260;
const DRAW_MS = 220;
const BETWEEN_MS = 90;
const DEAL_MS = 60;
const LONGEST_MS = 1200;
const MOST_EACH = 4; // backs that are seen to fly to one seat: more would tell nothing new
const QUICK = "cubic-bezier(.2, .8, .2, 1)";

// Who has got how many cards since what was shown before, in the order in which they fly: one for each at a time.
export function arrivals(before, view) {
  if (!before || before.seats.length !== view.seats.length) return { isDeal: false, cards: [] };
  const known = new Set(before.hand.map((each) => each.id));
  const gained = view.seats.map((seat, at) => {
    if (at === view.me) return view.hand.filter((each) => !known.has(each.id)).map((each) => each.id);
    return Array(Math.max(0, Math.min(MOST_EACH, seat.bars - before.seats[at].bars))).fill(null);
  });
  const cards = [];
  for (let nth = 0; nth < Math.max(...gained.map((each) => each.length)); nth++) {
    gained.forEach((each, seat) => nth < each.length && cards.push({ seat, id: each[nth] }));
  }
  return { isDeal: gained.filter((each) => each.length).length > 1, cards };
}

// After how long each of so many cards begins to fly.
export function delays(count, isDeal) {
  const step = Math.min(isDeal ? DEAL_MS : BETWEEN_MS, LONGEST_MS / Math.max(1, count));
  return Array.from({ length: count }, (_, nth) => nth * step);
}

const middle = (box) => [box.left + box.width / 2, box.top + box.height / 2];

export class Motion {
  // `table`: where the parts are between which cards fly.
  constructor(table) {
    this.table = table;
    this.flown = null;
    this.before = null;
  }

  show(view) {
    const { before, table } = this;
    this.before = view;
    const isPlayed = view.flight && view.flight.at !== this.flown;
    this.flown = view.flight?.at ?? null;
    if (!table.page.moves || document.hidden) return;
    if (isPlayed) this.played(view.flight);
    const { cards, isDeal } = arrivals(before, view);
    if (cards.length) this.arrive(cards, isDeal);
  }

  portrait(seat) {
    return this.table.seats.element.querySelector(`[data-seat="${seat}"] .portrait`)?.getBoundingClientRect();
  }

  played(flight) {
    const { middle: place, hand } = this.table;
    const to = place.element.querySelector("[data-top], .plays figure:last-child .card")?.getBoundingClientRect();
    const from = flight.is_mine ? hand.element.getBoundingClientRect() : this.portrait(flight.seat);
    if (!to || !from || !to.width) return;
    const scale = flight.is_mine ? 0.7 : Math.max(0.2, from.width / to.width);
    this.fly(card(flight.face), to, from, scale, { duration: flight.is_mine ? OWN_MS : FLIGHT_MS, easing: QUICK });
  }

  // From the stock, or where there is none from the middle of the table.
  arrive(cards, isDeal) {
    const { middle: place, hand } = this.table;
    const stack = place.element.querySelector(".stack");
    const stock = (stack ?? place.element).getBoundingClientRect();
    if (!stock.width) return;
    const [x, y] = middle(stock);
    const width = stack ? stock.width : 44;
    const from = { left: x - width / 2, top: y - width * 0.7, width, height: width * 1.4 };
    const after = delays(cards.length, isDeal);
    const fan = hand.inner.getBoundingClientRect();
    // All places are read before anything is put anywhere: else the browser would lay out everything anew for each card.
    const portraits = new Map(cards.filter(({ id }) => id === null).map(({ seat }) => [seat, null]));
    for (const seat of portraits.keys()) portraits.set(seat, this.portrait(seat));
    cards.forEach(({ seat, id }, nth) => {
      const timing = { duration: DRAW_MS, delay: after[nth], easing: "ease-out", fill: "backwards" };
      if (id !== null) hand.arrive(id, x - fan.left, y - fan.top, width, timing);
      else this.away(portraits.get(seat), from, timing);
    });
  }

  away(to, from, timing) {
    if (!to?.width) return;
    const [x, y] = middle(to);
    const [fromX, fromY] = middle(from);
    const moving = this.put(h("span", { class: "flying-back" }), from);
    const run = moving.animate(
      [
        { transform: "none", opacity: 1 },
        { transform: `translate(${x - fromX}px, ${y - fromY}px) scale(.5)`, opacity: 0.4 },
      ],
      timing,
    );
    run.onfinish = run.oncancel = () => moving.remove();
  }

  fly(face, to, from, scale, timing) {
    const moving = this.put(face, to);
    const [x, y] = middle(to);
    const [fromX, fromY] = middle(from);
    const run = moving.animate([{ transform: `translate(${fromX - x}px, ${fromY - y}px) scale(${scale}) rotate(-8deg)`, opacity: 0.9 }, { transform: "none", opacity: 1 }], timing);
    run.onfinish = run.oncancel = () => moving.remove();
  }

  put(face, box) {
    const moving = h("div", { class: "flight" }, face);
    Object.assign(moving.style, { width: `${box.width}px`, left: `${box.left}px`, top: `${box.top}px` });
    document.getElementById("flights").append(moving);
    return moving;
  }
}
