import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '#database/database.ts';
import { startEmbedded } from '#database/embedded/start-embedded.ts';
import { migrate } from '#database/migrate.ts';
import { ledgerContestants } from './ledger-contestants.ts';
import { startLoadProcess } from './load.ts';
import { completionContestant, paymentContestants } from './payments.ts';
import { readContestants } from './read.ts';
import { type Contestant, measure, printTable } from './rounds.ts';
import { PLAIN_CONNECTIONS } from './tpcb.ts';
import { plainTransfer } from './tpcb-contestant.ts';
import { newDatabase } from './world.ts';

/**
 * `npm run bench`: what the service does per second beside plain SQL on the same PostgreSQL with the same
 * durability, in interleaved rounds. Ratios are what counts: machines differ, and so does one machine from
 * hour to hour.
 */
const folder = await mkdtemp(join(tmpdir(), 'corridor-bench-'));
const embedded = await startEmbedded({ dataDir: folder, say: (line) => console.log(line) });
const load = startLoadProcess();
const closers: (() => Promise<void>)[] = [];

try {
  await migrate(embedded.url);
  const plain = openDatabase({ url: embedded.url, connectionsMax: PLAIN_CONNECTIONS });
  // As many as the yardstick has.
  const database = openDatabase({ url: embedded.url, connectionsMax: PLAIN_CONNECTIONS });
  closers.push(plain.close, database.close);
  const yardstick = await plainTransfer(plain);
  // One after the other, each beside the yardstick: what one leaves running would slow the others.
  const side = async (contestants: Promise<Contestant[]>, warmUpRounds?: number) =>
    printTable(await measure([yardstick, ...(await contestants)], 11, 600, warmUpRounds));
  await side(ledgerContestants(database));
  await side(readContestants({ databaseUrl: embedded.url, load, closers }));
  // Some ten thousand payments until the compiler has seen all of their code often enough.
  await side(paymentContestants({ databaseUrl: embedded.url, load, closers }), 8);
  const databaseUrl = await newDatabase(embedded.url, 'completion');
  await side(completionContestant({ databaseUrl, load, closers }).then((contestant) => [contestant]));
} finally {
  load.stop();
  for (const close of closers.reverse()) await close();
  await embedded.stop();
  await rm(folder, { recursive: true, force: true });
}
