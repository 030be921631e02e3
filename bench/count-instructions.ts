import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '#foundation/database/embedded/embedded.ts';
import { type Sample, SUBJECTS, type Subject } from './counted-subjects.ts';
import { createDatabase } from './databases.ts';
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
