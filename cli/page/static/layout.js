// Where things lie: plain numbers from plain numbers, tried out by tests without a browser.

const STRIP = 44; // so much of a card can always be tapped
const PAD = 12;
const EDGE = 18; // the outer cards of a fan lean over
const LEAST_OF_FAN = 54;
const LEAST = 46; // narrower no card is drawn: then the rows scroll

const within = (low, value, high) => Math.max(low, Math.min(high, value));

// A hand of n cards in a window. Places are the cards' upper left corners; a fan turns each about its lower middle.
export function handLayout(n, width, height) {
  const isLow = height < 480;
  let cardW = Math.round(isLow ? within(54, height * 0.17, 72) : within(58, Math.min(width * 0.225, height * (width > 900 ? 0.126 : 0.118)), 120));
  let cardH = Math.round(cardW * 1.4);
  const room = width - 2 * (isLow ? PAD : EDGE);
  const lift = isLow ? 14 : 26;
  const inRow = Math.min(cardW, room - STRIP * (n - 1)); // a little narrower, they need no second row
  if (inRow >= LEAST_OF_FAN) [cardW, cardH] = [inRow, Math.round(inRow * 1.4)];
  if (n === 0) return { mode: "none", cardW, cardH, height: 0, width, places: [], lift };
  if (STRIP * (n - 1) + cardW <= room) {
    const step = n > 1 ? Math.min(cardW * 0.8, (room - cardW) / (n - 1)) : 0;
    const turn = isLow ? 0 : Math.min(2.6, 13 / n);
    const bend = (1.2 * turn) / 2.6;
    const first = (width - cardW - step * (n - 1)) / 2;
    const places = Array.from({ length: n }, (_, at) => {
      const k = at - (n - 1) / 2;
      return { x: first + at * step, y: lift + bend * k * k, turn: turn * k, row: 0 };
    });
    const deepest = Math.max(...places.map((each) => each.y));
    return { mode: isLow ? "row" : "fan", cardW, cardH, height: Math.round(deepest + cardH + (isLow ? 4 : 10)), width, places, lift, step };
  }
  const per = Math.ceil(n / 2);
  const pad = width < 480 ? 4 : PAD;
  const most = width - 2 * pad;
  cardW = Math.max(LEAST, Math.min(cardW, most - STRIP * (per - 1)));
  cardH = Math.round(cardW * 1.4);
  const step = Math.max(STRIP, Math.min(57, (most - cardW) / Math.max(1, per - 1)));
  const fits = step * (per - 1) + cardW <= most;
  const offset = Math.round(isLow ? cardH * 0.5 : within(54, cardH * 0.64, 78));
  const wide = fits ? width : pad * 2 + step * (per - 1) + cardW;
  const raise = Math.min(lift, 18);
  const places = Array.from({ length: n }, (_, at) => {
    const row = at < per ? 0 : 1;
    const inRow = row ? n - per : per;
    const first = fits ? (wide - cardW - step * (inRow - 1)) / 2 : pad;
    return { x: first + (row ? at - per : at) * step, y: raise + row * offset, turn: 0, row };
  });
  return { mode: fits ? "rows" : "scroll", cardW, cardH, height: raise + offset + cardH + 4, width: wide, places, lift: raise, step, offset };
}

// Neighbours of a picked card in a fan make room, so that it is seen whole.
export function spread(layout, picked) {
  if (layout.mode !== "fan" && layout.mode !== "row") return layout.places;
  const gap = Math.min(8, layout.step / 6);
  return layout.places.map((place, at) => {
    const left = picked[at - 1] && !picked[at] ? gap : 0;
    const right = picked[at + 1] && !picked[at] ? gap : 0;
    return { ...place, x: place.x + left - right };
  });
}

// How many cards of rows that scroll are out of sight on the left and on the right, where `width` from `from` on is seen.
export function beyond({ mode, places }, from, width) {
  if (mode !== "scroll") return [0, 0];
  const middles = places.map((each) => each.x + STRIP / 2 - from);
  return [middles.filter((each) => each < 0).length, middles.filter((each) => each > width).length];
}

// The card of a tap: the nearest visible strip of the row that was touched, whatever lies on top.
export function cardAt(layout, x, y) {
  const { places, cardW } = layout;
  if (!places.length) return -1;
  const rows = Math.max(...places.map((each) => each.row));
  const second = places.find((each) => each.row === 1);
  const row = rows && y >= second.y - 6 ? 1 : 0;
  let best = -1;
  let least = Infinity;
  places.forEach((place, at) => {
    if (place.row !== row) return;
    const isLast = !places[at + 1] || places[at + 1].row !== row;
    const strip = isLast ? cardW : places[at + 1].x - place.x;
    const off = Math.abs(x - (place.x + Math.min(strip, cardW) / 2)) - Math.min(strip, cardW) / 2;
    if (off < least) [best, least] = [at, off];
  });
  return y < -40 || y > layout.height + 20 || least > cardW / 2 ? -1 : best;
}

// Opponents along the arch, in the order of play from our left: middles of their faces, and the arch itself as an ellipse.
// `isSideways`: a phone is; then names stand beside the faces.
export function seatPlaces(n, width, height, { across = false, all = false, isSideways = false } = {}) {
  if (all) return aroundTable(n, width, height);
  const isWide = width >= 900 && height >= 300;
  const isLow = isSideways || width > 2.8 * height;
  const face = within(36, isWide ? 68 : isLow ? 40 : width < 360 ? 44 : 56, 68);
  const edge = face / 2 + 16;
  if (across && n === 3) {
    const isShallow = isLow || height < 330; // then what lies on the table lies between the two at the sides
    const beside = isLow ? within(56, width * 0.17, 88) : 0; // so wide are their names
    const side = isLow ? Math.min(within(64, height * 0.42, 110), height - face / 2 - 4) : Math.min(within(104, height * 0.34, 220), Math.max(face / 2, height - face / 2 - 36));
    const top = face / 2 + 4;
    return {
      face,
      places: [
        { x: isWide ? width * 0.14 : edge, y: side },
        { x: width / 2, y: top },
        { x: isWide ? width * 0.86 : width - edge, y: side },
      ],
      arch: { cx: width / 2, cy: top + Math.max(height, 300), rx: width * 0.56, ry: Math.max(height, 300) },
      depth: isWide ? face + 52 : isLow ? face + 16 : isShallow ? face + 50 : side + face / 2 + 48,
      sides: isWide ? 2 * (width * 0.14 + 60) : isLow ? 2 * (edge + face / 2 + 6 + beside) : isShallow ? 2 * edge + (width < 360 ? 64 : 80) : 0,
      beside,
      isShallow: isShallow && !isWide,
    };
  }
  if (isWide) {
    const top = face / 2 + 8;
    const rise = within(60, height * 0.3, 190);
    const places = Array.from({ length: n }, (_, at) => {
      const way = n === 1 ? 0 : (2 * at) / (n - 1) - 1;
      const angle = Math.PI * (0.5 - 0.43 * way);
      const aside = n > 5 ? way * 0.97 : Math.cos(angle); // many sit equally far from each other: else the last two would be on top of each other
      return { x: width / 2 + width * 0.43 * aside, y: top + rise * (1 - Math.sqrt(1 - aside * aside)) };
    });
    const isAbove = (each) => Math.abs(each.x - width / 2) < width * 0.27;
    const depth = Math.max(top, ...places.filter(isAbove).map((each) => each.y)) + face / 2 + 52;
    const beside = Math.max(face + 64, ...places.filter((each) => each.x < width / 2 && !isAbove(each)).map((each) => each.x)) + 46;
    return { face, places, arch: { cx: width / 2, cy: top + height, rx: width * 0.56, ry: height }, depth, sides: n > 1 ? 2 * beside : 0 };
  }
  const most = isLow ? n : width < 360 ? 5 : Math.floor((width - 8) / 72); // a second row would lie below the prompt
  const lower = n > most ? Math.max(1, Math.ceil((n - most) / 2)) : 0;
  const upper = n - 2 * lower;
  const size = isLow ? Math.min(face, width / n - 6) : lower || n > 5 ? Math.min(face, 44) : face;
  const line = size + (isLow || (lower && height < 330) ? 26 : lower ? 50 : 44);
  const row = (count) => Array.from({ length: Math.max(0, count) }, (_, at) => {
    const u = count === 1 ? 0 : (2 * at) / (count - 1) - 1;
    const share = width / Math.max(count, 1);
    const spare = isLow ? Math.max(size / 2 + 4, Math.min(36, share / 2)) : Math.max(edge, share * 0.38);
    return { x: width / 2 + u * (width / 2 - spare), y: size / 2 + 6 + (isLow ? 6 : lower ? 4 : 16) * u * u };
  });
  const second = (count, isRight) => Array.from({ length: count }, (_, at) => {
    const x = edge + (count - 1 - at) * Math.min(72, width / 2 / count);
    return { x: isRight ? width - x : edge + at * Math.min(72, width / 2 / count), y: size / 2 + 10 + line };
  });
  const left = second(lower, false).reverse();
  const right = lower ? second(n - lower - upper, true) : [];
  // Where there is no room below, what lies on the table lies between the two of the second row.
  const isBetween = lower === 1 && height - 2 * line < 150;
  const places = lower ? [...left.reverse(), ...row(upper), ...right] : row(n);
  return {
    face: size,
    places,
    arch: { cx: width / 2, cy: height * 1.2 + 20, rx: width * 0.85, ry: height * 1.2 },
    depth: isBetween ? line + 10 : line + (lower ? line : 0) + (isLow ? 6 : 22),
    sides: isBetween ? 2 * 76 : 0,
    isFull: isBetween,
  };
}

// How far each is apart from the nearest who sits beside them: so wide may be what stands under their face.
export function apart(places, line) {
  return places.map((one) => Math.min(Infinity, ...places.filter((other) => other !== one && Math.abs(other.y - one.y) < line).map((other) => Math.abs(other.x - one.x))));
}

// Everybody around the table, as who looks on from the room sees it. The first seat sits at the lower left.
function aroundTable(n, width, height) {
  const face = within(36, Math.min(height * (n > 6 ? 0.11 : 0.13), (width * 0.9) / Math.max(5, n)), 120);
  const room = height - face; // what happened is told below
  const cx = width / 2;
  const cy = room * 0.43;
  const rx = Math.min(width * 0.4, height * 0.95);
  const ry = room * 0.36;
  const places = Array.from({ length: n }, (_, at) => {
    const angle = Math.PI / 2 + Math.PI * 2 * ((at + 0.5) / n);
    return { x: cx + rx * Math.cos(angle), y: cy + ry * Math.sin(angle) };
  });
  // What lies on the table lies below whoever sits at its head, and what stands under their faces.
  const heads = places.filter((each) => each.y < cy && Math.abs(each.x - cx) < rx * 0.35).map((each) => each.y);
  const depth = heads.length ? Math.max(...heads) + face / 2 + height * 0.13 : 0;
  return { face, places, arch: { cx, cy, rx, ry }, depth, sides: 0 };
}
