import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { briefAmounts, type Drill } from '#tests/drills/frame/drill.ts';
import { inWords, runDrill } from '#tests/drills/frame/report.ts';
import { REQUIRED } from '#tests/harness/judges.ts';

const SEED = 1;

/** Runs the short form of a drill with a fixed seed. It must pass; it is skipped if programs are missing and may be. */
export async function briefly(t: TestContext, drill: Drill): Promise<void> {
  const say = (line: string) => t.diagnostic(line);
  const report = await runDrill(drill, { seed: SEED, amounts: briefAmounts(drill), say });
  if (report.verdict === 'SKIPPED' && !REQUIRED) t.skip(report.problem);
  else assert.equal(report.verdict, 'PASSED', inWords(report));
  for (const line of inWords(report).split('\n')) t.diagnostic(line);
}
