import assert from 'node:assert/strict';
import { type AccountReason, CommitRefused, type Reason } from '#foundation/database/reasons.ts';
import type { Work } from '#foundation/database/work.ts';
import { verifyLedger, violationsIn } from '#foundation/ledger/checks.ts';
import type { CompleteEntry, Entry, Line } from '#foundation/ledger/entries.ts';
import type { Account, AccountState, GuardedAccount } from '#foundation/ledger/kinds.ts';
import { post } from '#foundation/ledger/post.ts';
import { findBalances, openLedgerAccounts } from '#foundation/ledger/store.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import type { World } from '#tests/harness/harness.ts';

/** One platform's ledger, below everything that posts to it. */
export type GivenLedger = Awaited<ReturnType<typeof givenLedger>>;

export async function givenLedger(world: World) {
  const platform = await world.platform();
  const work = await platform.work();
  return {
    platformId: platform.id,
    work,
    /** A new account with this much money on it. */
    async avail(amount = 0n): Promise<GuardedAccount> {
      const account: GuardedAccount = `AVAIL:${newUuid()}`;
      await work.write(async (tx) => {
        await openLedgerAccounts(tx, [{ account, currency: 'USD' }]);
        if (amount > 0n) post(tx, { kind: 'deposit.received', lines: deposit(account, amount) });
      });
      return account;
    },
    complete: (entry: Entry): CompleteEntry => ({
      ...entry,
      id: newUuid(),
      platformId: platform.id,
      createdAt: new Date(world.clock.now()),
      recordedAt: new Date(world.clock.now()),
    }),
    /** Posts them in one transaction, all or none; returns the reason if none was posted. */
    tryPost: (...entries: Entry[]): Promise<Reason | undefined> =>
      catchReason(work.write(async (tx) => entries.forEach((entry) => void post(tx, entry)))),
    balances: (...accounts: GuardedAccount[]) => balancesIn(work, accounts),
    /** Each entry in the journal, in the given order; undefined if it is missing. */
    stored: (...entries: readonly { readonly id: string }[]) => storedIn(work, entries),
    /** Entries of this platform, fillers aside. */
    entryCount: () =>
      work.read(async (tx) => {
        const [row] = await tx.sql<{ count: bigint }>`
          select count(*) as count from ledger_entries where platform_id = ${tx.platformId} and kind <> 'receipt.suspended'`;
        return row?.count;
      }),
  };
}

/** The reason of a refused commit. */
export async function catchReason(writing: Promise<unknown>): Promise<Reason | undefined> {
  try {
    await writing;
    return undefined;
  } catch (error) {
    if (error instanceof CommitRefused) return error.reason;
    throw error;
  }
}

export async function assertSound(world: World): Promise<void> {
  assert.deepEqual(violationsIn(await verifyLedger(world.database.query)), []);
}

/** An entry that changes no customer's balance. */
export function filler(): Entry {
  return { kind: 'receipt.suspended', lines: move('RAIL:SANDBOX:USD', 'SUSPENSE:USD', 1n) };
}

export function line(account: Account, side: Line['side'], amount: bigint, currency = 'USD'): Line {
  return { account, side, amount, currency };
}

export function move(from: Account, to: Account, amount: bigint): Line[] {
  return [line(from, 'DEBIT', amount), line(to, 'CREDIT', amount)];
}

export function deposit(account: GuardedAccount, amount: bigint): Line[] {
  return move('RAIL:SANDBOX:USD', account, amount);
}

/** The facts about an account in a refusal. */
export function about(name: AccountReason, platformId: string, account: Account, currency = 'USD'): Reason {
  return { name, account, currency, subject: `${platformId} ${account} ${currency}` };
}

async function balancesIn(work: Work, accounts: GuardedAccount[]): Promise<(bigint | undefined)[]> {
  const states = await work.read((tx) => findBalances(tx, accounts));
  return accounts.map((account) => states.find((state) => state.account === account)?.balance);
}

/** An entry of the journal; the lines of accounts with a balance, in order. */
export interface StoredEntry {
  readonly seq: bigint;
  readonly reversesSeq: bigint | null;
  readonly states: AccountState[];
}

async function storedIn(
  work: Work,
  entries: readonly { readonly id: string }[],
): Promise<(StoredEntry | undefined)[]> {
  const rows = await work.read(
    (tx) =>
      tx.sql<StoredRow>`
      select id, seq, reverses_seq, accounts, currencies, account_nos::text[], balances::text[]
        from ledger_entries where platform_id = ${tx.platformId} and id = any(${entries.map(({ id }) => id)}::uuid[])`,
  );
  return entries.map(({ id }) => {
    const found = rows.filter((row) => row.id === id);
    assert(found.length <= 1, `entry ${id} stands ${found.length} times`);
    return found[0] && { seq: found[0].seq, reversesSeq: found[0].reverses_seq, states: statesOf(found[0]) };
  });
}

interface StoredRow {
  readonly id: string;
  readonly seq: bigint;
  readonly reverses_seq: bigint | null;
  readonly accounts: string[];
  readonly currencies: string[];
  readonly account_nos: (string | null)[];
  readonly balances: (string | null)[];
}

function statesOf({ accounts, currencies, account_nos: nos, balances }: StoredRow): AccountState[] {
  return accounts.flatMap((account, i): AccountState[] => {
    const no = nos[i];
    if (no === null || no === undefined) return [];
    return [
      {
        account: account as AccountState['account'],
        currency: currencies[i] as string,
        no: BigInt(no),
        balance: BigInt(balances[i] ?? 0),
      },
    ];
  });
}
