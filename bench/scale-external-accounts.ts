import assert from 'node:assert/strict';
import { createExternalAccount } from '#capabilities/external-accounts/create-external-account.ts';
import { presentExternalAccount } from '#capabilities/external-accounts/present.ts';
import { findDuplicate, findExternalAccount, listAccounts } from '#capabilities/external-accounts/store.ts';
import type { AccountInfo } from '#capabilities/external-accounts/types/account-fields.ts';
import { fingerprintText } from '#capabilities/external-accounts/types/account-rules.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import { pageRequest } from '#foundation/http/paging.ts';
import { NIL_ID, newUuid } from '#foundation/lib/ids.ts';
import { type Contestant, callers } from './rounds.ts';

const BATCH = 5_000;
const PER_CUSTOMER = 10;
const CURRENCY = 'USD';
const CLIENTS = 8;
/** How many accounts are requested at every size, spread over the table. */
const PICKED = 64;

/** External accounts made by `fillExternalAccounts`, with a few of them to request. */
export interface FilledExternalAccounts {
  readonly accountIds: readonly ExternalAccountId[];
  readonly customerIds: readonly CustomerId[];
  /** Numbers that are taken by the account of the same place in `customerIds`. */
  readonly accountNumbers: readonly string[];
  /** Customers to whom accounts may be added: not those whose pages are read. */
  readonly growingIds: readonly CustomerId[];
}

/**
 * Gives the platform of `work` this many external dollar accounts, ten per customer, encrypted and fingerprinted like real
 * ones. All have one currency, for the reason in scale-accounts.ts.
 */
export async function fillExternalAccounts(work: Work, count: number): Promise<FilledExternalAccounts> {
  const picked: Row[] = [];
  const growing: Row[] = [];
  const every = Math.floor(count / PICKED);
  const start = work.runtime.clock.now() - count;
  for (let made = 0; made < count; made += BATCH) {
    const rows = newRows(start, made, Math.min(BATCH, count - made));
    await insertRows(work, rows);
    picked.push(...rows.filter((_, i) => (made + i) % every === 0));
    growing.push(...rows.filter((_, i) => (made + i) % every === PER_CUSTOMER));
  }
  // As autovacuum leaves a table that rests.
  await work.runtime.database.query(sql`vacuum analyze customers, external_accounts`);
  return {
    accountIds: picked.map(({ id }) => id),
    customerIds: picked.map(({ customerId }) => customerId),
    accountNumbers: picked.map(({ accountNumber }) => accountNumber),
    growingIds: growing.map(({ customerId }) => customerId),
  };
}

interface Row {
  readonly id: ExternalAccountId;
  readonly customerId: CustomerId;
  readonly accountNumber: string;
  readonly createdAt: Date;
}

function newRows(start: number, first: number, count: number): Row[] {
  let customerId: CustomerId = NIL_ID;
  return Array.from({ length: count }, (_, i) => {
    if (i % PER_CUSTOMER === 0) customerId = newUuid();
    const no = first + i;
    return {
      id: newUuid(),
      customerId,
      accountNumber: String(no).padStart(12, '0'),
      createdAt: new Date(start + no),
    };
  });
}

function buildAccountInfo(accountNumber: string): AccountInfo {
  return {
    accountType: 'USD_ACCOUNT',
    accountNumber,
    routingNumber: '021000021',
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Ada Lovelace' },
  };
}

async function insertRows(work: Work, rows: readonly Row[]): Promise<void> {
  const { platform } = work;
  const customers = new Map(rows.map(({ customerId, createdAt }) => [customerId, createdAt]));
  await work.write(async (tx) => {
    await tx.sql`
      insert into customers
        (platform_id, id, environment, customer_type, platform_customer_id, uma_address, status, region, currencies,
         created_at, updated_at)
      select ${platform.id}::uuid, r.id, ${platform.environment}, 'INDIVIDUAL', r.id::text,
             '$' || r.id::text || '@bench.example', 'APPROVED', 'US', ${[CURRENCY]}::text[], r.created_at,
             r.created_at
        from unnest(${[...customers.keys()]}::uuid[], ${[...customers.values()]}::timestamptz[])
          as r (id, created_at)`;
    const details = rows.map((row) => sealed(tx, row));
    const fingerprints = rows.map((row) => fingerprint(tx, row));
    await tx.sql`
      insert into external_accounts
        (platform_id, id, customer_id, account_type, currency, status, name_check, us_validation, details,
         fingerprint, created_at, updated_at)
      select ${platform.id}::uuid, r.id, r.customer_id, 'USD_ACCOUNT', ${CURRENCY}, 'ACTIVE', 'MATCHED', 'VALID',
             r.details, r.fingerprint, r.created_at, r.created_at
        from unnest(
          ${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.customerId)}::uuid[],
          ${details}::bytea[], ${fingerprints}::bytea[], ${rows.map((row) => row.createdAt)}::timestamptz[]
        ) as r (id, customer_id, details, fingerprint, created_at)`;
  });
}

function sealed({ vault }: Tx, { id, accountNumber }: Row): Buffer {
  const details = JSON.stringify({ info: buildAccountInfo(accountNumber), verifiedName: 'Ada Lovelace' });
  return vault.seal(details, `external_accounts.details:${id}`);
}

function fingerprint({ vault, platformId }: Tx, { customerId, accountNumber }: Row): Buffer {
  const text = fingerprintText(`${platformId}:${customerId}`, CURRENCY, buildAccountInfo(accountNumber));
  return vault.hash(text, 'external_accounts.fingerprint').toStore;
}

/** The queries on the table, one contestant each; names end in `label`, so that sizes can be shown side by side. */
export function externalAccountCalls(
  work: Work,
  filled: FilledExternalAccounts,
  label: string,
): Contestant[] {
  const { accountIds, customerIds, accountNumbers, growingIds } = filled;
  const page = (query: Record<string, string>) => () =>
    work.read((tx) =>
      listAccounts(tx, 'CUSTOMERS', pageRequest('listCustomerExternalAccounts', query), query, (row) =>
        presentExternalAccount(tx, row),
      ),
    );
  const any = (ids: readonly string[]) => Math.floor(Math.random() * ids.length);
  const one = (tx: ReadTx) => findExternalAccount(tx, accountIds[any(accountIds)] ?? NIL_ID);
  const same = async (tx: ReadTx) => {
    const at = any(customerIds);
    const found = await findDuplicate(
      tx,
      customerIds[at],
      CURRENCY,
      buildAccountInfo(accountNumbers[at] ?? ''),
    );
    assert.equal(found, accountIds[at]);
  };
  const calls: [string, () => Promise<unknown>][] = [
    ['page of external accounts', page({})],
    ['page by currency', page({ currency: CURRENCY })],
    ['page by customer', () => page({ customerId: customerIds[any(customerIds)] ?? '' })()],
    ['one external account', () => work.read(one)],
    ['look for a duplicate', () => work.read(same)],
    ['add an external account', () => add(work, growingIds[any(growingIds)])],
  ];
  return calls.map(([name, call]) => ({
    name: `${name}, ${label}`,
    unit: 'call',
    round: (ms: number) => callers(CLIENTS, ms, call),
  }));
}

/** With everything that the API does for it. Sixteen digits, which no filled account has, and no magic suffix. */
function add(work: Work, customerId: CustomerId | undefined): Promise<unknown> {
  const accountNumber = `${1e12 + Math.floor(Math.random() * 9e12)}000`;
  return work.write((tx) =>
    createExternalAccount(
      tx,
      customerId,
      { currency: CURRENCY, accountInfo: buildAccountInfo(accountNumber) },
      [],
    ),
  );
}
