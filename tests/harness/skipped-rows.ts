import { type Sql, sql } from '#foundation/database/sql.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';

/**
 * Counts the rows that the statements of these steps read and discarded, with plans that a connection made before the
 * tables grew. The steps get no rows back.
 */
export async function explainSkippedRows(
  platform: TestPlatform,
  steps: (tx: Tx) => Promise<unknown>,
): Promise<{ plan: string; rows: number }> {
  const work = await platform.work();
  return work.write(async (tx) => {
    await tx.sql`set local plan_cache_mode = force_generic_plan`;
    await tx.sql`set local enable_seqscan = off`;
    const plans: string[] = [];
    const explain = async (statement: Sql) => {
      const lines = await tx.query<{ 'QUERY PLAN': string }>(sql`explain (analyze, costs off) ${statement}`);
      plans.push(...lines.map((line) => line['QUERY PLAN']));
      return [];
    };
    const explaining = Object.create(tx, {
      query: { value: explain },
      sql: { value: (parts: TemplateStringsArray, ...values: unknown[]) => explain(sql(parts, ...values)) },
      platformId: { value: tx.platformId },
    });
    await steps(explaining);
    const plan = plans.join('\n');
    const removed = [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)].map(([, count]) => Number(count));
    return { plan, rows: removed.reduce((sum, count) => sum + count, 0) };
  });
}
