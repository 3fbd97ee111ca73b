// A screen in the room: moved a little each minute, dimmed after ten in which nothing happened.

import assert from "node:assert/strict";
import test from "node:test";

const classes = new Set();
globalThis.document = { documentElement: { classList: { add: (name) => classes.add(name), remove: (name) => classes.delete(name) } } };
const { Rest } = await import("../../cli/page/static/rest.js");

const MINUTE = 60000;
const view = (event, clock) => ({ kind: "table", last_event: event, frame: { title: "Tichu", right: [clock] } });

test("what stands still is moved, and dimmed until something happens", (context) => {
  context.mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
  const root = { style: {} };
  const rest = new Rest(root);
  rest.show(view("Mia passed.", "0:30"));
  const places = new Set();
  for (let minute = 1; minute < 10; minute++) {
    context.mock.timers.tick(MINUTE);
    places.add(root.style.translate);
    rest.show(view("Mia passed.", `0:${minute}`));
    assert.ok(!classes.has("resting"));
  }
  assert.ok(places.size >= 8);
  context.mock.timers.tick(MINUTE);
  assert.ok(classes.has("resting"), "clocks that go on are nothing that happens");
  rest.show(view("Lena played K.", "0:00"));
  assert.ok(!classes.has("resting"));
});
