import assert from 'node:assert/strict';

/** An exact number (a rate, a fee's share, a value), in lowest terms with its denominator above zero. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** The numbers of decimals of the two currencies of a conversion. */
export interface Decimals {
  readonly from: number;
  readonly to: number;
}

/** The largest amount that a JSON number carries exactly (platform.md §1.2.4). */
export const AMOUNT_MAX = BigInt(Number.MAX_SAFE_INTEGER);

export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** `amount` minor units at `rate` major units per major unit, in minor units of the other currency. */
export function convertDown(amount: bigint, rate: Fraction, decimals: Decimals): bigint {
  return multiplyDown(amount, scale(rate, decimals.to - decimals.from));
}

export function convertUp(amount: bigint, rate: Fraction, decimals: Decimals): bigint {
  return multiplyUp(amount, scale(rate, decimals.to - decimals.from));
}

/** Towards minus infinity. */
export function multiplyDown(amount: bigint, factor: Fraction): bigint {
  return divideDown(amount * factor.numerator, factor.denominator);
}

/** To the nearest; a half goes up, towards plus infinity. */
export function multiplyHalfUp(amount: bigint, factor: Fraction): bigint {
  return divideDown(2n * amount * factor.numerator + factor.denominator, 2n * factor.denominator);
}

/** Towards plus infinity. */
export function multiplyUp(amount: bigint, factor: Fraction): bigint {
  return -divideDown(-amount * factor.numerator, factor.denominator);
}

export function fraction(numerator: bigint, denominator = 1n): Fraction {
  assert(denominator !== 0n, 'a fraction needs a denominator');
  const divisor = greatestCommonDivisor(numerator, denominator);
  const sign = denominator < 0n ? -1n : 1n;
  return { numerator: (sign * numerator) / divisor, denominator: (sign * denominator) / divisor };
}

/** Exact value of a plain decimal such as `0.00000833`: digits, and at most one point between digits. */
export function parseDecimal(text: string): Fraction {
  const [, whole, decimals = ''] = /^([0-9]+)(?:\.([0-9]+))?$/.exec(text) ?? [];
  assert(whole !== undefined, `not a plain decimal: ${text}`);
  return fraction(BigInt(whole + decimals), powerOfTen(decimals.length));
}

/** A share given in basis points, hundredths of a percent. */
export function basisPoints(bps: number): Fraction {
  return fraction(BigInt(bps), 10_000n);
}

export function multiply(a: Fraction, b: Fraction): Fraction {
  return fraction(a.numerator * b.numerator, a.denominator * b.denominator);
}

export function divide(a: Fraction, b: Fraction): Fraction {
  return fraction(a.numerator * b.denominator, a.denominator * b.numerator);
}

export function add(a: Fraction, b: Fraction): Fraction {
  return fraction(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

export function subtract(a: Fraction, b: Fraction): Fraction {
  return add(a, { numerator: -b.numerator, denominator: b.denominator });
}

export function invert(a: Fraction): Fraction {
  return fraction(a.denominator, a.numerator);
}

/** Below zero, zero or above zero as `a` is less than, equal to or greater than `b`. */
export function compare(a: Fraction, b: Fraction): -1 | 0 | 1 {
  const left = a.numerator * b.denominator;
  const right = b.numerator * a.denominator;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** `value` × 10^`exponent`; the exponent may be negative. */
export function scale(value: Fraction, exponent: number): Fraction {
  return exponent < 0
    ? fraction(value.numerator, value.denominator * powerOfTen(-exponent))
    : fraction(value.numerator * powerOfTen(exponent), value.denominator);
}

export function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

/** For showing only: the JSON number nearest to `value` rounded half-up to `places` decimals. */
export function numberHalfUp(value: Fraction, places: number): number {
  return Number(`${multiplyHalfUp(1n, scale(value, places))}e${-places}`);
}

/** For showing only: the JSON number nearest to `value` rounded half-up to `digits` significant digits. */
export function significantHalfUp(value: Fraction, digits: number): number {
  if (value.numerator === 0n) return 0;
  return numberHalfUp(value, digits - 1 - magnitude(value));
}

/** The exponent e with 10^e ≤ |value| < 10^(e+1). */
function magnitude(value: Fraction): number {
  const size = value.numerator < 0n ? -value.numerator : value.numerator;
  const guess = size.toString().length - value.denominator.toString().length;
  const atLeast =
    compare({ numerator: size, denominator: value.denominator }, scale(fraction(1n), guess)) >= 0;
  return atLeast ? guess : guess - 1;
}

/** `divisor` must be above zero. BigInt division truncates towards zero, so a negative remainder subtracts one more. */
function divideDown(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}
