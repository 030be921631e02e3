import type { ReadTx } from '#database/tx.ts';
import type { Work } from '#database/work.ts';
import { operation } from '#http/operation.ts';
import { createPerform } from '#http/perform.ts';
import type { Plan } from '#http/plan.ts';
import type { Refusal } from '#lib/refusals.ts';

/** Has what is prepared committed as an operation's plan is, for tests below the API; a refusal is thrown. */
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
  const caller = { kind: 'operator', id: actor.id, platform } as const;
  const { body } = await createPerform(runtime)(prepared, { caller });
  return JSON.parse(body) as Body;
}
