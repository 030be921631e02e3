import { type AccountRow, findAccounts } from '#capabilities/accounts/store.ts';
import { applyTransition } from '#capabilities/payments/commit/apply.ts';
import type { PaymentTransition } from '#capabilities/payments/machine/draft.ts';
import { corridorCounted, corridorDailyLimit, volumeUse } from '#capabilities/payments/machine/volume.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import { type DraftChallenge, openChallenge } from '#capabilities/sca/challenges/challenges.ts';
import { isWithinLimit, type Ratio } from '#foundation/counters/count.ts';
import { loadUsed } from '#foundation/counters/store.ts';
import type { Reason } from '#foundation/database/reasons.ts';
import { Change, type ReadTx } from '#foundation/database/tx.ts';
import type { SharedPlan } from '#foundation/http/declare/plan.ts';
import type { Answer } from '#foundation/http/idempotency/reply.ts';
import { sayAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { multiplyHalfUp } from '#foundation/lib/money.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

/** The plan that commits a transition and its challenge, together with other callers' changes. */
export function planTransition<Body>(
  tx: ReadTx,
  transition: PaymentTransition,
  answer: Answer<Body>,
  challenge?: { readonly draft: DraftChallenge } | undefined,
): SharedPlan<Body> {
  const change = new Change(tx);
  applyTransition(change, transition);
  if (challenge) openChallenge(change, challenge.draft);
  return { change, answer, refusalFor: (reason) => refusalForReason(tx, transition, reason) };
}

/**
 * Returns the refusal for a reason that only the commit detects: the last checks of money.md §3.3. Undefined: prepare
 * again.
 */
export async function refusalForReason(
  tx: ReadTx,
  transition: PaymentTransition,
  reason: Reason,
): Promise<Refusal | undefined> {
  switch (reason.name) {
    case 'limit':
      return dailyVolume(tx, transition);
    case 'insufficient':
    case 'unknown_account':
      return (await dailyVolume(tx, transition)) ?? insufficientFunds(tx, transition, reason.account);
    case 'out_of_range':
      return new Refusal('AMOUNT_OUT_OF_RANGE', 'The amount is more than an account can hold.');
    default:
      return undefined;
  }
}

/** Reads the balance after the commit failed. If it is sufficient now, the payment is tried again. */
async function insufficientFunds(
  tx: ReadTx,
  { row: { sending_amount: required, sending_currency: currency } }: PaymentTransition,
  account: string,
): Promise<Refusal | undefined> {
  const id = account.slice('AVAIL:'.length) as AccountId;
  const available = (await findAccounts(tx, [id]))[0]?.available ?? 0n;
  return checkFunds(tx, { id, currency, available }, required);
}

/** Whether an internal account has the amount that a payment takes from it. */
export function checkFunds(
  tx: ReadTx,
  { id, currency, available }: Pick<AccountRow, 'id' | 'currency' | 'available'>,
  required: bigint,
): Refusal | undefined {
  if (available >= required) return undefined;
  const shown = (amount: bigint) => sayAmount(amount, currency, tx.platform.ownCurrencies);
  const reason = `The account has ${shown(available)} available; this payment needs ${shown(required)}.`;
  return new Refusal('INSUFFICIENT_FUNDS', reason, {
    accountId: publicId('InternalAccount', id),
    currency,
    available: Number(available),
    required: Number(required),
  });
}

/** customers.md §7.10c: a payment is counted when it is authorized, but it must fit already when it starts to wait. */
export function checkVolume(tx: ReadTx, row: TransactionRow): Promise<Refusal | undefined> {
  const volume = volumeUse(row, tx.now, corridorDailyLimit(tx, row));
  return dailyVolume(tx, { counts: volume ? [volume] : [] });
}

/**
 * The limit is refused before insufficient funds, and is read after the commit failed. If it is not exceeded now, the
 * payment is tried again.
 */
async function dailyVolume(
  tx: ReadTx,
  { counts: [volume] }: Pick<PaymentTransition, 'counts'>,
): Promise<Refusal | undefined> {
  const used = volume && (await loadUsed(tx, volume));
  if (!volume || !used || isWithinLimit(used, volume)) return undefined;
  const cents = ([numerator, denominator]: Ratio) => Number(multiplyHalfUp(1n, { numerator, denominator }));
  const day = 24 * 60 * 60 * 1000;
  const resetsAt = new Date((Math.floor(tx.now.getTime() / day) + 1) * day).toISOString();
  const reason = 'This payment would exceed the corridor’s daily limit.';
  return new Refusal('DAILY_VOLUME_LIMIT_EXCEEDED', reason, {
    corridor: corridorCounted(volume),
    currency: 'USD',
    limit: Number(volume.limit),
    used: cents(used),
    requested: cents(volume.value),
    resetsAt,
  });
}
