import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { startEmbedded } from '#foundation/database/embedded/embedded.ts';
import { migrate } from '#foundation/database/migrate.ts';
import { sql } from '#foundation/database/sql.ts';
import { upgradeMonthsAgo } from '#tests/given/audit-months.ts';
import { createDatabase, databaseAt, databaseOf } from './databases.ts';
import { type Contestant, measure, median, medianRate, type Result } from './rounds.ts';
import { accountReads, fillAccounts } from './scale-accounts.ts';
import { customerReads, fillCustomers } from './scale-customers.ts';
import { externalAccountCalls, fillExternalAccounts } from './scale-external-accounts.ts';
import { logCalls } from './scale-logs.ts';
import { fillLogs } from './scale-logs-fill.ts';
import { transactionCalls } from './scale-transactions.ts';
import { fillTransactions } from './scale-transactions-fill.ts';
import { openService, type World } from './world.ts';

/** Fills the platform with this many rows; returns the queries on them, in the same order at every size. */
type Piece = (world: World, count: number, label: string) => Promise<Contestant[]>;

/** One per large table, each on a platform of its own. */
const PIECES: Readonly<Record<string, Piece>> = {
  customers: ofOwners(async ({ work }, count, label) =>
    customerReads(work, await fillCustomers(work, count), label),
  ),
  'internal accounts': ofOwners(async ({ work }, count, label) =>
    accountReads(work, await fillAccounts(work, count), label),
  ),
  'external accounts': ofOwners(async ({ work }, count, label) =>
    externalAccountCalls(work, await fillExternalAccounts(work, count), label),
  ),
  transactions: async (world, count, label) =>
    transactionCalls(world, await fillTransactions(world, count), label),
  'logs and queues': async (world, count, label) => logCalls(await fillLogs(world, count), label),
};

/** No size has more customers and accounts, because sealing each of them takes time. */
const OWNERS_MAX = 1_000_000;

function ofOwners(piece: Piece): Piece {
  return (world, count, label) => piece(world, Math.min(count, OWNERS_MAX), label);
}

/** The audit log has as many months as an installation of this age. */
const MONTHS = 13;

const BUDGET = 1.2;
// Many short rounds, so that a short disturbance of the machine affects both sizes alike.
const ROUND_MS = 200;
const QUICK = { rounds: 1, roundMs: 1, warmUpRounds: 0 };

/**
 * `npm run bench:scale`: compares the cost of a call on large tables with the same call on small ones. Each size has its own
 * database on one server, measured in interleaved rounds; the median of the rounds' ratios is the result.
 * `--rows 2000,20000` for a quick look: below 10,000 rows the counts of pages differ, so ratios say little.
 * `--only transactions` measures one piece alone, and `--calls operator:,API:` only calls with one of these words in their
 * names. `--rounds 10` measures fewer rounds. `--quick` shows that everything runs, with figures that mean nothing.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string' },
    only: { type: 'string' },
    calls: { type: 'string' },
    rounds: { type: 'string', default: '40' },
    quick: { type: 'boolean', default: false },
  },
});
const rows = values.rows ?? (values.quick ? '100,200' : '10000,1000000');
const [small = 0, large = 0] = rows.split(',').map(Number);
if (!(Number.isInteger(small) && Number.isInteger(large) && small > 0 && large > small)) {
  throw new Error('--rows takes two counts, the small one first: --rows 10000,1000000');
}
const pieces = Object.entries(PIECES).filter(([name]) => (values.only ?? name) === name);
if (pieces.length === 0) throw new Error(`--only takes one of: ${Object.keys(PIECES).join(', ')}`);
const folder = await mkdtemp(join(tmpdir(), 'corridor-scale-'));
const embedded = await startEmbedded({ dataDir: folder, report: (line) => console.log(line) });
const closers: (() => Promise<void>)[] = [];
try {
  await migrate(embedded.url);
  const few = await fill('scale_small', small);
  const many = await fill('scale_large', large);
  // Neighbours in a round are the same call at both sizes.
  const contestants = few.flatMap((contestant, i) => [contestant, many[i] as Contestant]);
  const full = { rounds: Number(values.rounds), roundMs: ROUND_MS };
  printCosts(await measure(contestants, values.quick ? QUICK : full));
} finally {
  for (const close of closers.reverse()) await close();
  await embedded.stop();
  await rm(folder, { recursive: true, force: true });
}

/** A database with this many rows of each piece. */
async function fill(name: string, count: number): Promise<Contestant[]> {
  const url = await createDatabase(databaseAt(embedded.url, 'postgres'), name, databaseOf(embedded.url));
  await withDatabase(url, async (database) => {
    await upgradeMonthsAgo(database, MONTHS);
    await database.query(sql`drop table audit_log_first`);
  });
  const newPlatform = await openService(url, closers);
  const contestants: Contestant[] = [];
  for (const [what, piece] of pieces) {
    const start = performance.now();
    const asked = await piece(await newPlatform(what), count, String(count));
    contestants.push(...asked.filter(isAsked).map((contestant) => named(what, contestant)));
    console.log(`filled ${count} ${what} in ${Math.round((performance.now() - start) / 1000)} s`);
  }
  return contestants;
}

/** All calls, or those that `--calls` names. */
function isAsked({ name }: Contestant): boolean {
  return values.calls === undefined || values.calls.split(',').some((word) => name.includes(word));
}

/** Puts the filled table before the names. */
function named(what: string, contestant: Contestant): Contestant {
  const { name, against = [] } = contestant;
  return {
    ...contestant,
    name: `${what}: ${name}`,
    against: against.map((one) => ({ ...one, name: `${what}: ${one.name}` })),
  };
}

async function withDatabase(url: string, steps: (database: Database) => Promise<void>): Promise<void> {
  const database = openDatabase({ url, connectionsMax: 2 });
  try {
    await steps(database);
  } finally {
    await database.close();
  }
}

/** Results come in pairs: the call on the small table, then on the large one. */
function printCosts(results: readonly Result[]): void {
  const lines = results.flatMap((result, i) => {
    const larger = results[i + 1];
    if (i % 2 === 1 || !larger) return [];
    const [before, after] = [costOf(result), costOf(larger)];
    return [
      {
        what: result.contestant.name.replace(/, \d+$/, ''),
        [`at ${small}`]: `${before.toFixed(3)} ms`,
        [`at ${large}`]: `${after.toFixed(3)} ms`,
        ratio: medianRatio(result, larger).toFixed(2),
        budget: `≤ ${BUDGET}`,
        'to the API’s own list': ratioToOwn(larger, results),
      },
    ];
  });
  console.table(lines);
}

/** Returns the cost of the call on the large table, as a multiple of the call with which it is compared. */
function ratioToOwn(result: Result, results: readonly Result[]): string {
  const [own] = result.contestant.against ?? [];
  const other = results.find(({ contestant }) => contestant.name === own?.name);
  if (!own || !other) return '';
  const most = own.budget === undefined ? '' : ` (≤ ${(1 / own.budget).toFixed(1)})`;
  return `${medianRatio(other, result).toFixed(2)}${most}`;
}

/** Milliseconds of the whole machine for one call. */
function costOf(result: Result): number {
  return 1000 / medianRate(result);
}

/** The ratios of neighbouring rounds. */
function medianRatio(small: Result, large: Result): number {
  return median(small.rounds.map((round, i) => round.perSecond / (large.rounds[i]?.perSecond ?? 0)));
}
