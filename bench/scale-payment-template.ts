import { rawSql } from '#foundation/database/sql.ts';
import { newUuid, publicId } from '#foundation/lib/ids.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import type { World } from './world.ts';

/** The rows that one payment left in each table, as a JSON array; and the ids in them. */
export interface Template {
  readonly transactionId: string;
  readonly accountId: string;
  readonly rows: Readonly<Record<(typeof TABLES)[number], string>>;
}

/** Every table to which each payment adds rows, except the log of webhooks. */
export const TABLES = ['transactions', 'ledger_entries', 'events', 'idempotency_keys', 'audit_log'] as const;

/** One payment, made through the API and taken to `COMPLETED` with its webhooks delivered. */
export async function makeTemplate(world: World, from: Owner, destination: string): Promise<Template> {
  const { app, work, call } = world;
  await app.worker.settle(work.platform.id);
  const before = await snapshot(world);
  const paid = await pay(world, from, destination);
  // Before the clock is moved, which leaves an audit row of its own.
  const { audit_log } = await snapshot(world);
  await call('POST', '/sandbox/clock/advance', { seconds: 60 });
  const after = { ...(await snapshot(world)), audit_log };
  const rows = Object.fromEntries(
    TABLES.map((table) => [table, JSON.stringify(after[table].filter(isMissing(before[table])))]),
  ) as Template['rows'];
  const { status } = await call<{ status: string }>('GET', `/transactions/${paid}`);
  if (status !== 'COMPLETED') throw new Error(`the payment to copy is ${status}`);
  return { transactionId: uuidOf(paid), accountId: from.accountId, rows };
}

type Snapshot = Record<(typeof TABLES)[number], object[]>;

async function snapshot({ work }: World): Promise<Snapshot> {
  const loadRows = async (table: string) => {
    const [found] = await work.read(
      (tx) => tx.sql<{ rows: object[] }>`
        select coalesce(jsonb_agg(to_jsonb(t)), '[]') as rows from ${rawSql(table)} t
         where platform_id = ${tx.platformId}`,
    );
    return [table, found?.rows ?? []];
  };
  return Object.fromEntries(await Promise.all(TABLES.map(loadRows))) as Snapshot;
}

function isMissing(rows: readonly object[]): (row: object) => boolean {
  const known = new Set(rows.map((row) => JSON.stringify(row)));
  return (row) => !known.has(JSON.stringify(row));
}

/** A customer, the account that its payments come from, and the account outside that they go to. */
export interface Owner {
  readonly customerId: string;
  readonly accountId: string;
  readonly outsideId: string;
}

/** Pays as a client does: a quote, then its execution, each under an idempotency key. */
export async function pay({ call }: World, from: Owner, destination: string): Promise<string> {
  const quote = await call<{ id: string; transactionId: string }>(
    'POST',
    '/quotes',
    {
      source: { sourceType: 'ACCOUNT', accountId: publicId('InternalAccount', from.accountId) },
      destination: { destinationType: 'ACCOUNT', accountId: destination },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 1_000,
    },
    newUuid(),
  );
  await call('POST', `/quotes/${quote.id}/execute`, undefined, newUuid());
  return quote.transactionId;
}
