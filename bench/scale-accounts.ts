import { presentInternalAccount } from '#capabilities/accounts/present.ts';
import { findAccounts, listCustomerAccounts } from '#capabilities/accounts/store.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Work } from '#foundation/database/work.ts';
import { pageRequest } from '#foundation/http/paging.ts';
import { NIL_ID, newUuid } from '#foundation/lib/ids.ts';
import { type Contestant, callers } from './rounds.ts';

const BATCH = 5_000;
const CURRENCY = 'USD';
const CLIENTS = 8;

/** Accounts made by `fillAccounts`, with a few of them to request. */
export interface FilledAccounts {
  readonly count: number;
  readonly accountIds: readonly AccountId[];
  readonly customerIds: readonly CustomerId[];
}

/**
 * Gives the platform of `work` this many customers with a dollar account each, encrypted like real ones, with their ledger
 * accounts. All have one currency, so that every filter except the customer's matches every row: a count is exact up to
 * 10,000, so fewer matches at the small size would be counted in less time. The rows are inserted in batches; the API would
 * take hours.
 */
export async function fillAccounts(work: Work, count: number): Promise<FilledAccounts> {
  const accountIds: AccountId[] = [];
  const customerIds: CustomerId[] = [];
  const start = work.runtime.clock.now() - count;
  for (let made = 0; made < count; made += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - made) }, (_, i) =>
      newRow(work, start, made + i),
    );
    await insertRows(work, rows);
    accountIds.push(rows[0]?.id ?? NIL_ID);
    customerIds.push(rows[0]?.customerId ?? NIL_ID);
  }
  // As autovacuum leaves a table that rests.
  await work.runtime.database.query(sql`vacuum analyze customers, internal_accounts, ledger_balances`);
  return { count, accountIds, customerIds };
}

interface Row {
  id: AccountId;
  customerId: CustomerId;
  reference: string;
  funding: Buffer;
  createdAt: Date;
}

function newRow({ runtime }: Work, start: number, no: number): Row {
  const id = newUuid();
  const instructions = [
    {
      accountOrWalletInfo: {
        accountType: 'USD_ACCOUNT',
        accountNumber: String(no).padStart(12, '0'),
        routingNumber: '110000000',
        bankName: 'Sandbox Bank',
        bankAddress: '1 Sandbox Plaza, New York, NY 10001, US',
        accountHolderName: 'Svc FBO Ada Lovelace',
        paymentRails: ['ACH', 'WIRE', 'RTP', 'FEDNOW'],
        reference: `FUND-${no}`,
      },
    },
  ];
  const funding = JSON.stringify({ holderName: 'Svc FBO Ada Lovelace', instructions });
  return {
    id,
    customerId: newUuid(),
    reference: `FUND-${no}`,
    funding: runtime.vault.seal(funding, `internal_accounts.funding:${id}`),
    createdAt: new Date(start + no),
  };
}

async function insertRows({ runtime: { database }, platform }: Work, rows: readonly Row[]): Promise<void> {
  await database.transaction(async (run) => {
    await run(sql`
      insert into customers
        (platform_id, id, environment, customer_type, platform_customer_id, uma_address, status, region, currencies,
         created_at, updated_at)
      select ${platform.id}::uuid, r.id, ${platform.environment}, 'INDIVIDUAL', r.id::text,
             '$' || r.id::text || '@bench.example', 'APPROVED', 'US', ${[CURRENCY]}::text[], r.created_at,
             r.created_at
        from unnest(
          ${rows.map((row) => row.customerId)}::uuid[], ${rows.map((row) => row.createdAt)}::timestamptz[]
        ) as r (id, created_at)`);
    await run(sql`
      insert into internal_accounts
        (platform_id, id, customer_id, currency, type, status, provisioning, reference, funding, funding_count,
         created_at, updated_at)
      select ${platform.id}::uuid, r.id, r.customer_id, ${CURRENCY}, 'INTERNAL_FIAT', 'ACTIVE', 'COMPLETED',
             r.reference, r.funding, 1, r.created_at, r.created_at
        from unnest(
          ${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.customerId)}::uuid[],
          ${rows.map((row) => row.reference)}::text[], ${rows.map((row) => row.funding)}::bytea[],
          ${rows.map((row) => row.createdAt)}::timestamptz[]
        ) as r (id, customer_id, reference, funding, created_at)`);
    await run(sql`
      insert into ledger_balances (platform_id, account, currency, updated_at)
      select ${platform.id}::uuid, kind || ':' || r.id::text, ${CURRENCY}, r.created_at
        from unnest('{AVAIL,HOLD,PENDING_IN}'::text[]) as kind cross join unnest(
          ${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.createdAt)}::timestamptz[]
        ) as r (id, created_at)`);
  });
}

/** The queries on the table, one contestant each; names end in `label`, so that sizes can be shown side by side. */
export function accountReads(work: Work, filled: FilledAccounts, label: string): Contestant[] {
  const page = (query: Record<string, string>) => () =>
    work.read((tx) =>
      listCustomerAccounts(tx, pageRequest('listCustomerInternalAccounts', query), query, (row) =>
        presentInternalAccount(tx, row),
      ),
    );
  const any = <T extends Id>(ids: readonly T[]) => ids[Math.floor(Math.random() * ids.length)] ?? NIL_ID;
  const reads: [string, () => Promise<unknown>][] = [
    ['page of accounts', page({})],
    ['page by currency', page({ currency: CURRENCY })],
    ['page by type', page({ type: 'INTERNAL_FIAT' })],
    ['page by customer', () => page({ customerId: any(filled.customerIds) })()],
    ['one account with balances', () => work.read((tx) => findAccounts(tx, [any(filled.accountIds)]))],
  ];
  return reads.map(([name, read]) => ({
    name: `${name}, ${label}`,
    unit: 'read',
    round: (ms: number) => callers(CLIENTS, ms, read),
  }));
}
