import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '#foundation/database/database.ts';
import { startEmbedded } from '#foundation/database/embedded/embedded.ts';
import { sql } from '#foundation/database/sql.ts';
import { type Sample, SUBJECTS, type Subject } from './counted-subjects.ts';
import { createDatabase, databaseAt } from './databases.ts';
import { restartUnderValgrind } from './valgrind.ts';

export interface Counting {
  /** Of `SUBJECTS`. */
  readonly names: readonly string[];
  /** Operations before those that are counted. */
  readonly warmUp: number;
  readonly count: number;
  /** Called with the results of each, as soon as they are known. */
  report(name: string, samples: readonly Sample[]): void;
}

/**
 * As autovacuum does within a minute; under valgrind it does not run. Without statistics all indexes that begin with the
 * platform seem equally good, and PostgreSQL takes the newest one.
 */
async function analyze(serverUrl: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const database = openDatabase({ url: databaseAt(serverUrl, `counted_${name}`), connectionsMax: 1 });
    await database.query(sql`analyze`);
    await database.close();
  }
}

/** Prepares everything on an ordinary server, and then counts under valgrind, where all takes fifty times as long. */
export async function countInstructions({ names, warmUp, count, report }: Counting): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'corridor-instructions-'));
  const embedded = await startEmbedded({ dataDir: folder, report: () => undefined });
  const closers: (() => Promise<void>)[] = [embedded.stop];
  try {
    const subjects: [string, Subject][] = [];
    for (const name of names) {
      const databaseUrl = await createDatabase(embedded.url, `counted_${name}`);
      const prepare = SUBJECTS[name] as (typeof SUBJECTS)[string];
      subjects.push([name, await prepare({ databaseUrl, closers, times: warmUp + count })]);
    }
    await analyze(embedded.url, names);
    const server = await restartUnderValgrind(embedded);
    closers.unshift(server.stop);
    for (const [name, subject] of subjects) {
      await subject.begin(server.collect);
      for (let i = 0; i < warmUp; i++) await subject.once();
      const samples: Sample[] = [];
      while (samples.length < count) samples.push(await subject.once());
      report(name, samples);
    }
  } finally {
    for (const close of closers.reverse()) await close();
    await rm(folder, { recursive: true, force: true });
  }
}
