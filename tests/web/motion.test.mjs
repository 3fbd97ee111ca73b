// Which cards fly where.

import assert from "node:assert/strict";
import test from "node:test";

import { arrivals, delays } from "../../cli/page/static/motion.js";

const view = (counts, hand, me = 0) => ({ me, hand: hand.map((id) => ({ id })), seats: counts.map((bars) => ({ bars })) });

test("nothing flies where nothing is known of before, or others sit there", () => {
  assert.deepEqual(arrivals(null, view([3, 3], [1, 2, 3])).cards, []);
  assert.deepEqual(arrivals(view([3], []), view([3, 3], [])).cards, []);
});

test("cards that were played fly nowhere from here", () => assert.deepEqual(arrivals(view([3, 3], [1, 2, 3]), view([2, 2], [1, 2])).cards, []));

test("one who draws gets backs, we get the very cards", () => {
  const drawn = arrivals(view([2, 3], [1, 2]), view([2, 5], [1, 2]));
  assert.deepEqual(drawn, { isDeal: false, cards: [{ seat: 1, id: null }, { seat: 1, id: null }] });
  assert.deepEqual(arrivals(view([2, 3], [1, 2]), view([3, 3], [1, 7, 2])).cards, [{ seat: 0, id: 7 }]);
});

test("a deal goes around, and is over soon however many play", () => {
  const dealt = arrivals(view([0, 0, 0], []), view([2, 2, 2], [4, 5]));
  assert.ok(dealt.isDeal);
  assert.deepEqual(dealt.cards.map((each) => each.seat), [0, 1, 2, 0, 1, 2]);
  for (const count of [1, 6, 40, 200]) assert.ok(Math.max(...delays(count, true)) <= 1200);
});

test("who looks on sees backs alone", () => assert.ok(arrivals(view([0, 0], [], null), view([5, 5], [], null)).cards.every((each) => each.id === null)));
