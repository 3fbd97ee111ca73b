// Where cards and seats lie: numbers in, numbers out.

import assert from "node:assert/strict";
import test from "node:test";

import { apart, beyond, cardAt, handLayout, seatPlaces, spread } from "../../cli/page/static/layout.js";

const WINDOWS = [[320, 568], [390, 664], [390, 844], [688, 390], [844, 390], [768, 1024], [1000, 800], [1580, 1080]];

for (const [width, height] of WINDOWS) {
  for (let n = 1; n <= 40; n++) {
    test(`${n} cards in ${width}x${height}`, () => {
      const layout = handLayout(n, width, height);
      assert.equal(layout.places.length, n);
      assert.ok(layout.height < height * 0.45, "the hand leaves room for the table");
      layout.places.forEach((place, at) => {
        const next = layout.places[at + 1];
        if (next && next.row === place.row) assert.ok(next.x - place.x >= 43.999, "a strip of 44 pixels stays in sight");
        assert.ok(place.x >= -1 && place.x + layout.cardW <= layout.width + 1, "inside the hand");
        if (layout.mode !== "scroll") assert.ok(layout.width <= width);
      });
    });

    test(`a tap in the middle of each strip finds its card: ${n} in ${width}x${height}`, () => {
      const layout = handLayout(n, width, height);
      layout.places.forEach((place, at) => {
        const next = layout.places[at + 1];
        const strip = next && next.row === place.row ? next.x - place.x : layout.cardW;
        const isBelow = layout.places.some((each) => each.row > place.row);
        const y = isBelow ? place.y + 20 : place.y + layout.cardH / 2;
        assert.equal(cardAt(layout, place.x + strip / 2, y), at);
      });
    });
  }
}

test("cards that are a little narrower lie in one row", () => {
  assert.equal(handLayout(6, 320, 568).mode, "fan");
  assert.equal(handLayout(8, 390, 844).mode, "rows");
});

test("how many cards are out of sight", () => {
  const layout = handLayout(20, 320, 568);
  assert.equal(layout.mode, "scroll");
  assert.deepEqual(beyond(layout, 0, 320), [0, 6]);
  assert.deepEqual(beyond(layout, layout.width - 320, 320), [6, 0]);
  assert.deepEqual(beyond(handLayout(7, 390, 844), 0, 390), [0, 0]);
});

test("a picked card is not covered by its neighbour any more than before", () => {
  const layout = handLayout(7, 390, 844);
  const moved = spread(layout, [false, false, false, true, false, false, false]);
  assert.ok(moved[2].x < layout.places[2].x && moved[4].x > layout.places[4].x);
  assert.deepEqual(moved[3], layout.places[3]);
});

test("no card is far from where nothing lies", () => {
  const layout = handLayout(3, 1280, 800);
  assert.equal(cardAt(layout, 10, 40), -1);
  assert.equal(cardAt(handLayout(0, 390, 844), 100, 10), -1);
});

for (const [width, height] of [[320, 230], [390, 420], [688, 190], [1000, 420], [1580, 700]]) {
  for (let n = 1; n <= 9; n++) {
    test(`${n} opponents in ${width}x${height}`, () => {
      const { face, places, depth, sides } = seatPlaces(n, width, height);
      assert.equal(places.length, n);
      for (const each of places) {
        assert.ok(each.x >= face / 2 && each.x <= width - face / 2 && each.y >= 0, JSON.stringify(each));
      }
      for (const one of places) {
        for (const other of places) {
          if (one !== other) assert.ok(Math.hypot(one.x - other.x, one.y - other.y) > face * 0.95, "faces do not cover each other");
        }
      }
      assert.ok(places[0].x <= places[n - 1].x, "from the left to the right");
      if (width < 900) return;
      const isFree = (each) => each.y + face / 2 + 50 <= depth || Math.abs(each.x - width / 2) - 40 >= (width - sides) / 2;
      if (n > 3) assert.ok(places.every(isFree), "what happened is told beside the names");
      for (const [at, one] of places.entries()) {
        const isClear = (other) => Math.abs(one.x - other.x) >= face || Math.abs(one.y - other.y) >= face + 50;
        assert.ok(places.slice(at + 1).every(isClear), "nobody sits on another's name");
      }
    });
  }

  test(`partners sit across in ${width}x${height}`, () => {
    const { places } = seatPlaces(3, width, height, { across: true });
    assert.ok(places[0].x < places[1].x && places[1].x < places[2].x && places[1].y < places[0].y);
  });
}

for (let n = 2; n <= 10; n++) {
  test(`${n} around the table on a large screen`, () => {
    const { face, places } = seatPlaces(n, 1920, 830, { all: true });
    for (const one of places) {
      assert.ok(one.x > 150 && one.x < 1770 && one.y >= face / 2 - 30 && one.y + face / 2 < 800);
      for (const other of places) if (one !== other) assert.ok(Math.hypot(one.x - other.x, one.y - other.y) > face);
    }
  });
}

test("in a small window something of the table is seen between the seats, however many they are", () => {
  for (let n = 1; n <= 7; n++) {
    for (const height of [200, 230, 420]) {
      const { depth, sides, face } = seatPlaces(n, 320, height);
      assert.ok(height - depth >= 60 && 320 - sides >= 160, `${n} in ${height}: ${depth}, ${sides}, ${face}`);
    }
  }
});

test("how far each is apart from the nearest in their row", () => {
  assert.deepEqual(apart([{ x: 10, y: 0 }, { x: 50, y: 4 }, { x: 120, y: 4 }, { x: 30, y: 90 }], 40), [40, 40, 70, Infinity]);
});
