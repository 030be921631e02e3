import { findOwnerships } from '#capabilities/accounts/store.ts';
import type { Private } from '#capabilities/payments/details.ts';
import { decideKeys, JOB } from '#capabilities/payments/machine/jobs.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import { readTransactions } from '#capabilities/payments/store.ts';
import type { PersonId } from '#foundation/crypto/person-seal.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { strangersOf } from '#foundation/person-keys/people.ts';
import type { Network } from '#foundation/ports/network-fees.ts';
import type { Moved } from '#foundation/ports/payments.ts';

/** A report of money that arrived at our bank or on our chain address. */
export interface Arrival extends Moved {
  /** The reporter's own reference: it stays the same in repeated reports of one receipt. */
  readonly providerReference: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly rail: string;
  /** The reference that the payer stated. */
  readonly reference?: string | undefined;
  /** The same where it is no longer needed to find the account: it is kept, and not looked for. */
  readonly statedReference?: string | undefined;
  /** The internal account, if the money was paid to the account's own bank details or address; bare UUID. */
  readonly accountId?: AccountId | undefined;
  readonly network?: Network | undefined;
  readonly transactionHash?: string | undefined;
  /** What the bank reported about the payer, under the contract's names. */
  readonly originator?: Private['originator'] | undefined;
}

/** The earlier report under the same reference. */
export interface EarlierReceipt {
  /** Null if it matched nothing and is in SUSPENSE. */
  transaction_id: TransactionId | null;
  amount: bigint;
  currency: string;
}

/** Records the reference; undefined if the receipt is new. */
export async function claimReceipt(
  tx: Tx,
  { providerReference, amount, currency }: Arrival,
): Promise<EarlierReceipt | undefined> {
  // If two reports arrive at once, the second waits here for the first.
  const claimed = await tx.sql`
    insert into payment_receipts (platform_id, provider_reference, amount, currency, created_at)
    values (${tx.platformId}, ${providerReference}, ${amount}, ${currency}, ${tx.now})
        on conflict do nothing
    returning provider_reference`;
  if (claimed.length > 0) return undefined;
  const [row] = await tx.sql<EarlierReceipt>`
    select transaction_id, amount, currency from payment_receipts
     where platform_id = ${tx.platformId} and provider_reference = ${providerReference}`;
  return row;
}

export async function linkReceipt(
  tx: Tx,
  { providerReference }: Arrival,
  transactionId: TransactionId,
): Promise<void> {
  await tx.sql`
    update payment_receipts set transaction_id = ${transactionId}
     where platform_id = ${tx.platformId} and provider_reference = ${providerReference}`;
}

/** Stores the report of money in SUSPENSE, with the entry that booked it there. */
export async function keepUnmatched(tx: Tx, arrival: Arrival, entryId: Id<'JournalEntry'>): Promise<void> {
  const { providerReference, accountId = null, originator } = arrival;
  const name = originator?.accountHolderName;
  const facts = {
    sender: typeof name === 'string' ? name : null,
    statedReference: arrival.reference ?? arrival.statedReference ?? null,
  };
  const [intended] = accountId === null ? [] : await findOwnerships(tx, [accountId]);
  const person = senderKnownBy(tx, intended?.customer_id ?? null);
  const { sender, stated_reference } = sealReceipt(tx, providerReference, person, facts);
  await tx.sql`
    update payment_receipts
       set entry_id = ${entryId}, intended_account = ${accountId},
           stated_reference = ${stated_reference}, sender = ${sender}
     where platform_id = ${tx.platformId} and provider_reference = ${providerReference}`;
}

/**
 * Seals the report's words about its sender again, for the customer to whom the money belongs. Until then the key of
 * the month sealed them.
 */
export async function assignReceipt(
  tx: Tx,
  receipt: UnmatchedReceipt,
  customerId: CustomerId,
): Promise<void> {
  const person = senderKnownBy(tx, customerId);
  const { sender, stated_reference } = sealReceipt(tx, receipt.bankReference, person, receipt);
  await tx.sql`
    update payment_receipts set stated_reference = ${stated_reference}, sender = ${sender}
     where platform_id = ${tx.platformId} and provider_reference = ${receipt.bankReference}`;
}

/**
 * Returns the customer for whom the money is. If there is none, or the customer was erased, returns the strangers of
 * the month.
 */
function senderKnownBy(tx: Tx, customerId: CustomerId | null): PersonId {
  const { personKeys } = tx.runtime;
  if (customerId !== null) {
    personKeys.requireHeld([customerId]);
    if (!personKeys.isErased(customerId)) return customerId;
  }
  const strangers = strangersOf(tx.vault, tx.platformId, tx.now);
  personKeys.requireHeld([strangers]);
  return strangers;
}

function sealReceipt(
  tx: Tx,
  providerReference: string,
  person: PersonId,
  { sender, statedReference }: Pick<UnmatchedReceipt, 'sender' | 'statedReference'>,
): Record<SealedColumn, Buffer | null> {
  const seal = (column: SealedColumn, text: string | null) =>
    text === null ? null : tx.vault.sealFor([person], text, sealContext(tx, column, providerReference));
  return { sender: seal('sender', sender), stated_reference: seal('stated_reference', statedReference) };
}

/**
 * Erases the sender of money that was meant for a customer, and the reference that the sender stated. The amount and
 * the intended account are kept (customers.md §2.4.26b).
 */
export async function eraseFromReceipts(tx: Tx, customerId: CustomerId): Promise<void> {
  await tx.sql`
    update payment_receipts set sender = null, stated_reference = null
     where platform_id = ${tx.platformId} and intended_account in (
       select a.id from internal_accounts a
        where a.platform_id = ${tx.platformId} and a.customer_id = ${customerId})`;
}

/** The report of money in SUSPENSE. */
export interface UnmatchedReceipt {
  readonly entryId: Id<'JournalEntry'>;
  readonly bankReference: string;
  /** The name that the bank reported. */
  readonly sender: string | null;
  readonly statedReference: string | null;
  /** Bare UUID of the internal account that the money was meant for. */
  readonly intendedAccount: string | null;
}

export async function listUnmatched(
  tx: ReadTx,
  entryIds: readonly Id<'JournalEntry'>[],
): Promise<UnmatchedReceipt[]> {
  type Sealed = Record<'sender' | 'statedReference', Buffer | null>;
  const rows = await tx.sql<Omit<UnmatchedReceipt, keyof Sealed> & Sealed>`
    select entry_id as "entryId", provider_reference as "bankReference", sender,
           stated_reference as "statedReference", intended_account as "intendedAccount"
      from payment_receipts
     where platform_id = ${tx.platformId} and entry_id = any(${entryIds}::uuid[])`;
  await tx.runtime.personKeys.loadFor(
    rows.flatMap(({ sender, statedReference }) => [sender, statedReference]),
  );
  return rows.map((row) => {
    const opened = (column: SealedColumn, sealed: Buffer | null) =>
      (sealed && tx.vault.openKept(sealed, sealContext(tx, column, row.bankReference))) ?? null;
    return {
      ...row,
      sender: opened('sender', row.sender),
      statedReference: opened('stated_reference', row.statedReference),
    };
  });
}

type SealedColumn = 'sender' | 'stated_reference';

function sealContext({ platformId }: ReadTx, column: SealedColumn, providerReference: string): string {
  return `payment_receipts.${column}:${platformId}:${providerReference}`;
}

/** The real-time quote with this reference. */
export async function findQuoteByReference(
  tx: ReadTx,
  reference: string,
  currency: string,
): Promise<TransactionRow | undefined> {
  const [row] = await readTransactions(
    tx,
    sql`t.platform_id = ${tx.platformId} and t.reference = ${reference} and t.kind = 'QUOTE'
       and t.source_type = 'REALTIME' and t.sending_currency = ${currency}
     order by t.created_at desc, t.id desc
     limit 1`,
  );
  return row;
}

/** The deadline for deciding on an incoming UMA payment; undefined if its timers have run. */
export async function findDecisionDeadline(
  tx: ReadTx,
  transactionId: TransactionId,
): Promise<Date | undefined> {
  const [row] = await tx.sql<{ until: Date | null }>`
    select max((payload->>'until')::timestamptz) as until from jobs
     where platform_id = ${tx.platformId} and kind = ${JOB.decide}
       and key = any(${[...decideKeys(transactionId)]}::text[])`;
  return row?.until ?? undefined;
}
