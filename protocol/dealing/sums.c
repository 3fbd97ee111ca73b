/* Sums of multiples in ristretto255 (RFC 9496), for public values only: nothing here runs in constant time.
 *
 * Of few points the odd multiples up to 15 are computed first, and each scalar is written in digits for them, one in six of which
 * is not zero: a sum of n terms takes about n * (8 + 253 / 6) additions and 253 doublings.
 * Of many points Pippenger's method: each scalar is written in signed digits of w bits. For each place, points with the same
 * digit are added up in a bucket first, so that a sum of n terms takes about 253 / w * (n + 2^(w-1)) additions.
 * Sources: E. G. Straus, Addition chains of vectors, American Mathematical Monthly 71 (1964); N. Pippenger, On the evaluation of
 * powers and monomials, SIAM Journal on Computing 9 (1980); the additions are those of Hisil, Wong, Carter and Dawson, Twisted
 * Edwards curves revisited, ASIACRYPT 2008, for a = -1, which hold for all points.
 *
 * A field element has five limbs, radix 2^51. Products have limbs below 2^51 + 2^14; sums and differences are not carried, so
 * that a sum of two products stays below 2^53 and a difference below 2^54.2. Two factors may have 108 bits together: then no
 * column of their product reaches 2^115. What is subtracted is a product, a sum of two, or the negative of one.
 *
 * protocol/dealing/sums.py loads this file when it was compiled, and tests it first. Build it with `make native`.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#define PUBLIC __declspec(dllexport)
#else
#define PUBLIC __attribute__((visibility("default")))
#endif

#define QUICK static inline __attribute__((always_inline)) /* a fifth faster */

typedef unsigned __int128 wide;
typedef struct { uint64_t l[5]; } fe;
typedef struct { fe x, y, z, t; } point;        /* x = X/Z, y = Y/Z, T = X Y / Z */
typedef struct { fe plus, minus, td; } affine;  /* y + x, y - x, 2 d x y, for Z = 1 */
typedef struct { fe plus, minus, td, zz; } addend; /* Y + X, Y - X, 2 d T, 2 Z */

static const uint64_t MASK = ((uint64_t)1 << 51) - 1;
static fe D, ROOT, INV_ROOT_A_MINUS_D; /* d, a root of -1, 1 / sqrt(-1 - d): computed once by `fairdeal_sums_begin` */
static const fe ZERO = {{0, 0, 0, 0, 0}}, ONE = {{1, 0, 0, 0, 0}};

/* --- the field of 2^255 - 19 --- */

static fe carried(fe a) {
    uint64_t c = 0;
    for (int i = 0; i < 5; i++) {
        a.l[i] += c;
        c = a.l[i] >> 51;
        a.l[i] &= MASK;
    }
    a.l[0] += 19 * c;
    return a;
}

static fe add(fe a, fe b) {
    for (int i = 0; i < 5; i++) a.l[i] += b.l[i];
    return a;
}

static fe sub(fe a, fe b) { /* a + 4 p - b: no limb falls below zero, as none of b is above those of 4 p */
    for (int i = 0; i < 5; i++) a.l[i] += 4 * (i ? MASK : MASK - 18) - b.l[i];
    return a;
}

QUICK fe reduced(wide t0, wide t1, wide t2, wide t3, wide t4) {
    fe out;
    t1 += (uint64_t)(t0 >> 51);
    t2 += (uint64_t)(t1 >> 51);
    t3 += (uint64_t)(t2 >> 51);
    t4 += (uint64_t)(t3 >> 51);
    wide first = ((uint64_t)t0 & MASK) + (wide)(uint64_t)(t4 >> 51) * 19;
    out.l[0] = (uint64_t)first & MASK;
    out.l[1] = ((uint64_t)t1 & MASK) + (uint64_t)(first >> 51);
    out.l[2] = (uint64_t)t2 & MASK;
    out.l[3] = (uint64_t)t3 & MASK;
    out.l[4] = (uint64_t)t4 & MASK;
    return out;
}

QUICK fe mul(fe a, fe b) {
    uint64_t a0 = a.l[0], a1 = a.l[1], a2 = a.l[2], a3 = a.l[3], a4 = a.l[4];
    uint64_t b0 = b.l[0], b1 = b.l[1], b2 = b.l[2], b3 = b.l[3], b4 = b.l[4];
    uint64_t c1 = 19 * b1, c2 = 19 * b2, c3 = 19 * b3, c4 = 19 * b4;
    return reduced(
        (wide)a0 * b0 + (wide)a1 * c4 + (wide)a2 * c3 + (wide)a3 * c2 + (wide)a4 * c1,
        (wide)a0 * b1 + (wide)a1 * b0 + (wide)a2 * c4 + (wide)a3 * c3 + (wide)a4 * c2,
        (wide)a0 * b2 + (wide)a1 * b1 + (wide)a2 * b0 + (wide)a3 * c4 + (wide)a4 * c3,
        (wide)a0 * b3 + (wide)a1 * b2 + (wide)a2 * b1 + (wide)a3 * b0 + (wide)a4 * c4,
        (wide)a0 * b4 + (wide)a1 * b3 + (wide)a2 * b2 + (wide)a3 * b1 + (wide)a4 * b0);
}

QUICK fe square(fe a) {
    uint64_t a0 = a.l[0], a1 = a.l[1], a2 = a.l[2], a3 = a.l[3], a4 = a.l[4];
    uint64_t d0 = 2 * a0, d1 = 2 * a1, d2 = 2 * a2, c3 = 19 * a3, c4 = 19 * a4;
    return reduced(
        (wide)a0 * a0 + (wide)d1 * c4 + (wide)d2 * c3,
        (wide)d0 * a1 + (wide)d2 * c4 + (wide)a3 * c3,
        (wide)d0 * a2 + (wide)a1 * a1 + (wide)(2 * a3) * c4,
        (wide)d0 * a3 + (wide)d1 * a2 + (wide)a4 * c4,
        (wide)d0 * a4 + (wide)d1 * a3 + (wide)a2 * a2);
}

static fe neg(fe a) { return sub(ZERO, a); }

static fe squares(fe a, int times) {
    while (times--) a = square(a);
    return a;
}

/* Define a function for a^((p - 5) / 8) = a^(2^252 - 3). */
#define DEFINE_POWER_P58(name, fe, mul, squares)  \
    static fe name(fe a) {                        \
        fe b = mul(squares(a, 1), a);             \
        b = mul(squares(b, 1), a); /* 2^3 - 1 */  \
        fe c = mul(squares(b, 3), b);             \
        c = mul(squares(c, 6), c);                \
        c = mul(squares(c, 12), c);               \
        c = mul(squares(c, 1), a); /* 2^25 - 1 */ \
        fe d = mul(squares(c, 25), c);            \
        fe e = d; /* 2^50 - 1 */                  \
        d = mul(squares(d, 50), d);               \
        d = mul(squares(d, 100), d);              \
        d = mul(squares(d, 50), e); /* 2^250 - 1 */ \
        return mul(squares(d, 2), a);             \
    }

DEFINE_POWER_P58(power_p58, fe, mul, squares)

#if defined(__x86_64__) && defined(__GNUC__) && !defined(_WIN32) /* there GCC does not align the stack for these */
/* Eight powers at once, where the processor multiplies numbers of 52 bits, eight at a time. It gives the lower and the upper 52
 * bits of each product. The upper ones count twice in the next column, as limbs have 51 bits. */
#include <immintrin.h>
#define WIDE __attribute__((target("avx512f,avx512ifma")))

typedef struct { __m512i l[5]; } fe8; /* one limb of eight elements each, below 2^52 */

WIDE static inline fe8 reduced8(const __m512i *low, const __m512i *high) { /* high[i] belongs to column i + 1 */
    const __m512i mask = _mm512_set1_epi64((long long)MASK);
    __m512i t[10], carry[5];
    fe8 out;
    for (int i = 0; i < 10; i++) { /* below 2^56 */
        t[i] = i < 9 ? low[i] : _mm512_setzero_si512();
        if (i) t[i] = _mm512_add_epi64(t[i], _mm512_slli_epi64(high[i - 1], 1));
    }
    for (int i = 0; i < 5; i++) { /* 2^255 is 19 */
        __m512i u = t[i + 5], twice = _mm512_slli_epi64(u, 1);
        t[i] = _mm512_add_epi64(_mm512_add_epi64(t[i], u), _mm512_add_epi64(twice, _mm512_slli_epi64(u, 4)));
        carry[i] = _mm512_srli_epi64(t[i], 51); /* below 2^10 */
        out.l[i] = _mm512_and_si512(t[i], mask);
    }
    for (int i = 1; i < 5; i++) out.l[i] = _mm512_add_epi64(out.l[i], carry[i - 1]);
    __m512i last = _mm512_add_epi64(carry[4], _mm512_slli_epi64(carry[4], 1));
    out.l[0] = _mm512_add_epi64(out.l[0], _mm512_add_epi64(last, _mm512_slli_epi64(carry[4], 4)));
    return out;
}

WIDE static inline fe8 mul8(fe8 a, fe8 b) {
    __m512i low[9], high[9];
    for (int i = 0; i < 9; i++) low[i] = high[i] = _mm512_setzero_si512();
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            low[i + j] = _mm512_madd52lo_epu64(low[i + j], a.l[i], b.l[j]);
            high[i + j] = _mm512_madd52hi_epu64(high[i + j], a.l[i], b.l[j]);
        }
    return reduced8(low, high);
}

WIDE static fe8 squares8(fe8 a, int times) {
    while (times--) a = mul8(a, a);
    return a;
}

WIDE DEFINE_POWER_P58(power8, fe8, mul8, squares8)

WIDE static void powers_at_once(fe out[8]) {
    fe8 a;
    for (int i = 0; i < 5; i++) {
        uint64_t row[8];
        for (int j = 0; j < 8; j++) row[j] = out[j].l[i];
        a.l[i] = _mm512_loadu_si512(row);
    }
    a = power8(a);
    for (int i = 0; i < 5; i++) {
        uint64_t row[8];
        _mm512_storeu_si512(row, a.l[i]);
        for (int j = 0; j < 8; j++) out[j].l[i] = row[j];
    }
}

static int is_wide(void) { return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512ifma"); }
#else
static void powers_at_once(fe out[8]) { (void)out; }
static int is_wide(void) { return 0; }
#endif

static fe unique(fe a) { /* the representative below p, whose limbs have 51 bits */
    a = carried(carried(a));
    uint64_t q = (a.l[0] + 19) >> 51; /* 1 if the value is at least p */
    for (int i = 1; i < 5; i++) q = (a.l[i] + q) >> 51;
    a.l[0] += 19 * q;
    a = carried(a);
    a.l[0] -= 19 * q; /* to subtract p is to add 19 and to drop 2^255, which `carried` has brought back as 19 */
    return a;
}

static void encode(uint8_t out[32], fe a) {
    a = unique(a);
    uint64_t words[4] = {a.l[0] | a.l[1] << 51, a.l[1] >> 13 | a.l[2] << 38, a.l[2] >> 26 | a.l[3] << 25,
                         a.l[3] >> 39 | a.l[4] << 12};
    for (int i = 0; i < 32; i++) out[i] = (uint8_t)(words[i / 8] >> (8 * (i % 8)));
}

static fe decode(const uint8_t in[32]) { /* the highest bit is ignored */
    uint64_t w[4] = {0, 0, 0, 0};
    for (int i = 0; i < 32; i++) w[i / 8] |= (uint64_t)in[i] << (8 * (i % 8));
    return (fe){{w[0] & MASK, (w[0] >> 51 | w[1] << 13) & MASK, (w[1] >> 38 | w[2] << 26) & MASK,
                 (w[2] >> 25 | w[3] << 39) & MASK, w[3] >> 12 & MASK}};
}

static int equal(fe a, fe b) {
    a = unique(a), b = unique(b);
    return !memcmp(a.l, b.l, sizeof a.l);
}

static int is_negative(fe a) { return unique(a).l[0] & 1; }

static fe absolute(fe a) { return is_negative(a) ? neg(a) : a; }

/* What has to be raised to (p - 5) / 8 for a root of u / v. */
static fe to_raise(fe u, fe v) { return mul(u, mul(square(mul(square(v), v)), v)); }

/* The nonnegative root of u / v, if that is a square: then 1 is returned. Else the root of u / v times that of -1. */
static int root_from_power(fe *out, fe u, fe v, fe power) {
    fe r = mul(mul(u, mul(square(v), v)), power);
    fe check = mul(v, square(r)), flipped = neg(u);
    int right = equal(check, u), is_flipped = equal(check, flipped), is_flipped_i = equal(check, mul(flipped, ROOT));
    if (is_flipped || is_flipped_i) r = mul(r, ROOT);
    *out = absolute(r);
    return right || is_flipped;
}

static int root_of_ratio(fe *out, fe u, fe v) { return root_from_power(out, u, v, power_p58(to_raise(u, v))); }

/* --- points --- */

static point sum(point p, affine q, int negative) {
    fe a = mul(sub(p.y, p.x), negative ? q.plus : q.minus), b = mul(add(p.y, p.x), negative ? q.minus : q.plus);
    fe c = mul(p.t, q.td), d = add(p.z, p.z);
    fe e = sub(b, a), f = negative ? add(d, c) : sub(d, c), g = negative ? sub(d, c) : add(d, c), h = add(b, a);
    return (point){mul(e, f), mul(g, h), mul(f, g), mul(e, h)};
}

static addend addend_of(point p) { return (addend){add(p.y, p.x), sub(p.y, p.x), mul(p.t, add(D, D)), add(p.z, p.z)}; }

static point sum_of_two(point p, const addend *q, int negative) {
    fe a = mul(sub(p.y, p.x), negative ? q->plus : q->minus), b = mul(add(p.y, p.x), negative ? q->minus : q->plus);
    fe c = mul(p.t, q->td), d = mul(p.z, q->zz);
    fe e = sub(b, a), f = negative ? add(d, c) : sub(d, c), g = negative ? sub(d, c) : add(d, c), h = add(b, a);
    return (point){mul(e, f), mul(g, h), mul(f, g), mul(e, h)};
}

static point twice(point p) {
    fe a = square(p.x), b = square(p.y), c = square(p.z), both = add(a, b);
    fe e = sub(square(add(p.x, p.y)), both), g = sub(b, a), f = sub(g, add(c, c)), h = neg(both);
    return (point){mul(e, f), mul(g, h), mul(f, g), mul(e, h)};
}

/* RFC 9496, section 4.3.1, for up to eight points. Returns 0 for bytes that are not the encodings of elements. */
static int decode_points(affine *out, const uint8_t *in, size_t n) {
    fe s[8], v[8], ratio[8], power[8];
    memset(power, 0, sizeof power);
    for (size_t i = 0; i < n; i++) {
        uint8_t again[32];
        s[i] = decode(in + 32 * i);
        encode(again, s[i]);
        if (memcmp(again, in + 32 * i, 32) || in[32 * i] & 1) return 0;
        fe ss = square(s[i]), u2u2 = square(add(ONE, ss));
        v[i] = sub(neg(mul(D, square(sub(ONE, ss)))), u2u2);
        ratio[i] = mul(v[i], u2u2);
        power[i] = to_raise(ONE, ratio[i]);
    }
    if (n > 2 && is_wide()) powers_at_once(power);
    else for (size_t i = 0; i < n; i++) power[i] = power_p58(power[i]);
    for (size_t i = 0; i < n; i++) {
        fe ss = square(s[i]), u1 = sub(ONE, ss), u2 = add(ONE, ss), inverse;
        int is_square = root_from_power(&inverse, ONE, ratio[i], power[i]);
        fe den_x = mul(inverse, u2), den_y = mul(mul(inverse, den_x), v[i]);
        fe x = absolute(mul(add(s[i], s[i]), den_x)), y = mul(u1, den_y), t = mul(x, y);
        if (!is_square || is_negative(t) || equal(y, ZERO)) return 0;
        out[i] = (affine){add(y, x), sub(y, x), mul(t, add(D, D))};
    }
    return 1;
}

/* RFC 9496, section 4.3.2. */
static void encode_point(uint8_t out[32], point p) {
    fe u1 = mul(add(p.z, p.y), sub(p.z, p.y)), u2 = mul(p.x, p.y), inverse;
    root_of_ratio(&inverse, ONE, mul(u1, square(u2)));
    fe den1 = mul(inverse, u1), den2 = mul(inverse, u2), z_inverse = mul(mul(den1, den2), p.t);
    int rotate = is_negative(mul(p.t, z_inverse));
    fe x = rotate ? mul(p.y, ROOT) : p.x, y = rotate ? mul(p.x, ROOT) : p.y;
    fe den = rotate ? mul(den1, INV_ROOT_A_MINUS_D) : den2;
    if (is_negative(mul(x, z_inverse))) y = neg(y);
    encode(out, absolute(mul(den, sub(p.z, y))));
}

/* --- sums --- */

#define MANY 150 /* from so many points on, Pippenger's method is faster */

static int width_for(size_t n) {
    return n < 300 ? 6 : n < 900 ? 7 : n < 3000 ? 8 : 10;
}

/* Write a scalar in signed digits of w bits, the lowest first: each from -2^(w-1) to 2^(w-1) - 1. */
static void digits_of(int16_t *out, int count, int w, const uint8_t scalar[32]) {
    int carry = 0;
    for (int i = 0; i < count; i++) {
        int digit = carry;
        for (int bit = 0; bit < w && i * w + bit < 256; bit++)
            digit += (scalar[(i * w + bit) / 8] >> ((i * w + bit) % 8) & 1) << bit;
        carry = digit >= 1 << (w - 1);
        out[i] = (int16_t)(digit - (carry << w));
    }
}

/* Write a scalar in digits that are 0 or odd, from -15 to 15, one for each bit, the lowest first: about one in six is not 0. */
static void sparse_digits_of(int8_t digits[256], const uint8_t scalar[32]) {
    for (int i = 0; i < 256; i++) digits[i] = scalar[i / 8] >> (i % 8) & 1;
    for (int i = 0; i < 256; i++) {
        if (!digits[i]) continue;
        for (int j = i + 1; j <= i + 6 && j < 256; j++) {
            int higher = digits[j] << (j - i);
            if (!higher) continue;
            if (digits[i] + higher <= 15) {
                digits[i] += (int8_t)higher;
                digits[j] = 0;
            } else if (digits[i] - higher >= -15) { /* one more of the next digit */
                digits[i] -= (int8_t)higher;
                int k = j;
                while (k < 255 && digits[k]) digits[k++] = 0;
                digits[k] = 1;
            } else {
                break;
            }
        }
    }
}

/* Add up the terms digit by digit, with the odd multiples of each point at hand. */
static int sum_of_few(point *total, const affine *terms, const uint8_t *scalars, size_t n) {
    addend(*multiples)[8] = calloc(n + 1, sizeof *multiples);
    int8_t(*digits)[256] = calloc(n + 1, sizeof *digits);
    int status = !multiples || !digits ? 2 : 0;
    for (size_t i = 0; i < n && !status; i++) {
        point multiple = sum(*total, terms[i], 0); /* the total is zero so far */
        addend doubled = addend_of(twice(multiple));
        for (int m = 0; m < 8; m++) {
            multiples[i][m] = addend_of(multiple);
            if (m < 7) multiple = sum_of_two(multiple, &doubled, 0);
        }
        sparse_digits_of(digits[i], scalars + 32 * i);
    }
    for (int place = 255; place >= 0 && !status; place--) {
        *total = twice(*total);
        for (size_t i = 0; i < n; i++) {
            int digit = digits[i][place];
            if (digit) *total = sum_of_two(*total, &multiples[i][abs(digit) / 2], digit < 0);
        }
    }
    free(multiples);
    free(digits);
    return status;
}

/* Compute the constants. Call it once, before anything else; returns the number of bytes of a decoded point. */
PUBLIC int fairdeal_sums_begin(void) {
    fe two = add(ONE, ONE), numerator = {{121665, 0, 0, 0, 0}}, denominator = {{121666, 0, 0, 0, 0}};
    /* 1 / a = a^(p - 2) = (a^(2^252 - 3))^8 a^3, as p - 2 = 8 (2^252 - 3) + 3 */
    fe inverse = mul(squares(power_p58(denominator), 3), mul(square(denominator), denominator));
    D = mul(neg(numerator), inverse);
    /* 2 is not a square, so 2^((p - 1) / 4) is a root of -1; (p - 1) / 4 = 2 (2^252 - 3) + 1 */
    ROOT = absolute(mul(square(power_p58(two)), two));
    return root_of_ratio(&INV_ROOT_A_MINUS_D, ONE, sub(neg(ONE), D)) ? (int)sizeof(affine) : 0;
}

/* Add up the terms with Pippenger's method. */
static int sum_of_many(point *total, const affine *terms, const uint8_t *scalars, size_t n) {
    int w = width_for(n), count = 253 / w + 1, half = 1 << (w - 1);
    int16_t *digits = calloc(n + 1, (size_t)count * sizeof *digits);
    point *buckets = calloc((size_t)half + 1, sizeof *buckets);
    const point zero = *total;
    int status = !digits || !buckets ? 2 : 0;
    for (size_t i = 0; i < n && !status; i++) digits_of(digits + i * (size_t)count, count, w, scalars + 32 * i);
    for (int place = count - 1; place >= 0 && !status; place--) {
        for (int i = 0; i < w; i++) *total = twice(*total);
        for (int i = 0; i <= half; i++) buckets[i] = zero;
        for (size_t i = 0; i < n; i++) {
            int digit = digits[i * (size_t)count + (size_t)place];
            if (digit) buckets[abs(digit)] = sum(buckets[abs(digit)], terms[i], digit < 0);
        }
        point run = zero;
        for (int i = half; i > 0; i--) { /* each bucket is counted as often as its digit says */
            addend bucket = addend_of(buckets[i]);
            run = sum_of_two(run, &bucket, 0);
            bucket = addend_of(run);
            *total = sum_of_two(*total, &bucket, 0);
        }
    }
    free(digits);
    free(buckets);
    return status;
}

/* Decode n points, for sums. Returns 0; 1 if one is not encoded as it should be. */
PUBLIC int fairdeal_decode(affine *out, const uint8_t *points, size_t n) {
    int status = 0;
    for (size_t i = 0; i < n && !status; i += 8) status = !decode_points(&out[i], points + 32 * i, n - i < 8 ? n - i : 8);
    return status;
}

/* Write the encoded sum of n decoded points times their scalars (32 bytes each, little-endian, below 2^253) to `out`.
 * Returns 0; 2 if there is no memory. */
PUBLIC int fairdeal_sum(uint8_t out[32], const uint8_t *scalars, const affine *terms, size_t n) {
    point total = {ZERO, ONE, ONE, ZERO};
    int status = n < MANY ? sum_of_few(&total, terms, scalars, n) : sum_of_many(&total, terms, scalars, n);
    if (!status) encode_point(out, total);
    return status;
}
