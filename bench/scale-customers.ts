import { listCustomers } from '#capabilities/customers/routes.ts';
import type { CustomerQuery } from '#capabilities/customers/schemas.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Work } from '#foundation/database/work.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { type Contestant, callers } from './rounds.ts';

const BATCH = 5_000;
const CLIENTS = 8;

/** The value of almost all customers. A count is exact up to 10,000, so the common value must match that many at each size. */
const COMMON = { type: 'INDIVIDUAL', region: 'US', currency: 'USD' } as const;
/** The value of only the oldest: a search for them along the list would pass all others. */
const RARE = { type: 'BUSINESS', region: 'IS', currency: 'ISK' } as const;
const RARE_COUNT = 20;

/** Customers made by `fillCustomers`, with a few of them to request. */
export interface FilledCustomers {
  readonly count: number;
  readonly references: readonly string[];
  readonly umaAddresses: readonly string[];
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/**
 * Gives the platform of `work` this many customers and RARE_COUNT older ones of another kind. The rows are inserted in
 * batches; the API would take hours.
 */
export async function fillCustomers(work: Work, count: number): Promise<FilledCustomers> {
  const start = work.runtime.clock.now() - count;
  const references: string[] = [];
  const umaAddresses: string[] = [];
  const insert = async (from: number, size: number, kind: Kind) => {
    const rows = Array.from({ length: size }, (_, i) => newRow(start + from + i));
    await insertRows(work, rows, kind);
    references.push(rows[0]?.reference ?? '');
    umaAddresses.push(rows[0]?.umaAddress ?? '');
  };
  await insert(-RARE_COUNT, RARE_COUNT, RARE);
  for (let made = 0; made < count; made += BATCH) await insert(made, Math.min(BATCH, count - made), COMMON);
  // As autovacuum leaves a table that rests.
  await work.runtime.database.query(sql`vacuum analyze customers, customer_currencies`);
  const [firstAt, lastAt] = [new Date(start - RARE_COUNT), new Date(start + count)];
  return { count, references, umaAddresses, firstAt, lastAt };
}

type Kind = typeof COMMON | typeof RARE;

interface Row {
  id: string;
  reference: string;
  umaAddress: string;
  createdAt: Date;
}

function newRow(createdAtMs: number): Row {
  const id = newUuid();
  return {
    id,
    reference: `user-${id}`,
    umaAddress: `$${id}@bench.example`,
    createdAt: new Date(createdAtMs),
  };
}

async function insertRows(
  { runtime: { database }, platform }: Work,
  rows: readonly Row[],
  { type, region, currency }: Kind,
): Promise<void> {
  const ids = rows.map((row) => row.id);
  const times = rows.map((row) => row.createdAt);
  await database.transaction(async (run) => {
    await run(sql`
      insert into customers
        (platform_id, id, environment, customer_type, platform_customer_id, uma_address, status, region, currencies,
         email, address, profile, created_at, updated_at)
      select ${platform.id}::uuid, r.id, ${platform.environment}, ${type}, r.reference, r.uma_address, 'APPROVED',
             ${region}, ${[currency]}::text[], 'ada@example.com',
             '{"line1": "1 Market St", "city": "San Francisco", "postalCode": "94105", "country": "US"}',
             case ${type} when 'BUSINESS' then '{"legalName": "Analytical Engines Inc."}'::jsonb
                  else '{"fullName": "Ada Lovelace", "birthDate": "1990-12-10"}'::jsonb end,
             r.created_at, r.created_at
        from unnest(
          ${ids}::uuid[], ${rows.map((row) => row.reference)}::text[],
          ${rows.map((row) => row.umaAddress)}::text[], ${times}::timestamptz[]
        ) as r (id, reference, uma_address, created_at)`);
    await run(sql`
      insert into customer_currencies (platform_id, currency, created_at, customer_id)
      select ${platform.id}::uuid, ${currency}, r.created_at, r.id
        from unnest(${ids}::uuid[], ${times}::timestamptz[]) as r (id, created_at)`);
  });
}

/** The queries on the list, one contestant each; names end in `label`, so that sizes can be shown side by side. */
export function customerReads(work: Work, filled: FilledCustomers, label: string): Contestant[] {
  const page = (query: CustomerQuery) => () => work.read((tx) => listCustomers(tx, query));
  const any = (names: readonly string[]) => names[Math.floor(Math.random() * names.length)] ?? '';
  const [first, last] = [filled.firstAt.toISOString(), filled.lastAt.toISOString()];
  // One customer a millisecond: few match, so a count that passes the others shows.
  const lately = new Date(filled.lastAt.getTime() - 100).toISOString();
  const reads: [string, () => Promise<unknown>][] = [
    ['page of customers', page({})],
    ['page with deleted ones', page({ isIncludingDeleted: true })],
    ['page by type', page({ customerType: COMMON.type })],
    ['page by rare type', page({ customerType: RARE.type })],
    ['page by region', page({ region: COMMON.region })],
    ['page by rare region', page({ region: RARE.region })],
    ['page by currency', page({ currency: COMMON.currency })],
    ['page by rare currency', page({ currency: RARE.currency })],
    ['page by reference', () => page({ platformCustomerId: any(filled.references) })()],
    ['page by UMA address', () => page({ umaAddress: any(filled.umaAddresses) })()],
    ['page created after', page({ createdAfter: first })],
    ['page created before', page({ createdBefore: last })],
    ['page updated after', page({ updatedAfter: first })],
    ['page updated lately', page({ updatedAfter: lately })],
    ['page updated before', page({ updatedBefore: last })],
  ];
  return reads.map(([name, read]) => ({
    name: `${name}, ${label}`,
    unit: 'read',
    round: (ms: number) => callers(CLIENTS, ms, read),
  }));
}
