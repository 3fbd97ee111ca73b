// How sentences about cards break.

import assert from "node:assert/strict";
import test from "node:test";

import { unbroken } from "../../cli/page/static/cards.js";

const visible = (text) => unbroken(text).replaceAll("\u2060", "|");

test("what reaches from one rank to another stays together", () => {
  assert.equal(visible("Straight 3-7 beats 10-A"), "Straight 3|-|7 beats 10|-|A");
});

test("words and points are left as they are", () => {
  for (const each of ["Two-Four-Jack", "if not, -100", "A - B"]) assert.equal(unbroken(each), each);
});
