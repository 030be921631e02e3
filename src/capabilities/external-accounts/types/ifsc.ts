import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Bank branches in India; decision 0009 describes how the table is built. */
export const TABLE_PATH = fileURLToPath(new URL('ifsc-branches.json', import.meta.url));

/** The branches of each bank by its four letters, in the format of `encodeBranches`. */
export type BranchTable = Readonly<Record<string, string>>;

/** accounts.md §4.2, INR_ACCOUNT: the branch exists. */
export function ifscExists(ifsc: string, table: BranchTable = loadTable()): boolean {
  if (!/^[A-Z]{4}0[A-Z0-9]{6}$/.test(ifsc)) return false;
  const bank = ifsc.slice(0, 4);
  const branches = Object.hasOwn(table, bank) ? table[bank] : undefined;
  return branches !== undefined && includesBranch(branches, ifsc.slice(5));
}

/** Read at the first check; Node's module cache keeps the table. */
function loadTable(): BranchTable {
  return createRequire(import.meta.url)(TABLE_PATH);
}

/**
 * Branch numbers are stored as runs. Each run has its distance from the end of the previous run and, if it is longer
 * than one, its length: `1 4+3` is 1, 5, 6, 7. Branches that are not numbers follow after a bar.
 */
function includesBranch(branches: string, branch: string): boolean {
  const [runs = '', names = ''] = branches.split('|');
  if (!/^[0-9]+$/.test(branch)) return names.split(' ').includes(branch);
  const wanted = Number(branch);
  let last = 0;
  for (const run of runs.split(' ')) {
    const [distance = '', length = '1'] = run.split('+');
    const first = last + Number(distance);
    last = first + Number(length) - 1;
    if (run !== '' && first <= wanted && wanted <= last) return true;
  }
  return false;
}

/** Builds the table from the published list, in which branches of digits only are numbers. */
export function encodeBranches(
  published: Readonly<Record<string, readonly (string | number)[]>>,
): BranchTable {
  const banks = Object.keys(published).toSorted();
  return Object.fromEntries(
    banks.map((bank) => [bank, encodeRuns(published[bank] ?? []) + encodeNames(published[bank] ?? [])]),
  );
}

function encodeRuns(list: readonly (string | number)[]): string {
  const numbers = list.filter((branch) => typeof branch === 'number');
  const runs: { first: number; length: number }[] = [];
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run && run.first + run.length === number) run.length++;
    else runs.push({ first: number, length: 1 });
  }
  let last = 0;
  const texts = runs.map(({ first, length }) => {
    const distance = first - last;
    last = first + length - 1;
    return length === 1 ? `${distance}` : `${distance}+${length}`;
  });
  return texts.join(' ');
}

function encodeNames(list: readonly (string | number)[]): string {
  const names = list.filter((branch) => typeof branch === 'string');
  return names.length === 0 ? '' : `|${names.toSorted().join(' ')}`;
}
