import { lockAccountBalances } from '#capabilities/accounts/locked-balances.ts';
import { findOwnerships } from '#capabilities/accounts/store.ts';
import { lockCustomersAgainstDeletion } from '#capabilities/customers/store.ts';
import { applyNow } from '#capabilities/payments/commit/apply.ts';
import {
  hashReference,
  type Private,
  sealPrivate,
  type TransactionDetails,
} from '#capabilities/payments/details.ts';
import {
  FIRST_PAYMENT_STATUSES,
  newTransaction,
  type PaymentDraft,
} from '#capabilities/payments/machine/draft.ts';
import { deposit, railThrough, receivableAccount } from '#capabilities/payments/machine/postings.ts';
import { type Fixed, plainTerms, type TransactionRow } from '#capabilities/payments/row.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import type { Network } from '#foundation/ports/network-fees.ts';
import type { Moved } from '#foundation/ports/payments.ts';

/** Money that arrived for an internal account (money.md §7.1). */
export interface Deposit extends Moved {
  readonly account: {
    readonly id: AccountId;
    readonly currency: string;
    readonly customerId: CustomerId | null;
  };
  readonly platformCustomerId?: string | undefined;
  readonly amount: bigint;
  readonly rail: string;
  readonly network?: Network | undefined;
  readonly transactionHash?: string | undefined;
  /** The reference that we issued and the payer stated. */
  readonly reference?: string | undefined;
  /** Any other text that the payer stated as the reference. */
  readonly statedReference?: string | undefined;
  /** What the bank reported about the payer, under the contract's names. */
  readonly originator?: Private['originator'] | undefined;
}

/**
 * Credits the account at once, with a completed incoming transaction. If the account cannot hold the amount, returns a
 * refusal and writes nothing.
 */
export async function recordDeposit(tx: Tx, given: Deposit): Promise<TransactionRow | Refusal> {
  const draft = await draftDeposit(tx, given);
  if (draft instanceof Refusal) return draft;
  const transition = draft.transition();
  await applyNow(tx, [transition]);
  return transition.row;
}

async function draftDeposit(tx: Tx, given: Deposit): Promise<PaymentDraft | Refusal> {
  const { account, amount } = given;
  const rail = railThrough(given.rail, given);
  const { currency } = account;
  const debtAccount = receivableAccount(account.customerId ?? tx.platformId, currency);
  await lockCustomersAgainstDeletion(tx, account.customerId === null ? [] : [account.customerId]);
  const balances = await lockAccountBalances(tx, [{ id: account.id, debtAccount }]);
  if (!balances.canHold(account.id, amount)) {
    return new Refusal('AMOUNT_OUT_OF_RANGE', 'The amount is more than the account can hold.');
  }
  const draft = newTransaction(buildFixedColumns(tx, given), tx.now);
  draft.post('deposit.received', deposit(account.id, rail, currency, amount, balances.debtIn(debtAccount)));
  // An account that is closed meanwhile must not be credited; a frozen one may be.
  const [facts] = await findOwnerships(tx, [account.id]);
  if (facts?.status !== 'FROZEN') draft.requireActiveAccount(account.id);
  draft.set({
    status: FIRST_PAYMENT_STATUSES.credited.to,
    executed_at: tx.now,
    settled_at: tx.now,
    funding_hash: given.transactionHash ?? null,
  });
  draft.emit('COMPLETED');
  return draft;
}

function buildFixedColumns(tx: ReadTx, given: Deposit): Fixed {
  const { account, amount, network, platformCustomerId, originator, statedReference } = given;
  const id = tx.newId('Transaction');
  const details: TransactionDetails = {
    fundingRail: given.rail,
    ...(network !== undefined && { fundingNetwork: network }),
  };
  const facts: Private = {
    ...(platformCustomerId !== undefined && { platformCustomerId }),
    ...(statedReference !== undefined && { statedReference }),
    ...(originator && { originator }),
  };
  return {
    platform_id: tx.platformId,
    id,
    type: 'INCOMING',
    kind: 'DEPOSIT',
    customer_id: account.customerId,
    ...plainTerms(account.currency, amount),
    source: { kind: 'REALTIME' },
    destination: { kind: 'INTERNAL', account: account.id },
    reference: given.reference ?? null,
    reference_hash: statedReference === undefined ? null : hashReference(tx.vault, statedReference).toStore,
    details,
    private: sealPrivate(tx.vault, { id, customer_id: account.customerId, details }, facts),
    created_at: tx.now,
  };
}
