import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';

/** One row of `connector_credits`: money that a connector reported. */
export interface CreditRow {
  connector_id: string;
  credit_id: string;
  /** In whose books it is now. */
  platform_id: PlatformId;
  settlement_account: string;
  rail: string;
  amount: bigint;
  currency: string;
  transaction_id: TransactionId | null;
  /** The entry that booked it to SUSPENSE. */
  entry_id: Id<'JournalEntry'> | null;
  received_at: Date;
  /** When the connector said that the bank took it back. */
  reversed_at: Date | null;
  taken_back_at: Date | null;
}

const COLUMNS = sql`
  k.connector_id, k.credit_id, k.platform_id, k.settlement_account, k.rail, k.amount, k.currency, k.transaction_id,
  k.entry_id, k.received_at, k.reversed_at, k.taken_back_at`;

export type NewCredit = Pick<
  CreditRow,
  'connector_id' | 'credit_id' | 'platform_id' | 'settlement_account' | 'rail' | 'amount' | 'currency'
>;

/** Returns what was reported under this name before, on any platform; undefined if it is new, and this call stored it. */
export async function claimCredit(run: Run, credit: NewCredit, now: Date): Promise<CreditRow | undefined> {
  const { connector_id, credit_id, platform_id, settlement_account, rail, amount, currency } = credit;
  // If two workers report it at once, the second waits here for the first.
  const claimed = await run(sql`
    insert into connector_credits
      (connector_id, credit_id, platform_id, settlement_account, rail, amount, currency, received_at)
    values (${connector_id}, ${credit_id}, ${platform_id}, ${settlement_account}, ${rail}, ${amount}, ${currency}, ${now})
        on conflict do nothing
    returning credit_id`);
  return claimed.length > 0 ? undefined : lockCredit(run, connector_id, credit_id);
}

export async function lockCredit(
  run: Run,
  connectorId: string,
  creditId: string,
): Promise<CreditRow | undefined> {
  const [row] = await run<CreditRow>(sql`
    select ${COLUMNS} from connector_credits k
     where k.connector_id = ${connectorId} and k.credit_id = ${creditId} for update`);
  return row;
}

type Place = Pick<CreditRow, 'platform_id' | 'transaction_id' | 'entry_id'>;

/** Stores what the money became, and in whose books. */
export async function placeCredit(
  run: Run,
  { connector_id, credit_id }: Pick<CreditRow, 'connector_id' | 'credit_id'>,
  { platform_id, transaction_id, entry_id }: Place,
): Promise<void> {
  await run(sql`
    update connector_credits
       set platform_id = ${platform_id}, transaction_id = ${transaction_id}, entry_id = ${entry_id}
     where connector_id = ${connector_id} and credit_id = ${credit_id}`);
}

/** The money that funded a payment. */
export async function findCreditOf(tx: ReadTx, transactionId: TransactionId): Promise<CreditRow | undefined> {
  const [row] = await tx.sql<CreditRow>`
    select ${COLUMNS} from connector_credits k
     where k.platform_id = ${tx.platformId} and k.transaction_id = ${transactionId}`;
  return row;
}

/** The bank took it back, as the connector says. */
export async function markReversed(
  run: Run,
  { connector_id, credit_id }: Pick<CreditRow, 'connector_id' | 'credit_id'>,
  now: Date,
): Promise<void> {
  await run(sql`
    update connector_credits set reversed_at = ${now}
     where connector_id = ${connector_id} and credit_id = ${credit_id}`);
}

/** A person booked that it was taken back. */
export async function markTakenBack(
  tx: Tx,
  { connector_id, credit_id }: Pick<CreditRow, 'connector_id' | 'credit_id'>,
  now: Date,
): Promise<void> {
  await tx.sql`
    update connector_credits set taken_back_at = ${now}
     where connector_id = ${connector_id} and credit_id = ${credit_id}`;
}

/** A credit with the open break about it. */
export interface CreditBreak extends CreditRow {
  /** The name of the connector. */
  connector: string;
}

/** Finds what an open break of this kind is about, and locks both until the transaction ends. */
export async function lockCreditBreak(
  run: Run,
  breakId: string,
  kind: 'THEIRS_UNMATCHED' | 'RETURNED',
): Promise<CreditBreak | undefined> {
  const [row] = await run<CreditBreak>(sql`
    select ${COLUMNS}, c.name as connector
      from connector_breaks b
      join connectors c on c.id = b.connector_id
      join connector_credits k on k.connector_id = b.connector_id and k.credit_id = case
        when b.about like 'credit %' then substr(b.about, 8)
        -- Breaks of earlier versions name the credit alone.
        when b.about !~ '^(line|entry|event|settlement account) ' then b.about end
     where b.id = ${breakId} and b.kind = ${kind} and b.resolved_at is null
       for update of b, k`);
  return row;
}

/** The owner of the money, over all platforms. */
export interface Recipient {
  platform_id: PlatformId;
  /** The internal account that is to be credited. */
  account_id: AccountId | null;
  /** The reference of a quote or an account. */
  reference: string | null;
}

export async function findRecipientByAccount(
  run: Run,
  platforms: readonly PlatformId[],
  accountId: AccountId,
): Promise<Recipient | undefined> {
  const [row] = await run<Recipient>(sql`
    select a.platform_id, a.id as account_id, null as reference
      from internal_accounts a where a.platform_id = any(${platforms}::uuid[]) and a.id = ${accountId}`);
  return row;
}

/** Finds the quotes and accounts that have one of these references: one look-up by key for each platform. */
export function listRecipientsByReference(
  run: Run,
  platforms: readonly PlatformId[],
  references: readonly string[],
): Promise<Recipient[]> {
  return run<Recipient>(sql`
    with wanted as (
      select p.platform_id, r.reference
        from unnest(${platforms}::uuid[]) as p (platform_id) cross join unnest(${references}::text[]) as r (reference))
    select w.platform_id, null as account_id, w.reference
      from wanted w
     where exists (
       select from transactions t
        where t.platform_id = w.platform_id and t.reference = w.reference and t.kind = 'QUOTE'
          and t.source_type = 'REALTIME')
    union all
    select w.platform_id, a.id, w.reference
      from wanted w join internal_accounts a on a.platform_id = w.platform_id and a.reference = w.reference`);
}

/** The platform whose books hold the unclaimed money in a settlement account (connectors.md §8.5). */
export async function findOwner(
  run: Run,
  connectorId: string,
  settlementAccount: string,
): Promise<PlatformId | undefined> {
  const [row] = await run<{ platform_id: PlatformId }>(sql`
    select platform_id from connector_owners
     where connector_id = ${connectorId} and settlement_account = ${settlementAccount}`);
  return row?.platform_id;
}

export interface OwnerRow {
  connector_id: string;
  settlement_account: string;
  platform_id: PlatformId;
}

/** The owners of the settlement accounts of a connector. */
export function listOwners(run: Run, connectorId: string): Promise<OwnerRow[]> {
  return run<OwnerRow>(sql`
    select connector_id, settlement_account, platform_id from connector_owners
     where connector_id = ${connectorId} order by settlement_account`);
}

/** Sets the owner, and lets money be booked that waited for one. */
export async function upsertOwner(
  run: Run,
  { connector_id, settlement_account, platform_id }: OwnerRow,
  now: Date,
): Promise<void> {
  await run(sql`
    insert into connector_owners (connector_id, settlement_account, platform_id, set_at)
    values (${connector_id}, ${settlement_account}, ${platform_id}, ${now})
        on conflict (connector_id, settlement_account) do update
       set platform_id = excluded.platform_id, set_at = excluded.set_at`);
  await run(sql`
    update connector_events set due_at = ${now}
     where connector_id = ${connector_id} and type = 'CREDIT' and applied_at is null
       and due_at is not null`);
  // Unmatched lines of the bank are booked in the present owner's books (bank-files.md §6.6).
  await run(sql`
    update connector_breaks b set platform_id = ${platform_id}
      from bank_lines l
     where b.connector_id = ${connector_id} and b.platform_id is distinct from ${platform_id} and b.resolved_at is null
       and b.about = 'line ' || l.id and l.connector_id = ${connector_id} and l.settlement_account = ${settlement_account}
       and coalesce(l.matched_on, 'infinity'::date) = 'infinity'::date`);
}
