// Sums of multiples in ristretto255 (RFC 9496), for public values only: nothing here runs in constant time.
//
// What protocol/dealing/sums.c is on a computer, with the same method and the same sources: Pippenger's, on extended coordinates.
// The arithmetic is WebAssembly that is put together here, straight-line code from a few loops; the rest calls it. Python tests it
// against libsodium before it relies on it, and asks libsodium before it relies on a "no" (protocol/dealing/sums.py).
//
// A field element has ten limbs of 26 and 25 bits in turn, four bytes each. A product's are carried: none is negative, none much
// above its bits. Sums and differences are not carried: two factors may be 4 times a product each, no more.

const LIMBS = 10;
const FE = 4 * LIMBS;
const POINT = 4 * FE; // x, y, z, t with x = X/Z, y = Y/Z, T = X Y / Z
const TERM = 5 * FE; // y - x, y + x, y - x, 2 d x y, -2 d x y for Z = 1: with a start one further it is the negative point
const PAGE = 65536;
const BITS = 253;
const P = 2n ** 255n - 19n;

// --- a little assembler ---

const I32 = 0x7f;
const I64 = 0x7e;
const END = 0x0b;

function leb(value) {
  const out = [];
  for (let rest = BigInt(value); ; ) {
    const low = Number(rest & 127n);
    rest >>= 7n;
    if (rest === 0n ? !(low & 64) : rest === -1n && low & 64) return [...out, low];
    out.push(low | 128);
  }
}

function unsigned(value) {
  const out = [];
  for (let rest = value; ; ) {
    const low = rest & 127;
    rest >>>= 7;
    if (!rest) return [...out, low];
    out.push(low | 128);
  }
}

const get = (local) => [0x20, ...unsigned(local)];
const set = (local) => [0x21, ...unsigned(local)];
const int = (value) => [0x41, ...leb(value)];
const long = (value) => [0x42, ...leb(value)];
const plus = 0x7c;
const times = 0x7e;
const load = (address, limb) => [...get(address), 0x34, 2, ...unsigned(4 * limb)];
const store = (address, limb, value) => [...get(address), ...value, 0x3e, 2, ...unsigned(4 * limb)];
const vector = (items) => [...unsigned(items.length), ...items.flat()];
const section = (id, content) => [id, ...unsigned(content.length), ...content];

const each = (count, part) => Array.from({ length: count }, (_, at) => part(at)).flat();
const width = (limb) => 26 - (limb % 2);

// The product of two rows of locals into a third, carried. `right` has room for the multiples of the second row that are needed.
function product(left, row, right, out, isSquare) {
  const scale = (local, by) => [...get(local), ...long(by), times];
  const code = [];
  const multiples = new Map();
  const multiple = (j, by) => {
    if (by === 1) return row + j;
    const key = 64 * j + by;
    if (!multiples.has(key)) {
      multiples.set(key, right + multiples.size);
      code.push(...scale(row + j, by), ...set(right + multiples.size - 1));
    }
    return multiples.get(key);
  };
  const columns = Array.from({ length: LIMBS }, () => []);
  for (let i = 0; i < LIMBS; i++) {
    for (let j = isSquare ? i : 0; j < LIMBS; j++) {
      const by = (i % 2 && j % 2 ? 2 : 1) * (i + j >= LIMBS ? 19 : 1) * (isSquare && i !== j ? 2 : 1);
      columns[(i + j) % LIMBS].push([left + i, multiple(j, by)]);
    }
  }
  columns.forEach((terms, k) => {
    terms.forEach(([a, b], at) => code.push(...get(a), ...get(b), times, ...(at ? [plus] : [])));
    code.push(...set(out + k));
  });
  // Two chains of carries side by side, and once around.
  for (const k of [0, 5, 1, 6, 2, 7, 3, 8, 4, 9, 5, 0]) {
    const next = (k + 1) % LIMBS;
    code.push(...get(out + k), ...long(width(k)), 0x87, ...(next ? [] : [...long(19), times]), ...get(out + next), plus, ...set(out + next));
    code.push(...get(out + k), ...long(2 ** width(k) - 1), 0x83, ...set(out + k));
  }
  return code;
}

// Each function has three parameters: addresses, or a number.
function assembled() {
  const rows = (count) => [1, ...unsigned(count), I64];
  const scratch = 3;
  const row = (at) => scratch + LIMBS * at;
  const read = (address, to) => each(LIMBS, (k) => [...load(address, k), ...set(to + k)]);
  const write = (address, from) => each(LIMBS, (k) => store(address, k, get(from + k)));
  const apart = (operation) => [...[0], ...each(LIMBS, (k) => store(0, k, [...load(1, k), ...load(2, k), operation])), END];
  const multiply = [...rows(70), ...read(1, row(0)), ...read(2, row(1)), ...product(row(0), row(1), row(3), row(2), false), ...write(0, row(2)), END];
  const squares = [
    ...[...rows(70), ...read(1, row(0)), 0x03, 0x40],
    ...product(row(0), row(0), row(3), row(2), true),
    ...each(LIMBS, (k) => [...get(row(2) + k), ...set(row(0) + k)]),
    ...[...get(2), ...int(-1), 0x6a, 0x22, 2, 0x0d, 0, END],
    ...[...write(0, row(0)), END],
  ];
  const names = { multiply: 0, add: 1, subtract: 2, squares: 3, addTerm: 4, addPoints: 5, twice: 6 };
  // Addresses within these: [parameter, offset], or a place of their own.
  const place = (where) => (typeof where === "number" ? int(where) : [...get(where[0]), ...int(where[1] * FE), 0x6a]);
  const call = (name) => (...where) => [...where.flatMap(place), 0x10, names[name]];
  const square = (out, a) => [...place(out), ...place(a), ...int(1), 0x10, names.squares];
  const [mul, add, sub] = ["multiply", "add", "subtract"].map(call);
  const [A, B, C, D, E, F, G, H] = [...Array(8).keys()].map((at) => at * FE);
  const out = (p) => [...mul([p, 0], E, F), ...mul([p, 1], G, H), ...mul([p, 2], F, G), ...mul([p, 3], E, H), END];
  const ends = [...sub(E, B, A), ...sub(F, D, C), ...add(G, D, C), ...add(H, B, A)];
  const addTerm = [0, ...sub(A, [0, 1], [0, 0]), ...mul(A, A, [1, 0]), ...add(B, [0, 1], [0, 0]), ...mul(B, B, [1, 1]), ...mul(C, [0, 3], [1, 3]), ...add(D, [0, 2], [0, 2]), ...ends, ...out(0)];
  const addPoints = [
    ...[0, ...sub(A, [1, 1], [1, 0]), ...sub(B, [2, 1], [2, 0]), ...mul(A, A, B), ...add(B, [1, 1], [1, 0]), ...add(C, [2, 1], [2, 0]), ...mul(B, B, C)],
    ...[...mul(C, [1, 3], DOUBLE_D), ...mul(C, C, [2, 3]), ...add(D, [1, 2], [1, 2]), ...mul(D, D, [2, 2]), ...ends, ...out(0)],
  ];
  const twice = [
    ...[0, ...square(A, [1, 0]), ...square(B, [1, 1]), ...square(C, [1, 2]), ...add(D, A, B), ...add(E, [1, 0], [1, 1]), ...square(E, E), ...sub(E, E, D)],
    ...[...sub(G, B, A), ...add(C, C, C), ...sub(F, G, C), ...sub(H, ZERO, D), ...out(0)],
  ];
  const bodies = [multiply, apart(plus), apart(0x7d), squares, addTerm, addPoints, twice];
  const text = (name) => vector([...name].map((letter) => letter.charCodeAt(0)));
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vector([[0x60, 3, I32, I32, I32, 0]])),
    ...section(3, vector(bodies.map(() => 0))),
    ...section(5, vector([[0, 1]])),
    ...section(7, vector([[...text("memory"), 2, 0], ...Object.entries(names).map(([name, at]) => [...text(name), 0, at])])),
    ...section(10, vector(bodies.map((body) => [...unsigned(body.length), ...body]))),
  ]);
}

// --- places in the memory: eight for the additions, then constants, then what is worked with here ---

const place = (number) => (8 + number) * FE;
const [ZERO, ONE, DOUBLE_D, D_, ROOT, INVERSE_ROOT] = [0, 1, 2, 3, 4, 5].map(place);
const [S, T, U, V, W, X, Y, Z, R, K] = [6, 7, 8, 9, 10, 11, 12, 13, 14, 15].map(place);
const TOTAL = place(16);
const RUN = TOTAL + POINT;
const FREE = RUN + POINT;

function power(base, exponent) {
  let result = 1n;
  for (let rest = exponent, square = base; rest; rest >>= 1n, square = (square * square) % P) if (rest & 1n) result = (result * square) % P;
  return result;
}

const bytesOf = (value) => Uint8Array.from({ length: 32 }, (_, at) => Number((value >> BigInt(8 * at)) & 255n));
const widthFor = (n) => (n < 8 ? 3 : n < 32 ? 4 : n < 100 ? 5 : n < 300 ? 6 : n < 900 ? 7 : n < 3000 ? 8 : 10);

export class Sums {
  constructor() {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(assembled()));
    Object.assign(this, exports);
    this.unique_ = new Int32Array(LIMBS);
    this.view();
    const d = (P - 121665n) * power(121666n, P - 2n) % P;
    let root = power(2n, (P - 1n) / 4n);
    if (root & 1n) root = P - root;
    for (const [at, value] of [[ZERO, 0n], [ONE, 1n], [D_, d], [DOUBLE_D, (2n * d) % P], [ROOT, root]]) this.read(at, bytesOf(value));
    this.signs = [1n, P - 1n, P - root, root].map((value) => String(this.unique(this.put(R, bytesOf(value)))));
    this.subtract(U, ZERO, ONE);
    this.subtract(U, U, D_);
    this.multiply(U, U, ONE);
    this.inverseRoot(INVERSE_ROOT, U);
  }

  view() {
    this.limbs = new Int32Array(this.memory.buffer);
  }

  room(end) {
    const missing = end - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    if (missing > 0) this.view();
  }

  // --- field elements ---

  read(at, bytes) {
    let bit = 0;
    for (let k = 0; k < LIMBS; bit += width(k++)) {
      let limb = 0;
      for (let each = 0; each < width(k); each++) limb |= ((bytes[(bit + each) >> 3] >> ((bit + each) & 7)) & 1) << each;
      this.limbs[at / 4 + k] = limb;
    }
  }

  put(at, bytes) {
    this.read(at, bytes);
    return at;
  }

  // The limbs of the representative below p of a product.
  unique(at) {
    const { limbs, unique_: out } = this;
    for (let k = 0; k < LIMBS; k++) out[k] = limbs[at / 4 + k];
    let q = (19 * out[9] + 2 ** 24) >> 25;
    for (let k = 0; k < LIMBS; k++) q = (out[k] + q) >> width(k);
    out[0] += 19 * q;
    for (let k = 0; k < LIMBS; k++) {
      if (k < 9) out[k + 1] += out[k] >> width(k);
      out[k] &= 2 ** width(k) - 1;
    }
    return out;
  }

  encode(at) {
    const limbs = this.unique(at);
    const out = new Uint8Array(32);
    let bit = 0;
    for (let k = 0; k < LIMBS; bit += width(k++)) for (let each = 0; each < width(k); each++) out[(bit + each) >> 3] |= ((limbs[k] >> each) & 1) << ((bit + each) & 7);
    return out;
  }

  isNegative(at) {
    return this.unique(at)[0] & 1;
  }

  isZero(at) {
    return this.unique(at).every((limb) => limb === 0);
  }

  negate(at) {
    this.subtract(at, ZERO, at);
    this.multiply(at, at, ONE);
  }

  // a^((p - 5) / 8) = a^(2^252 - 3)
  power(out, a) {
    const { squares, multiply } = this;
    const step = (to, from, count, by) => {
      squares(K, from, count);
      multiply(to, K, by);
    };
    step(V, a, 1, a); // 2^2 - 1
    step(V, V, 1, a); // 2^3 - 1
    step(W, V, 3, V); // 2^6 - 1
    step(W, W, 6, W); // 2^12 - 1
    step(W, W, 12, W); // 2^24 - 1
    step(W, W, 1, a); // 2^25 - 1
    step(W, W, 25, W); // 2^50 - 1
    step(V, W, 50, W); // 2^100 - 1
    step(V, V, 100, V); // 2^200 - 1
    step(V, V, 50, W); // 2^250 - 1
    step(out, V, 2, a); // 2^252 - 3
  }

  // The nonnegative root of 1 / v, if that is a square: then true. Else, for v that is not 0, the root of i / v.
  inverseRoot(out, v) {
    const { multiply, squares } = this;
    squares(R, v, 1);
    multiply(R, R, v); // v^3
    squares(T, R, 1);
    multiply(T, T, v); // v^7
    this.power(out, T);
    multiply(out, out, R);
    squares(T, out, 1);
    multiply(T, T, v);
    const sign = this.signs.indexOf(String(this.unique(T)));
    if (sign === 1 || sign === 2) multiply(out, out, ROOT);
    if (this.isNegative(out)) this.negate(out);
    return sign === 0 || sign === 1;
  }

  // --- points ---

  // RFC 9496, section 4.3.1. False for bytes that are not the encoding of an element.
  term(at, bytes) {
    const { multiply, squares, add, subtract } = this;
    if (bytes[0] & 1 || bytes[31] & 128) return false;
    this.read(S, bytes);
    const limbs = this.unique(S);
    for (let k = 0; k < LIMBS; k++) if (limbs[k] !== this.limbs[S / 4 + k]) return false;
    squares(X, S, 1);
    subtract(U, ONE, X); // u1
    add(X, ONE, X); // u2
    squares(Y, X, 1);
    squares(Z, U, 1);
    multiply(Z, Z, D_);
    subtract(Z, ZERO, Z);
    subtract(Z, Z, Y); // v
    multiply(Y, Z, Y);
    const isSquare = this.inverseRoot(at, Y);
    multiply(X, at, X); // den_x
    multiply(Y, at, X);
    multiply(Y, Y, Z); // den_y
    add(S, S, S);
    multiply(X, S, X);
    if (this.isNegative(X)) this.negate(X);
    multiply(Y, U, Y);
    multiply(Z, X, Y);
    if (!isSquare || this.isNegative(Z) || this.isZero(Y)) return false;
    subtract(at, Y, X);
    add(at + FE, Y, X);
    subtract(at + 2 * FE, Y, X);
    multiply(at + 3 * FE, Z, DOUBLE_D);
    subtract(at + 4 * FE, ZERO, at + 3 * FE);
    return true;
  }

  // RFC 9496, section 4.3.2.
  encoded(p) {
    const { multiply, squares, add, subtract } = this;
    const [x, y, z, t] = [p, p + FE, p + 2 * FE, p + 3 * FE];
    add(U, z, y);
    subtract(X, z, y);
    multiply(U, U, X); // u1
    multiply(X, x, y); // u2
    squares(Y, X, 1);
    multiply(Y, Y, U);
    this.inverseRoot(Z, Y);
    multiply(U, Z, U); // den1
    multiply(X, Z, X); // den2
    multiply(Z, U, X);
    multiply(Z, Z, t); // z_inverse
    multiply(Y, t, Z);
    const turns = this.isNegative(Y);
    multiply(S, turns ? y : x, turns ? ROOT : ONE);
    multiply(Y, turns ? x : y, turns ? ROOT : ONE);
    if (turns) multiply(X, U, INVERSE_ROOT);
    multiply(S, S, Z);
    if (this.isNegative(S)) this.negate(Y);
    subtract(Y, z, Y);
    multiply(Y, X, Y);
    if (this.isNegative(Y)) this.negate(Y);
    return this.encode(Y);
  }

  zero(p) {
    for (const [at, from] of [[0, ZERO], [1, ONE], [2, ONE], [3, ZERO]]) this.limbs.copyWithin((p + at * FE) / 4, from / 4, from / 4 + LIMBS);
  }

  // --- sums ---

  // The encoded sum of n points times their scalars, 32 bytes each, below 2^253. Undefined if a point is not encoded as it should be.
  sum(scalars, points) {
    const n = points.length / 32;
    const w = widthFor(n);
    const count = Math.floor(BITS / w) + 1;
    const half = 1 << (w - 1);
    const buckets = FREE + n * TERM;
    this.room(buckets + (half + 1) * POINT);
    for (let i = 0; i < n; i++) if (!this.term(FREE + i * TERM, points.subarray(32 * i, 32 * i + 32))) return undefined;
    const digits = digitsOf(scalars, n, count, w);
    const { addTerm, addPoints, twice } = this;
    this.zero(TOTAL);
    for (let place = count - 1; place >= 0; place--) {
      if (place < count - 1) for (let i = 0; i < w; i++) twice(TOTAL, TOTAL, 0);
      for (let i = 1; i <= half; i++) this.zero(buckets + i * POINT);
      for (let i = 0; i < n; i++) {
        const digit = digits[place * n + i];
        const term = FREE + i * TERM;
        if (digit > 0) addTerm(buckets + digit * POINT, term, 0);
        else if (digit < 0) addTerm(buckets - digit * POINT, term + FE, 0);
      }
      this.zero(RUN);
      for (let i = half; i > 0; i--) {
        addPoints(RUN, RUN, buckets + i * POINT); // each bucket is counted as often as its digit says
        addPoints(TOTAL, TOTAL, RUN);
      }
    }
    return this.encoded(TOTAL);
  }
}

// Scalars in signed digits of w bits, by place: each from -2^(w-1) to 2^(w-1) - 1.
function digitsOf(scalars, n, count, w) {
  const out = new Int16Array(n * count);
  const mask = (1 << w) - 1;
  for (let i = 0; i < n; i++) {
    let carry = 0;
    for (let place = 0; place < count; place++) {
      const bit = place * w;
      const at = 32 * i + (bit >> 3);
      const three = scalars[at] | ((bit >> 3) < 31 ? scalars[at + 1] << 8 : 0) | ((bit >> 3) < 30 ? scalars[at + 2] << 16 : 0);
      const digit = ((three >> (bit & 7)) & mask) + carry;
      carry = digit >= 1 << (w - 1) ? 1 : 0;
      out[place * n + i] = digit - (carry << w);
    }
  }
  return out;
}
