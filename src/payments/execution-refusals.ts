import { findAccounts } from '#accounts/store.ts';
import type { Tx } from '#database/tx.ts';
import type { Account } from '#ledger/accounts.ts';
import { showAmount } from '#lib/currencies.ts';
import { publicId } from '#lib/ids.ts';
import { multiplyHalfUp } from '#lib/money.ts';
import { Refusal } from '#lib/refusals.ts';
import type { Outcome } from '#payments/application.ts';
import type { Step } from '#payments/machine/draft.ts';

/** What only the commit can tell: the last two checks of money.md §3.3. Undefined: look again. */
export async function refusalOf(tx: Tx, step: Step, outcome: Outcome): Promise<Refusal | undefined> {
  switch (outcome.verdict) {
    case 'limit':
      return dailyVolume(tx, step, outcome.used);
    case 'insufficient':
    case 'unknown_account':
      return insufficientFunds(tx, step, outcome.account);
    case 'out_of_range':
      return new Refusal('AMOUNT_OUT_OF_RANGE', 'The amount is more than an account can hold.');
    default:
      return undefined;
  }
}

/** The balance is read after the verdict: where enough came in between, the payment is tried again. */
async function insufficientFunds(
  tx: Tx,
  { row: { sending_amount: required, sending_currency: currency } }: Step,
  account: Account,
): Promise<Refusal | undefined> {
  const id = account.slice('AVAIL:'.length);
  const available = (await findAccounts(tx, [id]))[0]?.available ?? 0n;
  if (available >= required) return undefined;
  const shown = (amount: bigint) => showAmount(amount, currency, tx.platform.ownCurrencies);
  const reason = `The account has ${shown(available)} available; this payment needs ${shown(required)}.`;
  return new Refusal('INSUFFICIENT_FUNDS', reason, {
    accountId: publicId('InternalAccount', id),
    currency,
    available: Number(available),
    required: Number(required),
  });
}

function dailyVolume(tx: Tx, { volume }: Step, used: readonly [bigint, bigint]): Refusal {
  const cents = ([numerator, denominator]: readonly [bigint, bigint]) =>
    Number(multiplyHalfUp(1n, { numerator, denominator }));
  const day = 24 * 60 * 60 * 1000;
  const resetsAt = new Date((Math.floor(tx.now.getTime() / day) + 1) * day).toISOString();
  const reason = 'This payment would exceed the corridor’s daily limit.';
  return new Refusal('DAILY_VOLUME_LIMIT_EXCEEDED', reason, {
    corridor: volume?.corridor,
    currency: 'USD',
    limit: Number(volume?.limitUsdCents ?? 0n),
    used: cents(used),
    requested: volume ? cents(volume.value) : 0,
    resetsAt,
  });
}
