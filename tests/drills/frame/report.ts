import { execFile } from 'node:child_process';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { promisify } from 'node:util';
import { type Drill, DrillRun, type DrillRunOptions, type Figures } from '#tests/drills/frame/drill.ts';

/** `PASSED`: everything held. `FAILED`: something did not. `SKIPPED`: the machine lacks what the drill needs. */
export type Verdict = 'PASSED' | 'FAILED' | 'SKIPPED';

export interface Report {
  readonly drill: string;
  readonly proves: string;
  readonly verdict: Verdict;
  /** Why it failed or was skipped. */
  readonly problem?: string;
  readonly seed: number;
  readonly startedAt: string;
  readonly seconds: number;
  readonly figures: Figures;
  readonly commit: string;
  readonly machine: string;
}

/** Runs a drill to its verdict; throws nothing. */
export async function runDrill(drill: Drill, options: DrillRunOptions): Promise<Report> {
  const startedAt = new Date().toISOString();
  const began = performance.now();
  const ended = await attempt(drill, options);
  return {
    ...{ drill: drill.name, proves: drill.proves, ...ended, seed: options.seed, startedAt },
    seconds: Math.round((performance.now() - began) / 100) / 10,
    ...{ commit: await readCommit(), machine: describeMachine() },
  };
}

async function attempt(
  drill: Drill,
  options: DrillRunOptions,
): Promise<Pick<Report, 'verdict' | 'problem' | 'figures'>> {
  const lack = await drill.missing?.(options.amounts);
  if (lack !== undefined) return { verdict: 'SKIPPED', problem: lack, figures: {} };
  try {
    return { verdict: 'PASSED', figures: await drill.run(new DrillRun(options)) };
  } catch (error) {
    const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { verdict: 'FAILED', problem, figures: {} };
  }
}

/** The commit of the checkout; a package without a history has none. */
async function readCommit(): Promise<string> {
  const run = promisify(execFile);
  return run('git', ['rev-parse', '--short=12', 'HEAD']).then(
    ({ stdout }) => stdout.trim(),
    () => 'unknown',
  );
}

function describeMachine(): string {
  const memory = Math.round(totalmem() / 2 ** 30);
  const model = cpus()[0]?.model.trim() ?? process.arch;
  return `${availableParallelism()} cores (${model}), ${memory} GiB, Node.js ${process.versions.node}`;
}

/** The report for a person at a terminal. */
export function inWords(report: Report): string {
  const { drill, verdict, proves, problem, seed, seconds, figures } = report;
  const words = { PASSED: 'passed', FAILED: 'FAILED', SKIPPED: 'was skipped' }[verdict];
  return [
    `${drill} ${words} after ${seconds} s (--seed ${seed}).`,
    ...(verdict === 'PASSED' ? [proves] : []),
    ...Object.entries(figures).map(([name, value]) => `  ${name}: ${format(value)}`),
    ...(problem === undefined ? [] : [problem]),
  ].join('\n');
}

/** The report of several drills, as a page. */
export function inMarkdown(reports: readonly Report[]): string {
  const [first] = reports;
  const rows = reports.map(({ drill, verdict, seconds, seed }) => {
    return `| [${drill}](#${drill}) | ${verdict} | ${duration(seconds)} | ${seed} |`;
  });
  const sections = reports.flatMap(({ drill, proves, problem, figures }) => [
    `## ${drill}\n`,
    `${proves}\n`,
    ...Object.entries(figures).map(([name, value]) => `- ${name}: ${format(value)}`),
    ...(problem === undefined ? [] : [`\n\`\`\`\n${problem}\n\`\`\``]),
    '',
  ]);
  return [
    '# Report of the drills\n',
    `${first?.startedAt ?? ''}, commit ${first?.commit ?? ''}, ${first?.machine ?? ''}.\n`,
    '| Drill | Verdict | Time | Seed |',
    '|---|---|---|---|',
    ...rows,
    '',
    ...sections,
  ].join('\n');
}

function format(value: string | number): string {
  return typeof value === 'number' ? value.toLocaleString('en-US') : value;
}

function duration(seconds: number): string {
  return seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}
