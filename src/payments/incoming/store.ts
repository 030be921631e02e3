import { sql } from '#database/sql.ts';
import type { ReadTx, Tx } from '#database/tx.ts';
import { TRANSACTIONS } from '#payments/columns.ts';
import type { Private } from '#payments/details.ts';
import { decideKeys, JOB } from '#payments/machine/jobs.ts';
import type { TransactionRow } from '#payments/row.ts';
import type { Network } from '#rails/network-fees.ts';

/** Money that arrived, as whoever took it in reports it. */
export interface Arrival {
  /** Its own reference of this receipt: one receipt is one reference, however often it is reported. */
  readonly providerReference: string;
  readonly amount: bigint;
  readonly currency: string;
  /** The word in the ledger account RAIL:<rail>:<currency>. */
  readonly rail: string;
  /** What the payer wrote so that we know what it is for. */
  readonly reference?: string | undefined;
  /** The internal account whose own coordinates it was paid to; bare UUID. */
  readonly accountId?: string | undefined;
  readonly network?: Network | undefined;
  readonly transactionHash?: string | undefined;
  /** What the bank told of the payer, under the contract's names. */
  readonly originator?: Private['originator'] | undefined;
}

/** What was reported first under a reference. */
export interface EarlierReceipt {
  /** Null: nobody knew what it was for. */
  transaction_id: string | null;
  amount: bigint;
  currency: string;
}

/** Undefined: it is new, and ours to place. */
export async function claimReceipt(
  tx: Tx,
  { providerReference, amount, currency }: Arrival,
): Promise<EarlierReceipt | undefined> {
  // The second of two reports that come at once waits here for the first.
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

export async function nameReceipt(
  tx: Tx,
  { providerReference }: Arrival,
  transactionId: string,
): Promise<void> {
  await tx.sql`
    update payment_receipts set transaction_id = ${transactionId}
     where platform_id = ${tx.platformId} and provider_reference = ${providerReference}`;
}

/** The real-time quote that is to be paid under this reference. */
export async function findFunded(
  tx: ReadTx,
  reference: string,
  currency: string,
): Promise<TransactionRow | undefined> {
  const [row] = await tx.query<TransactionRow>(sql`
    select ${TRANSACTIONS.columns('t')} from transactions t
     where t.platform_id = ${tx.platformId} and t.reference = ${reference} and t.kind = 'QUOTE'
       and t.source_type = 'REALTIME' and t.sending_currency = ${currency}
     order by t.created_at desc, t.id desc
     limit 1`);
  return row;
}

/** When the time to decide on an incoming UMA payment is over; undefined: no timer stands for it any more. */
export async function findDecisionDeadline(tx: ReadTx, transactionId: string): Promise<Date | undefined> {
  const [row] = await tx.sql<{ until: Date | null }>`
    select max((payload->>'until')::timestamptz) as until from jobs
     where platform_id = ${tx.platformId} and kind = ${JOB.decide}
       and key = any(${[...decideKeys(transactionId)]}::text[])`;
  return row?.until ?? undefined;
}
