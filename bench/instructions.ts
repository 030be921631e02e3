import { parseArgs } from 'node:util';
import { costsOf } from './callgrind-profile.ts';
import { countInstructions } from './count-instructions.ts';
import { instructionsOf, type LabelledPiece, type Sample, SUBJECTS } from './counted-subjects.ts';
import { median } from './rounds.ts';
import { FULL } from './sizes.ts';
import { printRows } from './table.ts';
import { requireValgrind } from './valgrind.ts';

/**
 * `npm run bench:instructions`: counts the instructions that PostgreSQL's backend executes in user mode for one operation,
 * on warm connections. Unlike times, they hold on a busy machine. It needs valgrind.
 *
 * `npm run bench:instructions -- payment card` counts these alone; `--count 20` measures more of each, `--statements`
 * shows each statement, and `--functions 40` the functions of PostgreSQL with the highest inclusive counts.
 */
const { values, positionals } = parseArgs({
  options: {
    count: { type: 'string', default: String(FULL.counting.count) },
    functions: { type: 'string', default: '0' },
    statements: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const [count, functions] = [Number(values.count), Number(values.functions)];
if (!(count > 0 && functions >= 0)) throw new Error('--count and --functions take a number');
const names = positionals.length > 0 ? positionals : Object.keys(SUBJECTS);
const unknown = names.filter((name) => !Object.hasOwn(SUBJECTS, name));
if (unknown.length > 0) throw new Error(`there is no ${unknown}; choose from ${Object.keys(SUBJECTS)}`);
requireValgrind();

await countInstructions({ names, count, warmUp: FULL.counting.warmUp, report: print });

function print(name: string, samples: readonly Sample[]): void {
  const parts = Object.keys(samples[0] ?? {});
  const sums = (part: string) => samples.map((sample) => instructionsOf(sample[part] ?? []));
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
    .filter(({ inclusive }) => inclusive < 0.99 * instructionsOf(pieces))
    .slice(0, functions);
  printRows(
    costs.map(({ name, inclusive, own }) => ({
      function: name,
      inclusive: figure(inclusive / count),
      own: figure(own / count),
    })),
  );
}
