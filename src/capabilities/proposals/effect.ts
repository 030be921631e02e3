import type { ProposedInput } from '#capabilities/proposals/row.ts';
import { CommitRefused } from '#foundation/database/reasons.ts';
import type { Actor, Tx } from '#foundation/database/tx.ts';
import { actorOf, type OperatorCaller } from '#foundation/http/caller.ts';
import { type Input, type NamedOperation, statusOf } from '#foundation/http/declare/operation.ts';
import type { Answer } from '#foundation/http/idempotency/reply.ts';
import type { Platform } from '#foundation/lib/platform.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import type { Effect } from '#foundation/preview/rehearse.ts';

/** One call of an operation in somebody's name. */
export interface ProposedCall {
  readonly operation: NamedOperation;
  readonly input: ProposedInput;
  /** The operator as the audit log names the actor. */
  readonly by: string;
  readonly platform: Platform;
  /** What the audit row of the operation says besides. */
  readonly details?: Actor['details'];
}

/** The effect of an operation as one transaction. An operation that takes several steps has none. */
export function effectOf({ operation, input, by, platform, details }: ProposedCall): Effect {
  const { operator, idempotency, write, prepare } = operation;
  const caller: OperatorCaller = { kind: 'operator', id: by, platform, roles: operator?.roles ?? [] };
  const given = { ...input, ...NOTHING_ELSE, caller } as unknown as Input<never, never, never>;
  const actor = actorOf(caller, operator?.roles);
  return {
    actor: { ...actor, details: { ...actor.details, ...details } },
    status: statusOf(operation),
    isSecret: idempotency?.secretReply ?? false,
    run(tx): Promise<Answer<unknown>> {
      if (write) return write(tx, given) as Promise<Answer<unknown>>;
      if (prepare) return commitPlan(tx, operation, given);
      throw new Error(`operation ${operation.id} is no single transaction, so nobody can propose it`);
    },
  };
}

const NOTHING_ELSE = { problems: [], file: undefined, key: undefined, request: undefined, signed: undefined };

/** Commits the plan of a prepared operation in this transaction. */
async function commitPlan(
  tx: Tx,
  { id, prepare }: NamedOperation,
  input: Input<never, never, never>,
): Promise<Answer<unknown>> {
  const plan = await prepare?.(tx, input);
  if (!plan || plan instanceof Refusal) return plan ?? Promise.reject(new Error(`${id} prepared nothing`));
  if ('toSign' in plan) throw new Error(`operation ${id} needs the signature of a wallet's owner`);
  try {
    if ('commit' in plan) return await plan.commit(tx);
    tx.adopt(plan.change);
    await tx.flush();
    return plan.answer;
  } catch (error) {
    const refusal = error instanceof CommitRefused ? await plan.refusalFor?.(error.reason) : undefined;
    throw refusal ?? error;
  }
}
