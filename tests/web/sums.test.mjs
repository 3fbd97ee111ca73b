// Sums of multiples as the page's worker computes them, against the vectors of RFC 9496 and against each other.

import assert from "node:assert/strict";
import fs from "node:fs";
import test from "node:test";

import { Sums } from "../../cli/page/static/sums.js";

const vectors = JSON.parse(fs.readFileSync(new URL("../vectors/ristretto255.json", import.meta.url)));
const bytes = (hex) => Uint8Array.from(hex.match(/../g), (each) => parseInt(each, 16));
const hex = (data) => (data === undefined ? null : Buffer.from(data).toString("hex"));
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const G = bytes(vectors.generator_multiples.encodings[1]);
const sums = new Sums();

const scalar = (value) => Uint8Array.from({ length: 32 }, (_, at) => Number((value >> BigInt(8 * at)) & 255n));
const joined = (rows) => Uint8Array.from(rows.flatMap((each) => [...each]));
const sum = (scalars, points) => hex(sums.sum(joined(scalars.map(scalar)), joined(points)));
const times = (value) => sum([((value % ORDER) + ORDER) % ORDER], [G]);

// Numbers that look like any, the same in each run.
let state = 1n;
const next = () => (state = (state * 6364136223846793005n + 1442695040888963407n) % 2n ** 256n) % ORDER;

test("multiples of the generator", () => {
  vectors.generator_multiples.encodings.forEach((expected, k) => assert.equal(times(BigInt(k)), expected));
});

test("bytes that are no element", () => {
  const invalid = Object.values(vectors.invalid_encodings).flat().filter((each) => /^[0-9a-f]{64}$/.test(each));
  assert.ok(invalid.length > 20);
  for (const each of invalid) assert.equal(sum([1n, 1n], [G, bytes(each)]), null, each);
});

test("the identity is an element", () => assert.equal(sum([5n, 1n], [new Uint8Array(32), G]), hex(G)));

for (const n of [0, 1, 2, 7, 8, 31, 32, 99, 100, 299, 300, 899, 900, 3000]) {
  test(`a sum of ${n} terms is what the logarithms say`, () => {
    const logs = Array.from({ length: Math.min(n, 40) }, next);
    const known = logs.map((each) => bytes(times(each)));
    const scalars = Array.from({ length: n }, (_, at) => [0n, 1n, ORDER - 1n][at % 50] ?? next());
    const points = scalars.map((_, at) => known[at % known.length]);
    const total = scalars.reduce((so, each, at) => so + each * logs[at % known.length], 0n);
    assert.equal(sum(scalars, points), times(total));
    if (n) assert.equal(sum([...scalars, ORDER - (total % ORDER)], [...points, G]), "00".repeat(32));
  });
}
