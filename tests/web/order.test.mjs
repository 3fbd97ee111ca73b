// In which order somebody holds their cards.

import assert from "node:assert/strict";
import test from "node:test";

import { isSorted, moved, ordered } from "../../cli/page/static/order.js";

test("the own order stays, what is gone is gone", () => assert.deepEqual(ordered([1, 2, 3, 4], [4, 9, 2, 1, 3]), [4, 2, 1, 3]));

test("a new card stands behind the one that it was dealt behind", () => {
  assert.deepEqual(ordered([1, 2, 7, 3], [3, 2, 1]), [3, 2, 7, 1]);
  assert.deepEqual(ordered([7, 1, 2], [2, 1]), [7, 2, 1]);
  assert.deepEqual(ordered([1, 7, 8], [1]), [1, 7, 8]);
});

test("without an own order it is the program's", () => assert.deepEqual(ordered([3, 1, 2], []), [3, 1, 2]));

test("a card is moved to a place", () => {
  assert.deepEqual(moved([1, 2, 3, 4], 1, 2), [2, 3, 1, 4]);
  assert.deepEqual(moved([1, 2, 3, 4], 4, 0), [4, 1, 2, 3]);
});

test("only another order of the same cards is a sorting", () => {
  assert.ok(!isSorted([1, 2, 3], [1, 3]));
  assert.ok(!isSorted([1, 2], [1, 7, 2]));
  assert.ok(isSorted([1, 2, 3], [3, 1, 2]));
});
