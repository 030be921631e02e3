import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbedded } from '#foundation/database/embedded/embedded.ts';
import { costsOf } from './callgrind-profile.ts';
import { type LabelledPiece, type Sample, SUBJECTS, type Subject } from './counted-subjects.ts';
import { median } from './rounds.ts';
import { printRows } from './table.ts';
import { requireValgrind, restartUnderValgrind } from './valgrind.ts';
import { emptyDatabase } from './world.ts';

/**
 * `npm run bench:instructions`: counts the instructions that PostgreSQL's backend executes in user mode for one operation,
 * on warm connections. Unlike times, they hold on a busy machine. It needs valgrind.
 *
 * `npm run bench:instructions -- payment card` counts these alone; `--count 20` measures more of each, `--statements`
 * shows each statement, and `--functions 40` the functions of PostgreSQL with the highest inclusive counts.
 */
const { values, positionals } = parseArgs({
  options: {
    count: { type: 'string', default: '9' },
    functions: { type: 'string', default: '0' },
    statements: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const [count, functions] = [Number(values.count), Number(values.functions)];
if (!(count > 0 && functions >= 0)) throw new Error('--count and --functions take a number');
const names = positionals.length > 0 ? positionals : Object.keys(SUBJECTS);
const unknown = names.filter((name) => !Object.hasOwn(SUBJECTS, name));
if (unknown.length > 0) throw new Error(`there is no ${unknown}; choose of ${Object.keys(SUBJECTS)}`);
requireValgrind();

/** PostgreSQL plans a statement anew five times before it keeps a plan; look-ups alternate between two connections. */
const WARM_UP = 16;

const folder = await mkdtemp(join(tmpdir(), 'corridor-instructions-'));
const embedded = await startEmbedded({ dataDir: folder, report: () => undefined });
const closers: (() => Promise<void>)[] = [embedded.stop];
try {
  const subjects: [string, Subject][] = [];
  for (const name of names) {
    const databaseUrl = await emptyDatabase(embedded.url, `counted_${name}`);
    const make = SUBJECTS[name] as (typeof SUBJECTS)[string];
    subjects.push([name, await make({ databaseUrl, closers, times: WARM_UP + count })]);
  }
  const server = await restartUnderValgrind(embedded);
  closers.unshift(server.stop);
  for (const [name, subject] of subjects) {
    await subject.begin(server.collect);
    for (let i = 0; i < WARM_UP; i++) await subject.once();
    const samples: Sample[] = [];
    while (samples.length < count) samples.push(await subject.once());
    print(name, samples);
  }
} finally {
  for (const close of closers.reverse()) await close();
  await rm(folder, { recursive: true, force: true });
}

function print(name: string, samples: readonly Sample[]): void {
  const parts = Object.keys(samples[0] ?? {});
  const sums = (part: string) => samples.map((sample) => sum(sample[part] ?? []));
  const figure = (value: number) => Math.round(value).toLocaleString('en');
  printRows(
    parts.map((part) => ({
      [`${name}, each of ${samples.length}`]: part,
      'instructions (median)': figure(median(sums(part))),
      least: figure(Math.min(...sums(part))),
      most: figure(Math.max(...sums(part))),
    })),
  );
  const [whole = ''] = parts;
  if (values.statements)
    printStatements(
      samples.map((sample) => sample[whole] ?? []),
      figure,
    );
  if (functions > 0)
    printFunctions(
      samples.flatMap((sample) => sample[whole] ?? []),
      figure,
    );
}

function sum(pieces: readonly LabelledPiece[]): number {
  return pieces.reduce((total, { instructions }) => total + instructions, 0);
}

/** In the order of the first sample. */
function printStatements(
  samples: readonly (readonly LabelledPiece[])[],
  figure: (value: number) => string,
): void {
  const [first = []] = samples;
  printRows(
    first.map(({ label }, no) => ({
      statement: label,
      instructions: figure(median(samples.map((pieces) => pieces[no]?.instructions ?? 0))),
    })),
  );
}

/** The mean of all samples, without the functions that everything runs in. */
function printFunctions(pieces: readonly LabelledPiece[], figure: (value: number) => string): void {
  const costs = costsOf(pieces.map(({ profile }) => profile))
    .filter(({ inclusive }) => inclusive < 0.99 * sum(pieces))
    .slice(0, functions);
  printRows(
    costs.map(({ name, inclusive, own }) => ({
      function: name,
      inclusive: figure(inclusive / count),
      own: figure(own / count),
    })),
  );
}
