/** The digit that brings a weighted sum of decimal digits up to a multiple of ten. */
export function checkDigit(digits: string, weights: readonly number[]): string {
  return String((10 - (weightedSum(digits, weights) % 10)) % 10);
}

/** Each digit times its weight; the weights repeat when there are fewer of them than digits. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    sum += Number(digits[at]) * (weights[at % weights.length] ?? 0);
  }
  return sum;
}
