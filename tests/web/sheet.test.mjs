// What the score sheet tells below the points.

import assert from "node:assert/strict";
import { test } from "node:test";

import { partsOf } from "../../cli/page/static/lists.js";

const blank = [["", "text"]];

test("an empty line parts what is told, and several part no more", () => {
  const [mia, jonas, checked] = [[["Mia", "strong"]], [["Jonas", "strong"]], [["checked", "ok"]]];
  assert.deepEqual(partsOf([mia, jonas, blank, blank, checked, blank]), [[mia, jonas], [checked]]);
});

test("nothing that is told makes no part", () => {
  assert.deepEqual(partsOf([]), []);
  assert.deepEqual(partsOf([blank, blank]), []);
});
