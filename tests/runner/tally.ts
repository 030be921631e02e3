import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import type { BatchResult } from '#tests/runner/batch.ts';

/** The results of all batches so far. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** How many of them for each reason. */
  readonly skipReasons: ReadonlyMap<string, number>;
  /** Problems other than failed tests, one sentence each. */
  readonly troubles: readonly string[];
  /** Milliseconds of each file. */
  readonly durations: ReadonlyMap<string, number>;
  /** Everything that should run did run, and at least one test. */
  readonly isGood: boolean;
}

/** `isFiltered`: only tests of certain names were asked for, so that a file may have none. */
export function countResults(results: readonly BatchResult[], isFiltered: boolean): Tally {
  const tests = results.flatMap(({ events }) => events.flatMap(asTest));
  const leaves = tests.filter(({ isSuite }) => !isSuite);
  const passed = leaves.filter(({ end }) => end === 'passed').length;
  const failed = tests.filter(({ end, isOwn }) => end === 'failed' && isOwn).length;
  const ran = filesWithTests(tests);
  const silent = (result: BatchResult) =>
    isFiltered || result.trouble !== undefined ? [] : result.files.filter((file) => !ran.has(file));
  const troubles = results.flatMap((result) => [
    ...troubleOf(result),
    ...silent(result).map((file) => `${file} has no test`),
  ]);
  if (passed + failed + troubles.length === 0) troubles.push('no test ran');
  return {
    passed,
    failed,
    skipped: leaves.filter(({ end }) => end === 'skipped').length,
    skipReasons: countReasons(tests),
    troubles,
    durations: durationsOf(tests),
    isGood: failed === 0 && troubles.length === 0,
  };
}

function countReasons(tests: readonly EndedTest[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { skipReason } of tests) {
    if (skipReason !== undefined) counts.set(skipReason, (counts.get(skipReason) ?? 0) + 1);
  }
  return counts;
}

/** Tests end before their suite: the outermost suite is in the file that was run; they may be defined in another. */
function filesWithTests(tests: readonly EndedTest[]): Set<string> {
  const files = new Set<string>();
  let hasTest = false;
  for (const { file, nesting, isSuite, end } of tests) {
    hasTest ||= !isSuite || end === 'skipped';
    if (nesting > 0) continue;
    if (hasTest) files.add(file);
    hasTest = false;
  }
  return files;
}

function durationsOf(tests: readonly EndedTest[]): Map<string, number> {
  const durations = new Map<string, number>();
  for (const { file, nesting, ms } of tests)
    if (nesting === 0) durations.set(file, ms + (durations.get(file) ?? 0));
  return durations;
}

interface EndedTest {
  readonly file: string;
  readonly nesting: number;
  readonly ms: number;
  readonly isSuite: boolean;
  readonly end: 'passed' | 'failed' | 'skipped';
  readonly skipReason: string | undefined;
  /** It failed itself, not only one of its parts. */
  readonly isOwn: boolean;
}

function asTest({ type, data }: TestEvent): EndedTest[] {
  if (type !== 'test:pass' && type !== 'test:fail') return [];
  const { file = '', nesting, skip, details } = data;
  const error = 'error' in details ? (details.error as { failureType?: string }) : undefined;
  const isSkipped = skip !== undefined && skip !== false;
  return [
    {
      file: relative(process.cwd(), file),
      nesting,
      ms: details.duration_ms,
      isSuite: details.type === 'suite',
      end: type === 'test:fail' ? 'failed' : isSkipped ? 'skipped' : 'passed',
      skipReason: typeof skip === 'string' ? skip : undefined,
      isOwn: error?.failureType !== 'subtestsFailed',
    },
  ];
}

function troubleOf({ files, trouble, events, output }: BatchResult): string[] {
  if (trouble === undefined) return [];
  const open = openTests(events);
  const where = open.length > 0 ? `; under way was "${open.at(-1)}"` : '';
  const said = output.trim();
  return [`the process of ${files.join(' ')} ${trouble}${where}${said && `\n${said}`}`];
}

/** Tests that began and did not end, the innermost last. */
function openTests(events: readonly TestEvent[]): string[] {
  const open: string[] = [];
  for (const { type, data } of events) {
    if (type === 'test:dequeue') open.push(data.name);
    const at = type === 'test:complete' ? open.lastIndexOf(data.name) : -1;
    if (at >= 0) open.splice(at, 1);
  }
  return open;
}
