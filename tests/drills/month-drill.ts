import assert from 'node:assert/strict';
import type { Drill, DrillRun, Figures } from '#tests/drills/frame/drill.ts';
import { runTest } from '#tests/drills/frame/run-test.ts';

const TEST = 'tests/bank-files/month.test.ts';

/** Runs the test of a month at two banks, with the days of a month and its orders and credits. */
async function run(run: DrillRun): Promise<Figures> {
  const settings = {
    MONTH_ORDERS: run.amount('orders'),
    MONTH_CREDITS: run.amount('credits'),
    MONTH_DAYS: run.amount('days'),
    MONTH_SEED: run.seed,
  };
  const lines = await runTest(TEST, settings);
  const text = lines.map((line) => /\{"orders":.*\}/.exec(line)?.[0]).find(Boolean);
  assert.ok(text, 'the test printed no figures');
  const { orders, credits, statements, breaks, kinds } = JSON.parse(text);
  return { orders, credits, statements, 'planted differences': breaks, kinds: JSON.stringify(kinds) };
}

export const monthDrill: Drill = {
  name: 'month',
  proves:
    'Of a month at two banks with late, doubled, partial, returned, strange and missing lines, each planted difference is a break of its kind, nothing else is, and with the breaks resolved every day is proven (bank-files.md §6.3, §7.3).',
  amounts: {
    orders: { says: 'orders', usual: 10_000, brief: 60 },
    credits: { says: 'credits', usual: 3_000, brief: 24 },
    days: { says: 'days with orders', usual: 24, brief: 3 },
  },
  run,
};
