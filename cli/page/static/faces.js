// Players as faces: shape and hue come from the key, or where none is known from the name. No two at a table share a hue.

import { s } from "./dom.js";

const HUES = ["#ff9e80", "#7fc4ff", "#cdaaff", "#c3df7a", "#ff9ccb", "#8fe3b4", "#ffd166", "#9fe0e6", "#f0b48a", "#b8c4ff"];
const BOT = "#c3cfc8";
const SHAPES = [
  s0("circle", { cx: 32, cy: 34, r: 27 }),
  s0("rect", { x: 5, y: 7, width: 54, height: 54, rx: 15 }),
  s0("path", { d: "M32 6c5 0 20 8 23 13s3 26 0 31-18 11-23 11-20-6-23-11-3-26 0-31 18-13 23-13z" }),
  s0("path", { d: "M32 6c6 0 8 5 13 7s11 4 12 10-3 8-2 14-1 12-7 15-10 2-16 9c-6-7-10-6-16-9s-8-9-7-15-3-8-2-14 7-8 12-10 7-7 13-7z" }),
];

function s0(tag, props) {
  return () => s(tag, { class: "skin", ...props });
}

// By name: the key of its player, and the hue.
const keys = new Map();
const slots = new Map();
const bots = new Set();
let own = "";
let met = [];

// What we are called where all sit: a score sheet says it in another way.
export const ownName = (name) => own || name;

// The name of whoever is called so: "You" and "Mia (you)" are nobody else.
export const calledAs = (text) => (met.includes(text) || !met.length ? text : ownName(text));

// Whom a line of the score sheet is about: a player, or a team, which is called "Jonas and Priya", or "You and Hanako".
export function peopleIn(text) {
  if (met.includes(text)) return [text];
  const named = met.filter((each) => text.includes(each)).filter((each, _at, all) => !all.some((other) => other !== each && other.includes(each)));
  if (named.length === 1 && named[0] !== own) return own ? [own, named[0]] : named;
  return named.length ? named : [ownName(text)];
}

// Who is not here any more is known by name alone, and bots are called so.
export const isBot = (name) => (met.includes(name) ? bots.has(name) : name.startsWith("Bot "));

export function hashOf(text) {
  let hash = 2166136261;
  for (const each of text) hash = Math.imul(hash ^ each.codePointAt(0), 16777619) >>> 0;
  return hash;
}

// Who is here, in the order of the seats: whoever knows the same players shows the same faces.
export function meet(players) {
  own = players.find((each) => each.is_me)?.name ?? own;
  met = players.map((each) => each.name);
  bots.clear();
  for (const each of players) if (each.is_bot) bots.add(each.name);
  const told = players.filter((each) => each.key && !each.is_bot);
  if (told.every((each) => keys.get(each.name) === each.key)) return;
  keys.clear();
  slots.clear();
  for (const each of told) keys.set(each.name, each.key);
  for (const each of told) slotOf(each.name);
}

export function slotOf(name) {
  if (!slots.has(name)) {
    const taken = new Set(slots.values());
    let slot = hashOf(keys.get(name) ?? name) % HUES.length;
    if (taken.size < HUES.length) while (taken.has(slot)) slot = (slot + 1) % HUES.length;
    slots.set(name, slot);
  }
  return slots.get(name);
}

export const shapeOf = (name) => hashOf(`${keys.get(name) ?? name}.`) % SHAPES.length;

const MOUTHS = {
  smile: "M23 42c4 6 14 6 18 0",
  think: "M26 45h12",
  sleep: "M27 46h10",
  grin: "M21 40h22c-1 9-6 12-11 12s-10-3-11-12z",
};

// `mood`: smile, think, sleep, oh, grin.
export function face(name, { isBot = false, mood = "smile" } = {}) {
  const hue = isBot ? BOT : HUES[slotOf(name)];
  const shape = isBot ? SHAPES[1] : SHAPES[shapeOf(name)];
  const line = { fill: "none", stroke: "#16241e", "stroke-width": 4, "stroke-linecap": "round" };
  const eyes =
    mood === "sleep"
      ? [s("path", { d: "M17 32c2 3 7 3 9 0", ...line }), s("path", { d: "M38 32c2 3 7 3 9 0", ...line })]
      : mood === "grin"
        ? [s("path", { d: "M17 31c2-5 7-5 9 0", ...line }), s("path", { d: "M38 31c2-5 7-5 9 0", ...line })]
        : [s("ellipse", { cx: 22, cy: 30, rx: 4, ry: 4.6, fill: "#16241e" }), s("ellipse", { cx: 42, cy: 30, rx: 4, ry: 4.6, fill: "#16241e" })];
  const mouth =
    mood === "oh"
      ? s("ellipse", { cx: 32, cy: 46, rx: 6, ry: 8, fill: "#16241e" })
      : s("path", { d: isBot && mood === "smile" ? "M24 46h16" : MOUTHS[mood] ?? MOUTHS.smile, ...line, fill: mood === "grin" ? "#16241e" : "none" });
  const brows = mood === "think" ? [s("path", { d: "M16 23l9-3", ...line, "stroke-width": 3 }), s("path", { d: "M39 20l9 3", ...line, "stroke-width": 3 })] : [];
  return s(
    "svg",
    { viewBox: "0 0 64 66", class: `face mood-${mood}`, "aria-hidden": "true" },
    isBot ? [s("path", { d: "M32 8V3", stroke: BOT, "stroke-width": 4 }), s("circle", { cx: 32, cy: 3, r: 3.500, fill: BOT })] : null,
    s("g", { fill: hue }, shape()),
    eyes,
    brows,
    mouth,
  );
}
