import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  add,
  basisPoints,
  compare,
  convertDown,
  convertUp,
  divide,
  type Fraction,
  fraction,
  invert,
  multiply,
  multiplyDown,
  multiplyHalfUp,
  multiplyUp,
  numberHalfUp,
  parseDecimal,
  powerOfTen,
  scale,
  significantHalfUp,
  subtract,
} from '#foundation/lib/money.ts';

const amounts = fc.bigInt({ min: -9_000_000_000_000_000n, max: 9_000_000_000_000_000n });
const positives = fc.bigInt({ min: 1n, max: 10n ** 24n });
const factors = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 24n }), positives).map(([n, d]) => fraction(n, d));

describe('money arithmetic', () => {
  it('platform.md §1.2.6: each function rounds in the direction of its name, on both sides of zero', () => {
    const half = fraction(1n, 2n);
    assert.deepEqual(
      [3n, -3n].map((amount) => multiplyDown(amount, half)),
      [1n, -2n],
    );
    assert.deepEqual(
      [3n, -3n].map((amount) => multiplyUp(amount, half)),
      [2n, -1n],
    );
    assert.deepEqual(
      [3n, -3n].map((amount) => multiplyHalfUp(amount, half)),
      [2n, -1n],
    );
    const third = fraction(1n, 3n);
    assert.deepEqual(
      [4n, 5n, 6n].map((amount) => multiplyDown(amount, third)),
      [1n, 1n, 2n],
    );
    assert.deepEqual(
      [4n, 5n, 6n].map((amount) => multiplyHalfUp(amount, third)),
      [1n, 2n, 2n],
    );
    assert.deepEqual(
      [4n, 5n, 6n].map((amount) => multiplyUp(amount, third)),
      [2n, 2n, 2n],
    );
  });

  it('platform.md §1.2.6: each rounding is the nearest whole number on its side of the exact product', () => {
    fc.assert(
      fc.property(amounts, factors, (amount, factor) => {
        const exact = multiply(fraction(amount), factor);
        const distance = (rounded: bigint) => subtract(fraction(rounded), exact);
        const half = fraction(1n, 2n);
        const down = distance(multiplyDown(amount, factor));
        const up = distance(multiplyUp(amount, factor));
        const near = distance(multiplyHalfUp(amount, factor));
        assert(compare(down, fraction(-1n)) > 0 && compare(down, fraction(0n)) <= 0);
        assert(compare(up, fraction(1n)) < 0 && compare(up, fraction(0n)) >= 0);
        assert(compare(near, fraction(-1n, 2n)) > 0 && compare(near, half) <= 0);
      }),
    );
  });

  it('money.md §1.7: converting there and back never needs more than was sent, and still delivers as much', () => {
    const decimals = fc.record({ from: fc.integer({ min: 0, max: 8 }), to: fc.integer({ min: 0, max: 8 }) });
    const rates = fc.tuple(positives, positives).map(([n, d]) => fraction(n, d));
    const sent = fc.bigInt({ min: 0n, max: 9_000_000_000_000_000n });
    fc.assert(
      fc.property(sent, rates, decimals, (amount, rate, { from, to }) => {
        const received = convertDown(amount, rate, { from, to });
        const needed = convertUp(received, invert(rate), { from: to, to: from });
        assert(needed <= amount);
        assert(convertDown(needed, rate, { from, to }) >= received);
      }),
    );
  });

  it('money.md §1.7: a conversion accounts for the difference in decimals', () => {
    const one = fraction(1n);
    assert.equal(convertDown(1n, one, { from: 2, to: 6 }), 10_000n);
    assert.equal(convertDown(19_999n, one, { from: 6, to: 2 }), 1n);
    assert.equal(convertUp(10_001n, one, { from: 6, to: 2 }), 2n);
    assert.equal(convertDown(100_000_000n, fraction(25_000n), { from: 8, to: 0 }), 25_000n);
  });

  it('money: a decimal string is parsed exactly, and any other text is refused', () => {
    assert.deepEqual(parseDecimal('0.00000833'), { numerator: 833n, denominator: 100_000_000n });
    assert.deepEqual(parseDecimal('17.250'), { numerator: 69n, denominator: 4n });
    assert.deepEqual(parseDecimal('0'), { numerator: 0n, denominator: 1n });
    for (const text of ['', '.5', '5.', '1,5', '1e3', '-1', '+1', ' 1', '1\n', '0x1', '1.2.3', 'NaN', '١']) {
      assert.throws(() => parseDecimal(text), assert.AssertionError, JSON.stringify(text));
    }
  });

  it('money: fractions are in lowest terms, with the sign in the numerator and never a zero denominator', () => {
    assert.deepEqual(fraction(6n, -4n), { numerator: -3n, denominator: 2n });
    assert.deepEqual(fraction(0n, -7n), { numerator: 0n, denominator: 1n });
    assert.deepEqual(basisPoints(50), { numerator: 1n, denominator: 200n });
    assert.throws(() => fraction(1n, 0n), assert.AssertionError);
    assert.throws(() => invert(fraction(0n)), assert.AssertionError);
    assert.throws(() => divide(fraction(1n), fraction(0n)), assert.AssertionError);
    assert.throws(() => basisPoints(0.5), RangeError);
  });

  it('money: inverse operations on fractions cancel out', () => {
    const any = fc.tuple(amounts, positives).map(([n, d]) => fraction(n, d));
    fc.assert(
      fc.property(any, any, fc.integer({ min: -20, max: 20 }), (a, b, exponent) => {
        assert.deepEqual(subtract(add(a, b), b), a);
        assert.deepEqual(scale(scale(a, exponent), -exponent), a);
        if (b.numerator !== 0n) assert.deepEqual(divide(multiply(a, b), b), a);
        assert.equal(compare(a, b), Math.sign(Number(subtract(a, b).numerator)));
      }),
    );
    assert.equal(powerOfTen(0), 1n);
    assert.equal(powerOfTen(18), 1_000_000_000_000_000_000n);
  });

  it('money.md §1.1: a shown number is rounded half-up at the stated decimal', () => {
    assert.equal(numberHalfUp(parseDecimal('0.125'), 2), 0.13);
    assert.equal(numberHalfUp(parseDecimal('0.1249999999999999999999'), 2), 0.12);
    assert.equal(numberHalfUp(parseDecimal('1.005'), 2), 1.01);
    assert.equal(numberHalfUp(parseDecimal('1250'), -2), 1300);
    assert.equal(numberHalfUp(fraction(0n), 8), 0);
  });

  it('money.md §1.9: significant digits are counted from the first one that is not zero', () => {
    assert.equal(significantHalfUp(fraction(2n, 3n), 3), 0.667);
    assert.equal(significantHalfUp(parseDecimal('0.00000123456785'), 8), 0.0000012345679);
    assert.equal(significantHalfUp(parseDecimal('99999.5'), 5), 100_000);
    assert.equal(significantHalfUp(parseDecimal('123456789'), 3), 123_000_000);
    assert.equal(significantHalfUp(parseDecimal('0.1'), 12), 0.1);
    assert.equal(significantHalfUp(parseDecimal('1000'), 1), 1000);
    assert.equal(significantHalfUp(fraction(-2n, 3n), 2), -0.67);
    assert.equal(significantHalfUp(fraction(0n), 12), 0);
  });

  it('money.md §1.9: twelve significant digits are off by at most half of the twelfth', () => {
    const tiny: Fraction = fraction(1n, 2n * 10n ** 11n);
    fc.assert(
      fc.property(positives, positives, (n, d) => {
        const exact = fraction(n, d);
        const [digits = '', exponent = '0'] = significantHalfUp(exact, 12).toExponential(11).split('e');
        const shown = scale(parseDecimal(digits), Number(exponent));
        const error = subtract(shown, exact);
        const size = error.numerator < 0n ? fraction(-error.numerator, error.denominator) : error;
        assert(compare(size, multiply(exact, tiny)) <= 0);
      }),
    );
  });
});
