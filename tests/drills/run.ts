import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { runAll } from '#tests/drills/frame/all.ts';
import { chooseAmounts, type Drill } from '#tests/drills/frame/drill.ts';
import { inMarkdown, inWords, type Report, runDrill } from '#tests/drills/frame/report.ts';
import { DRILLS } from '#tests/drills/members.ts';

/**
 * `npm run drill -- list`, `npm run drill -- <name> --minutes 5 --seed 7 --json`, `npm run drill -- all --hours 4`. Progress
 * goes to stderr, the report to stdout. Exit codes: 0 passed, 1 failed, 2 a wrong call, 3 skipped.
 */
const EXIT_CODES = { PASSED: 0, FAILED: 1, SKIPPED: 3 } as const;
const WRONG_CALL = 2;
const REPORT_FILE = 'drill-report.md';
const SEED_MAX = 2 ** 31;

class WrongCall extends Error {}

const [word = 'list', ...words] = process.argv.slice(2);
process.exit(await main().catch(refuseCall));

async function main(): Promise<number> {
  if (word === 'list') return list();
  if (word === 'all') return all();
  const drill = DRILLS.find(({ name }) => name === word);
  if (!drill) throw new WrongCall(`There is no drill “${word}”. “npm run drill -- list” lists them.`);
  return one(drill);
}

function list(): number {
  for (const { name, proves, amounts } of DRILLS) {
    console.log(`${name}\n  ${proves}`);
    for (const [option, { says, usual }] of Object.entries(amounts)) {
      console.log(`  --${option} ${usual}  ${says}`);
    }
  }
  console.log(
    '\nEvery drill takes --minutes N, --seed S and --json. “all --hours N” runs them one after another.',
  );
  return 0;
}

async function one(drill: Drill): Promise<number> {
  const names = Object.keys(drill.amounts);
  const { numbers, json } = readOptions(['minutes', 'seed', ...names]);
  const { minutes, seed = anySeed(), ...given } = numbers;
  console.error(`${drill.name} --seed ${seed}`);
  const amounts = chooseAmounts(drill, given, minutes);
  const report = await runDrill(drill, { seed, minutes, amounts, say });
  console.log(json ? JSON.stringify(report) : inWords(report));
  return EXIT_CODES[report.verdict];
}

async function all(): Promise<number> {
  const { numbers, json } = readOptions(['hours', 'seed']);
  const { hours = 4, seed = anySeed() } = numbers;
  const minutes = (hours * 60) / DRILLS.length;
  const reports: Report[] = [];
  for await (const report of runAll(DRILLS, { minutes, seed, say })) {
    reports.push(report);
    console.error(inWords(report));
    // After each, so that an interrupted run leaves what it has found.
    await writeFile(REPORT_FILE, inMarkdown(reports));
  }
  console.log(json ? JSON.stringify(reports) : `The report is in ${REPORT_FILE}.`);
  return reports.some(({ verdict }) => verdict === 'FAILED') ? EXIT_CODES.FAILED : EXIT_CODES.PASSED;
}

function say(line: string): void {
  console.error(line);
}

function anySeed(): number {
  return Math.floor(Math.random() * SEED_MAX);
}

function readOptions(names: readonly string[]): { numbers: Record<string, number>; json: boolean } {
  const text = { type: 'string' } as const;
  const options = {
    json: { type: 'boolean' } as const,
    ...Object.fromEntries(names.map((name) => [name, text])),
  };
  let values: Readonly<Record<string, unknown>>;
  try {
    ({ values } = parseArgs({ args: words, options }));
  } catch (error) {
    throw new WrongCall(
      `${(error as Error).message} “${word}” takes ${names.map((name) => `--${name}`).join(', ')} and --json.`,
    );
  }
  const { json = false, ...given } = values;
  const numbers = Object.entries(given).map(([name, value]) => [name, readNumber(name, String(value))]);
  return { numbers: Object.fromEntries(numbers), json: Boolean(json) };
}

function readNumber(name: string, value: string): number {
  const isTime = name === 'minutes' || name === 'hours';
  const number = Number(value);
  const isGood = isTime ? number > 0 && Number.isFinite(number) : /^\d+$/.test(value);
  if (!isGood)
    throw new WrongCall(`--${name} needs a ${isTime ? 'positive' : 'whole'} number, not “${value}”.`);
  return number;
}

function refuseCall(error: unknown): number {
  if (!(error instanceof WrongCall)) throw error;
  console.error(error.message);
  return WRONG_CALL;
}
