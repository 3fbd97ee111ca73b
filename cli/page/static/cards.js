// Cards, suits and signs as outlines of our own: no font is needed to know them apart.

import { h, s } from "./dom.js";

export const SUITS = {
  "♠": "M12 2S3 9.500 3 15a4.600 4.600 0 0 0 7.800 3.300C10.600 20 10 21.500 8.500 22h7c-1.500-.5-2.100-2-2.300-3.700A4.600 4.600 0 0 0 21 15C21 9.500 12 2 12 2z",
  "♥": "M12 21.500C5 15.500 2 12 2 8a5 5 0 0 1 10-1.500A5 5 0 0 1 22 8c0 4-3 7.500-10 13.500z",
  "♦": "M12 1.500C14.500 6 17.500 9.500 21 12c-3.500 2.500-6.500 6-9 10.500C9.500 18 6.500 14.500 3 12c3.500-2.500 6.500-6 9-10.500z",
  "♣": "M12 2a4.600 4.600 0 0 1 4.100 6.700 4.600 4.600 0 1 1-2.500 7.900c.1 2.400.8 4.600 2.400 5.400H8c1.600-.8 2.300-3 2.400-5.400A4.600 4.600 0 1 1 7.900 8.700 4.600 4.600 0 0 1 12 2z",
  "†": "M12 1l2 3.500V15h4.500v2.600H14V20a2 2 0 1 1-4 0v-2.400H5.500V15H10V4.500z",
  "★": "M12 1.500l3.100 6.900 7.400.8-5.500 5 1.600 7.300L12 17.700 5.400 21.500 7 14.200l-5.500-5 7.400-.8z",
  "⌂": "M12 1l2 3.500c2 1.500 4 2.300 6.500 2.500-.5 1.800-1.500 2.800-3 3.200V12c1.800 1 3.200 1.500 5 1.700-.5 2-1.800 3-3.500 3.300v5h-4.500v-4h-5v4H5v-5c-1.700-.3-3-1.300-3.500-3.300 1.800-.2 3.200-.7 5-1.700v-1.800C5 9.800 4 8.800 3.500 7 6 6.800 8 6 10 4.500z",
  "◆": "M12 1l10.500 11L12 23 1.500 12zM12 7.200L7.400 12l4.600 4.800 4.600-4.800z",
};
const PICTURES = {
  J: ["M3 17.500c5-2.200 13-2.200 18 0l1.200 3.200c-6-2.200-14.400-2.200-20.400 0z", "M6 15.800C6 9.500 8.500 5.500 13 4.500c3 .6 4.500 4 5 11.300-4-1.100-8-1.100-12 0z", "M14.500 6c1.500-3 4.500-4.700 7.500-4.800-.8 3-2.800 5.300-6 6.300z"],
  Q: ["M4.500 18.800h15v2.700h-15z", "M3 8.500l4.600 4L12 6l4.400 6.500 4.600-4-2 8.800H5z", "M12 1.800a1.700 1.700 0 1 1 0 3.400 1.700 1.700 0 0 1 0-3.400zM2.600 4.600a1.500 1.500 0 1 1 0 3 1.500 1.500 0 0 1 0-3zM21.400 4.600a1.500 1.500 0 1 1 0 3 1.500 1.500 0 0 1 0-3z"],
  K: ["M3.500 18.500h17v3.200h-17z", "M2 6.500l5 3.700V5l3.300 3L12 3l1.700 5L17 5v5.200l5-3.700-2.300 10.300H4.300z", "M11.200.6h1.600v1.300h1.300v1.400h-1.300v1h-1.600v-1H9.900V1.900h1.300z"],
  Jk: ["M12 14.500C10.500 8.500 6.500 5.500 2.500 6.500c1.600 3 2.400 7 3 12h13c.6-5 1.400-9 3-12-4-1-8 2-9.500 8z", "M12 12.500c-1.200-4-1.200-6.500 0-9.500 1.200 3 1.200 5.500 0 9.500z", "M5.500 19.800h13v2.600h-13zM2 3.600a1.600 1.600 0 1 1 0 3.200 1.600 1.600 0 0 1 0-3.200zM22 3.600a1.600 1.600 0 1 1 0 3.200 1.600 1.600 0 0 1 0-3.200zM12 .4a1.600 1.600 0 1 1 0 3.200 1.600 1.600 0 0 1 0-3.200z"],
  "龍": ["M21.500 3.500l-3 .3C15.800 1.200 9.500 1.600 9.500 6.300c0 5.200 8.200 4 8.200 8.600 0 3.300-5 4.600-9.700 2.200l1.200-2.300c-2.700-.2-5 .8-6.700 2.700 2.300.2 3.300 1 3.700 2.500C12.500 24.300 21 21.500 21 14.900c0-6.600-8-5.400-8-8.600 0-2 3.200-2.200 4.800-.6l1.500 1.500 1-1.500 2.200-.2z", "M9.500 3.500L6.300 1.800l.6 3.300-3.200.4 2.900 2z", "M18 9.500l4-.5-2 3.200zM7.500 10.800l-4 .2 2.700 2.800z"],
  "鳳": ["M12 22.500c.2-5.500-.8-8.600-3-10.700C6 9.300 3 8.300 1 4c5 .8 8.300 2 10.200 5-.2-3 0-5 .8-7.300.8 2.300 1 4.300.8 7.300C14.700 6 18 4.800 23 4c-2 4.300-5 5.300-8 7.800-2.200 2.100-3.200 5.200-3 10.700z", "M8.300 15.500c-1.600 2-2.600 3.800-5 5 3.200.3 5.300-.8 6.700-2.800zM15.700 15.500c1.600 2 2.600 3.800 5 5-3.200.3-5.300-.8-6.700-2.800z"],
  "犬": ["M2.500 8.600L7 7l1-4.500 3 3.200c2 1 3 2.800 3.200 4.800h5c1.500 0 2.300-1.200 2.300-3.500l1.800.8c.2 3-.5 4.900-1.800 6.200v8h-3v-5h-6l-1 5h-3v-8.300C7.300 13 6.300 12.300 5.800 11.300L4 11.500C2.800 11.500 2.100 10 2.500 8.600z"],
  "雀": ["M1.500 9.500L6 8c1-3.200 4.200-4.300 6.500-3.200 3 1.200 4.200 4 5.300 6.200l5.200 3-5.700.9c-1.200 3-4 4.900-7.600 4.900L8.500 23H6.300l.9-3.700C4.800 17.600 3.900 14.600 4.600 11z", "M9.800 11.500c2.300.8 4.200.6 6-.8-.5 3.200-2.600 5-6 4.800z"],
};
const SPARK = ["M12 1c1 7 4 10 11 11-7 1-10 4-11 11-1-7-4-10-11-11 7-1 10-4 11-11z"];
const CHIP = /(?<![A-Za-z0-9])(10|[2-9AJQK])?([♠♥♦♣†★⌂◆])/gu;

export function suit(glyph, ink) {
  return s("svg", { viewBox: "0 0 24 24", class: `suit ink-${ink}`, "aria-hidden": "true" }, s("path", { d: SUITS[glyph] ?? SPARK[0], "fill-rule": "evenodd" }));
}

const shape = (paths, x, y, size, props = {}) =>
  s("g", { transform: `translate(${x} ${y}) scale(${size / 24})`, ...props }, paths.map((d) => s("path", { d, "fill-rule": "evenodd" })));

// A card's face. `face`: rank, suit (a glyph or a pictogram), ink.
export function card(face, props = {}) {
  const { class: more = "", ...rest } = props;
  const isSpecial = !SUITS[face.suit];
  const picture = isSpecial ? PICTURES[face.suit] ?? PICTURES[face.rank] ?? SPARK : PICTURES[face.rank];
  const long = face.rank.length;
  return s(
    "svg",
    { viewBox: "0 0 100 140", class: `card ink-${face.ink} ${more}`, "aria-hidden": "true", ...rest },
    s("rect", { class: "paper", x: 1, y: 1, width: 98, height: 138, rx: 11 }),
    s("text", { class: "rank", x: long > 1 ? 6 : 8, y: 37, "font-size": long > 2 ? 24 : long > 1 ? (isSpecial ? 32 : 36) : 40, textLength: long > 2 ? 44 : null, "letter-spacing": long > 1 ? -2 : 0 }, face.rank),
    isSpecial ? null : shape([SUITS[face.suit]], 8, 44, 26),
    picture
      ? [s("circle", { class: "medal", cx: 64, cy: 100, r: 31 }), shape(picture, 44, isSpecial ? 80 : 76, 40), isSpecial ? null : shape([SUITS[face.suit]], 57, 117, 13)]
      : shape([SUITS[face.suit]], 46, 82, 46),
    s("rect", { class: "edge", x: 1, y: 1, width: 98, height: 138, rx: 11 }),
  );
}

export function back(props = {}) {
  const { class: more = "", ...rest } = props;
  const dots = [];
  for (let y = 0; y < 9; y++) for (let x = 0; x < 6; x++) dots.push(s("circle", { cx: 16 + x * 13.6 + (y % 2 ? 6.8 : 0), cy: 17 + y * 13.2, r: 1.9 }));
  return s(
    "svg",
    { viewBox: "0 0 100 140", class: `card back ${more}`, "aria-hidden": "true", ...rest },
    s("rect", { class: "rim", x: 1, y: 1, width: 98, height: 138, rx: 11 }),
    s("rect", { class: "cloth", x: 8, y: 8, width: 84, height: 124, rx: 6 }),
    s("g", { class: "dots" }, dots.filter((each) => Number(each.getAttribute("cx")) < 90)),
  );
}

// A sentence with its cards as chips. Suits get their ink from `inks`: glyph to ink.
export function sentence(text, inks = INKS) {
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(CHIP)) {
    if (found.index > from) parts.push(text.slice(from, found.index));
    const [whole, rank, glyph] = found;
    parts.push(h("span", { class: `chip ink-${inks[glyph]}`, role: "img", "aria-label": whole }, rank ? h("b", { "aria-hidden": "true" }, rank) : null, suit(glyph, inks[glyph])));
    from = found.index + whole.length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return h("bdi", { class: "said" }, parts);
}

const INKS = { "♠": "s", "♥": "h", "♦": "d", "♣": "c", "†": "s", "★": "h", "⌂": "d", "◆": "c" };

const ICONS = {
  menu: "M3 5h18v2.400H3zM3 10.800h18v2.400H3zM3 16.600h18V19H3z",
  back: "M15.500 3.500l2 2L11 12l6.500 6.500-2 2L7 12z",
  check: "M9.500 18.500L3.500 12.500l2-2 4 4 9-9 2 2z",
  smile: "M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20zm0 2.200a7.800 7.800 0 1 0 0 15.600 7.800 7.800 0 0 0 0-15.600zM8.800 8.500a1.400 1.400 0 1 1 0 2.800 1.400 1.400 0 0 1 0-2.800zm6.400 0a1.400 1.400 0 1 1 0 2.800 1.400 1.400 0 0 1 0-2.800zM7.300 13.500h9.400c-.5 2.700-2.400 4.200-4.700 4.200s-4.200-1.500-4.700-4.200z",
  bulb: "M12 2a7 7 0 0 1 4 12.700V17H8v-2.300A7 7 0 0 1 12 2zm0 2.200a4.800 4.800 0 0 0-1.800 9.200V15h3.600v-1.600A4.800 4.800 0 0 0 12 4.200zM8.500 18.500h7V20h-7zM10 21h4v1.500h-4z",
  clock: "M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20zm0 2.200a7.800 7.800 0 1 0 0 15.600 7.800 7.800 0 0 0 0-15.600zM11 7h2v4.600l3.200 1.900-1 1.700L11 12.700z",
  cards: "M4 5.500L14 3l4 14.500L8 20zM16 3.500h4.500v14H19",
  plus: "M10.800 4h2.400v6.800H20v2.400h-6.800V20h-2.400v-6.800H4v-2.400h6.800z",
  minus: "M4 10.800h16v2.400H4z",
  cross: "M5.500 3.800L12 10.300l6.500-6.500 1.700 1.700L13.700 12l6.500 6.500-1.700 1.700-6.500-6.500-6.500 6.500-1.700-1.700 6.500-6.500-6.500-6.500z",
  chevron: "M8.500 3.500L17 12l-8.500 8.500-2-2L13 12 6.500 5.500z",
};

export const icon = (name, props = {}) => s("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true", ...props }, s("path", { d: ICONS[name], "fill-rule": "evenodd" }));
