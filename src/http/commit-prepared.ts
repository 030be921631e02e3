import { CommitRefused } from '#database/reasons.ts';
import type { ReadTx } from '#database/tx.ts';
import { isStale } from '#database/work.ts';
import type { CallWork } from '#http/call-work.ts';
import { type Gate, type Passed, passGates } from '#http/gates.ts';
import { endIfUsed, findKey } from '#http/idempotency.ts';
import { type Input, type NamedOperation, statusOf } from '#http/operation.ts';
import type { OwnPlan, SharedPlan } from '#http/plan.ts';
import { type Reply, replyOf, type WrittenReply, writeReply } from '#http/reply.ts';
import type { KeyedQueue } from '#lib/promises.ts';
import { Refusal } from '#lib/refusals.ts';

/** Tries while queued; with the first one, which does not queue, 20 in all. */
const QUEUED_TRIES_MAX = 19;

interface Task {
  readonly work: CallWork;
  readonly operation: NamedOperation;
  readonly input: Input<never, never, never>;
  readonly gates: readonly Gate[];
  /** What the call is about: after a conflict, calls with the same value are made one after the other. */
  readonly contendedFor: string;
  readonly turns: KeyedQueue;
}

/**
 * Prepares the operation, asks the gates and commits; all anew where somebody else was quicker. Those that came too
 * late go on in turns, without a connection while they wait: of any number at once only one would get through each time.
 */
export function commitPrepared(task: Task): Promise<WrittenReply | Refusal> {
  const { work, turns, contendedFor } = task;
  return work.keepingFailedProofs(
    async () =>
      (await tryUpTo(1, task)) ??
      (await turns.run(contendedFor, () => tryUpTo(QUEUED_TRIES_MAX, task))) ??
      busy(),
  );
}

async function tryUpTo(times: number, task: Task): Promise<WrittenReply | Refusal | undefined> {
  for (let attempt = 1; attempt <= times; attempt++) {
    const done = await task.work.read((tx) => tryOnce(tx, task));
    if (done) return done;
  }
  return undefined;
}

/** For whoever has tried often enough. */
export function busy(): Refusal {
  return new Refusal(
    'SERVICE_UNAVAILABLE',
    'Too many calls change the same data at once. Retry in a moment.',
  );
}

/** Undefined: something was not as it was seen. */
async function tryOnce(tx: ReadTx, task: Task): Promise<WrittenReply | Refusal | undefined> {
  if (!task.operation.idempotency?.isFoundByPrepare) await endIfReplayed(tx, task);
  const passed = await prepareAndAsk(tx, task).catch(async (error: unknown) => {
    if (error instanceof Refusal) await endIfReplayed(tx, task);
    throw error;
  });
  return 'change' in passed.plan
    ? commitShared(tx, task, passed.plan, passed)
    : commitOwn(task, passed.plan, passed);
}

async function prepareAndAsk(tx: ReadTx, { operation, input, gates }: Task): Promise<Passed> {
  const plan = await operation.prepare?.(tx, input);
  if (!plan || plan instanceof Refusal) throw plan ?? new Error(`operation ${operation.id} prepared nothing`);
  return passGates(tx, { operation, input, plan }, gates);
}

/**
 * Looked for before the judgement and, where that refuses, after it: what it saw may be what the first call with the
 * key did meanwhile in another process, and then this one has succeeded too.
 */
async function endIfReplayed(tx: ReadTx, { input: { key } }: Task): Promise<void> {
  if (key) await endIfUsed(tx, key, await findKey(tx, key));
}

async function commitShared(
  tx: ReadTx,
  task: Task,
  plan: SharedPlan<unknown>,
  { along, details }: Passed,
): Promise<WrittenReply | Refusal | undefined> {
  const { work, operation } = task;
  const { change, answer } = plan;
  if (answer instanceof Refusal) {
    await endIfReplayed(tx, task);
    work.accompanyRefusal(change, answer);
    return (await tx.runtime.commit(change)) ? undefined : answer;
  }
  const reply = writeReply(declaredReply(operation, answer));
  for (const add of along) add(change);
  work.accompany(change, reply, details);
  const reason = await tx.runtime.commit(change);
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
