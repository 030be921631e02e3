import { CommitRefused } from '#database/reasons.ts';
import type { ReadTx } from '#database/tx.ts';
import { isStale } from '#database/work.ts';
import type { CallWork } from '#http/call-work.ts';
import { type Gate, type Passed, passGates } from '#http/gates.ts';
import { endIfUsed, findKey } from '#http/idempotency.ts';
import { type Input, type NamedOperation, statusOf } from '#http/operation.ts';
import type { OwnPlan, SharedPlan } from '#http/plan.ts';
import { type Reply, replyOf, type WrittenReply, writeReply } from '#http/reply.ts';
import { Refusal } from '#lib/refusals.ts';

const ATTEMPTS_MAX = 20;

interface Task {
  readonly work: CallWork;
  readonly operation: NamedOperation;
  readonly input: Input<never, never, never>;
  readonly gates: readonly Gate[];
}

/** Prepares the operation, asks the gates and commits; all anew where somebody else was quicker. */
export function commitPrepared(task: Task): Promise<WrittenReply | Refusal> {
  const { work } = task;
  return work.keepingFailedProofs(async () => {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      const done = await work.read((tx) => tryOnce(tx, task));
      if (done) return done;
    }
    throw new Refusal(
      'SERVICE_UNAVAILABLE',
      'Too many calls change the same data at once. Retry in a moment.',
    );
  });
}

/** Undefined: something was not as it was seen. */
async function tryOnce(tx: ReadTx, task: Task): Promise<WrittenReply | Refusal | undefined> {
  const { operation, input, gates } = task;
  const { key } = input;
  if (key && !operation.idempotency?.isFoundByPrepare) await endIfUsed(tx, key, await findKey(tx, key));
  const plan = await operation.prepare?.(tx, input);
  if (!plan || plan instanceof Refusal) throw plan ?? new Error(`operation ${operation.id} prepared nothing`);
  const passed = await passGates(tx, { operation, input, plan }, gates);
  return 'change' in passed.plan
    ? commitShared(tx, task, passed.plan, passed)
    : commitOwn(task, passed.plan, passed);
}

async function commitShared(
  tx: ReadTx,
  { work, operation }: Task,
  plan: SharedPlan<unknown>,
  { along, details }: Passed,
): Promise<WrittenReply | Refusal | undefined> {
  const { change, answer } = plan;
  if (answer instanceof Refusal) {
    work.accompanyRefusal(change, answer);
    return (await tx.surroundings.commit(change)) ? undefined : answer;
  }
  const reply = writeReply(declaredReply(operation, answer));
  for (const add of along) add(change);
  work.accompany(change, reply, details);
  const reason = await tx.surroundings.commit(change);
  return reason ? plan.refused?.(reason) : reply;
}

async function commitOwn(
  { work, operation }: Task,
  plan: OwnPlan<unknown>,
  { along, details }: Passed,
): Promise<WrittenReply | Refusal | undefined> {
  try {
    const reply = await work.commitOwn(async (tx) => {
      const answer = await plan.commit(tx);
      if (answer instanceof Refusal) return answer;
      for (const add of along) add(tx);
      return declaredReply(operation, answer);
    }, details);
    return reply instanceof Refusal ? reply : writeReply(reply);
  } catch (error) {
    if (isStale(error)) return undefined;
    if (error instanceof CommitRefused) return plan.refused?.(error.reason);
    throw error;
  }
}

/** What the document does not state is never answered: a mistake is noticed before anything is committed. */
function declaredReply(operation: NamedOperation, answer: unknown): Reply<unknown> {
  const reply = replyOf(statusOf(operation), answer);
  if (reply.status !== statusOf(operation) && !(reply.status in (operation.otherReplies ?? {})))
    throw new Error(`operation ${operation.id} does not declare the status ${reply.status}`);
  return reply;
}
