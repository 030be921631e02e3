import type { ReadTx } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import type { Plan } from '#foundation/http/declare/plan.ts';
import { createPerform } from '#foundation/http/perform/perform.ts';
import type { Refusal } from '#foundation/lib/refusals.ts';

/** Commits a prepared plan as an operation would, for tests below the API. Throws a refusal. */
export async function commitPlan<Body>(
  { runtime, platform, actor }: Work,
  prepare: (tx: ReadTx) => Promise<Plan<Body> | Refusal>,
): Promise<Body> {
  const prepared = operation('prepared', {
    route: 'POST /prepared',
    area: 'Tests',
    summary: 'What a test has prepared',
    access: 'manage',
    callers: ['operator'],
    codes: [],
    prepare,
  });
  const caller = { kind: 'operator', id: actor.id, platform, roles: [] } as const;
  const { body } = await createPerform(runtime)(prepared, { caller });
  return JSON.parse(body) as Body;
}
