import type { Tx } from '#database/tx.ts';
import { multiplyHalfUp } from '#lib/money.ts';
import { Refusal } from '#lib/refusals.ts';
import type { Outcome } from '#payments/application.ts';
import type { Step } from '#payments/machine/draft.ts';

/** What only the commit can tell: the last two checks of money.md §3.3. Undefined: look again. */
export function refusalOf(tx: Tx, step: Step, outcome: Outcome): Refusal | undefined {
  switch (outcome.verdict) {
    case 'limit':
      return dailyVolume(tx, step, outcome.used);
    case 'insufficient':
    case 'unknown_account':
      return new Refusal('INSUFFICIENT_FUNDS', 'The account does not hold enough for this payment.');
    case 'out_of_range':
      return new Refusal('AMOUNT_OUT_OF_RANGE', 'The amount is larger than an account can hold.');
    default:
      return undefined;
  }
}

function dailyVolume(tx: Tx, { volume }: Step, used: readonly [bigint, bigint]): Refusal {
  const cents = ([numerator, denominator]: readonly [bigint, bigint]) =>
    Number(multiplyHalfUp(1n, { numerator, denominator }));
  const day = 24 * 60 * 60 * 1000;
  const resetsAt = new Date((Math.floor(tx.now.getTime() / day) + 1) * day).toISOString();
  const reason = 'The corridor’s volume of this day would be exceeded.';
  return new Refusal('DAILY_VOLUME_LIMIT_EXCEEDED', reason, {
    corridor: volume?.corridor,
    currency: 'USD',
    limit: Number(volume?.limitUsdCents ?? 0n),
    used: cents(used),
    requested: volume ? cents(volume.value) : 0,
    resetsAt,
  });
}
