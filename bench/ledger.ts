import assert from 'node:assert/strict';
import type { Database } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import type { CompleteEntry, Line } from '#foundation/ledger/entries.ts';
import type { GuardedAccount } from '#foundation/ledger/kinds.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { createPoster, postSet } from '#tests/harness/ledger-poster.ts';

/** Transfers between two of many accounts, each an entry with two guarded lines; every call is durable. */
export interface LedgerPostings {
  /** One entry, one trip, one commit. */
  postOne(): Promise<void>;
  /** One entry; callers at the same time share trip and commit. */
  postShared(): Promise<void>;
  /** `BATCH` entries, one trip, one commit. */
  postBatch(): Promise<void>;
  /** Like `postOne` and `postShared`, all out of one account. */
  postOneHot(): Promise<void>;
  postSharedHot(): Promise<void>;
}

export const BATCH = 100;

const FUNDS = 1_000_000_000_000n;
const CURRENCY = 'USD';

/** Brings a platform of its own with funded accounts; the database must be migrated. */
export async function setup(database: Database, accountCount: number): Promise<LedgerPostings> {
  const platformId = newUuid();
  const accounts = Array.from({ length: accountCount }, (): GuardedAccount => `AVAIL:${newUuid()}`);
  await insertPlatform(database, platformId);
  await openAccounts(database, platformId, accounts);
  const buildEntry = (lines: Line[]): CompleteEntry => ({
    id: newUuid(),
    platformId,
    kind: 'payment.executed',
    transactionId: newUuid(),
    createdAt: new Date(),
    recordedAt: new Date(),
    lines,
  });
  await fund(database, accounts, buildEntry);
  await database.query(sql`analyze ledger_balances, ledger_entries`);

  const any = () => accounts[Math.floor(Math.random() * accountCount)] as GuardedAccount;
  const transfer = (from = any()) => buildEntry(transferLines(from, otherThan(from, any)));
  const send = async (entries: CompleteEntry[]) => assert.equal(await postSet(database, entries), undefined);
  const poster = createPoster(database);
  const share = async (entry: CompleteEntry) => assert.equal(await poster(entry), undefined);
  const hot = accounts[0] as GuardedAccount;
  return {
    postOne: () => send([transfer()]),
    postShared: () => share(transfer()),
    postBatch: () => send(Array.from({ length: BATCH }, () => transfer())),
    postOneHot: () => send([transfer(hot)]),
    postSharedHot: () => share(transfer(hot)),
  };
}

async function insertPlatform(database: Database, platformId: string): Promise<void> {
  const now = new Date();
  await database.query(sql`
    with key as (
      insert into webhook_keys (platform_id, id, public_key, private_key, created_at, signs_from)
      values (${platformId}, ${platformId}, '', '', ${now}, ${now}))
    insert into platforms (id, name, environment, webhook_key_id, created_at, updated_at)
    values (${platformId}, 'Benchmark', 'SANDBOX', ${platformId}, ${now}, ${now})`);
}

async function openAccounts(database: Database, platformId: string, accounts: string[]): Promise<void> {
  await database.query(sql`
    insert into ledger_balances (platform_id, account, currency, updated_at)
    select ${platformId}, account, ${CURRENCY}, ${new Date()} from unnest(${accounts}::text[]) account`);
}

/** Deposits the money of the benchmark like any other money. */
async function fund(
  database: Database,
  accounts: readonly GuardedAccount[],
  entryOf: (lines: Line[]) => CompleteEntry,
): Promise<void> {
  for (let start = 0; start < accounts.length; start += 500) {
    const deposits = accounts.slice(start, start + 500).map((account) =>
      entryOf([
        { account: 'RAIL:SANDBOX:USD', currency: CURRENCY, side: 'DEBIT', amount: FUNDS },
        { account, currency: CURRENCY, side: 'CREDIT', amount: FUNDS },
      ]),
    );
    assert.equal(await postSet(database, deposits), undefined);
  }
}

function transferLines(from: GuardedAccount, to: GuardedAccount): Line[] {
  const amount = 1n + BigInt(Math.floor(Math.random() * 1_000));
  return [
    { account: from, currency: CURRENCY, side: 'DEBIT', amount },
    { account: to, currency: CURRENCY, side: 'CREDIT', amount },
  ];
}

function otherThan(account: GuardedAccount, any: () => GuardedAccount): GuardedAccount {
  let other = any();
  while (other === account) other = any();
  return other;
}
