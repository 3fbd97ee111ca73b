// Who is shown with which face.

import assert from "node:assert/strict";
import test from "node:test";

import { calledAs, isBot, meet, peopleIn, shapeOf, slotOf } from "../../cli/page/static/faces.js";

const KEYS = ["a1", "b2", "c3", "d4"];
const looks = (names) => names.map((name) => [slotOf(name), shapeOf(name)]);
const table = (names) => names.map((name, at) => ({ name, key: KEYS[at], is_bot: false }));

test("a face comes from the key: on another screen, under another name, it is the same", () => {
  meet(table(["Mia", "Jonas", "Lena", "Sam"]));
  const there = looks(["Mia", "Jonas", "Lena", "Sam"]);
  meet(table(["You", "Jonas", "Lena 2", "Sam"]));
  assert.deepEqual(looks(["You", "Jonas", "Lena 2", "Sam"]), there);
});

test("no two at a table share a hue", () => {
  const names = Array.from({ length: 10 }, (_, at) => `Player ${at}`);
  meet(names.map((name, at) => ({ name, key: `k${at}`, is_bot: false })));
  assert.equal(new Set(names.map(slotOf)).size, 10);
});

test("another key is another player, though the name is the same", () => {
  meet([{ name: "Mia", key: "one", is_bot: false }]);
  const before = looks(["Mia"]);
  const others = ["two", "three", "four", "five"].map((key) => (meet([{ name: "Mia", key, is_bot: false }]), looks(["Mia"])));
  assert.ok(others.some((each) => JSON.stringify(each) !== JSON.stringify(before)));
});

test("a line about oneself has one's own face, a team those of both", () => {
  const seats = ["Mia", "Jonas", "Hanako", "Jon"].map((name, at) => ({ name, key: KEYS[at], is_bot: false, is_me: name === "Mia" }));
  meet(seats);
  assert.deepEqual(peopleIn("Mia (you)"), ["Mia"]);
  assert.deepEqual(peopleIn("You"), ["Mia"]);
  assert.deepEqual(peopleIn("Jonas"), ["Jonas"]);
  assert.deepEqual(peopleIn("You and Hanako"), ["Mia", "Hanako"]);
  assert.deepEqual(peopleIn("Jonas and Hanako"), ["Jonas", "Hanako"]);
  assert.equal(calledAs("Du"), "Mia");
  assert.equal(calledAs("Hanako"), "Hanako");
});

test("whoever is called like a bot is none", () => {
  meet([{ name: "Bot Dylan", key: "a1", is_bot: false }, { name: "Ada", key: "b2", is_bot: true }]);
  assert.deepEqual(["Bot Dylan", "Ada", "Bot Emmy"].map(isBot), [false, true, true]);
});
