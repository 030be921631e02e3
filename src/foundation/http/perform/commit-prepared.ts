import { CommitRefused } from '#foundation/database/reasons.ts';
import { Change, type Changes, type ReadTx } from '#foundation/database/tx.ts';
import { isStale } from '#foundation/database/work.ts';
import type { CallWork } from '#foundation/http/declare/call-work.ts';
import { checkGates, type Gate, type GatedPlan } from '#foundation/http/declare/gates.ts';
import { type Input, type NamedOperation, statusOf } from '#foundation/http/declare/operation.ts';
import type { ChallengePlan, OwnPlan, Plan, SharedPlan } from '#foundation/http/declare/plan.ts';
import { replayIfUsed } from '#foundation/http/idempotency/idempotency.ts';
import {
  type Reply,
  type SerializedReply,
  serializeReply,
  toReply,
} from '#foundation/http/idempotency/reply.ts';
import { findKey } from '#foundation/http/idempotency/store.ts';
import {
  challengeReply,
  type FindSigners,
  requestExpiry,
  type SignedTarget,
  verifyRetry,
} from '#foundation/http/signed/signed-retry.ts';
import { type PendingRequest, useRequest } from '#foundation/http/signed/store.ts';
import type { KeyedQueue } from '#foundation/lib/promises.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

/** Attempts while queued; with the first one, which is not queued, 20 in all. */
const QUEUED_ATTEMPTS_MAX = 19;

interface Task {
  readonly work: CallWork;
  readonly operation: NamedOperation;
  readonly input: Input<never, never, never>;
  readonly gates: readonly Gate[];
  readonly findSigners: FindSigners;
  /** Names the subject of the call: after a conflict, calls with the same name run one after the other. */
  readonly queueName: string;
  readonly queue: KeyedQueue;
}

/**
 * Prepares the operation, checks the gates and commits; repeats all of it if a concurrent call was faster. A call that
 * lost once is queued, and holds no connection while it waits: only one of several concurrent calls could succeed anyway.
 */
export function commitPrepared(task: Task): Promise<SerializedReply | Refusal> {
  const { work, queue, queueName } = task;
  return work.auditingRefusals(
    async () =>
      (await attempt(1, task)) ??
      (await queue.run(queueName, () => attempt(QUEUED_ATTEMPTS_MAX, task))) ??
      busy(),
  );
}

async function attempt(times: number, task: Task): Promise<SerializedReply | Refusal | undefined> {
  for (let attempt = 1; attempt <= times; attempt++) {
    const done = await task.work.read((tx) => attemptOnce(tx, task));
    if (done) return done;
  }
  return undefined;
}

/** Refuses a call that has lost too often. */
export function busy(): Refusal {
  return new Refusal(
    'SERVICE_UNAVAILABLE',
    'Too many calls change the same data at once. Retry in a moment.',
  );
}

/** Undefined: something was stale. */
async function attemptOnce(tx: ReadTx, task: Task): Promise<SerializedReply | Refusal | undefined> {
  if (!task.operation.idempotency?.prepareFindsKey) await replayIfKeyUsed(tx, task);
  const passed = await prepareAndCheckGates(tx, task).catch(async (error: unknown) => {
    if (error instanceof Refusal) await replayIfKeyUsed(tx, task);
    throw error;
  });
  if (!passed) return undefined;
  return 'change' in passed.plan
    ? commitShared(tx, task, passed.plan, passed)
    : commitOwn(task, passed.plan, passed);
}

/** Undefined: the call needed no signature when its target was looked up, but needs one now. */
async function prepareAndCheckGates(tx: ReadTx, task: Task): Promise<GatedPlan | undefined> {
  const { operation, input, gates } = task;
  const target = await operation.signed?.target?.(tx, input);
  const verifySignature = async () => target && verifyRetry(tx, signedCall(task, target), task.findSigners);
  const signed = await verifySignature();
  const plan = await prepare(tx, task, signed).catch(async (error: unknown) => {
    // Another retry of the same request may have taken effect meanwhile and be the cause of this refusal (the resource to
    // delete is gone, say). Then the request is used up, and the caller gets that refusal instead.
    if (signed && error instanceof Refusal) await verifySignature();
    throw error;
  });
  if ('toSign' in plan) return target && challengePlan(tx, task, plan, target, signed);
  const passed = await checkGates(tx, { operation, input, plan }, gates);
  if (!signed) return passed;
  return { ...passed, additions: [...passed.additions, (changes) => useRequest(changes, signed)] };
}

async function prepare(
  tx: ReadTx,
  { operation, input }: Task,
  signed: PendingRequest | undefined,
): Promise<Plan<unknown> | ChallengePlan> {
  const plan = await operation.prepare?.(tx, { ...input, signed });
  if (!plan || plan instanceof Refusal) throw plan ?? new Error(`operation ${operation.id} prepared nothing`);
  return plan;
}

function signedCall({ operation, input }: Task, target: SignedTarget) {
  return { operation: operation.id, target, body: input.body, request: input.request };
}

/** A leg that answers with a payload to sign. The signature of the previous leg, if there was one, is used up. */
function challengePlan(
  tx: ReadTx,
  task: Task,
  { toSign, alsoCommit }: ChallengePlan,
  target: SignedTarget,
  signed: PendingRequest | undefined,
): GatedPlan {
  const change = new Change(tx);
  const answer = challengeReply(change, signedCall(task, target), {
    ...toSign,
    expiresAt: requestExpiry(tx),
  });
  alsoCommit?.(change);
  const additions = signed ? [(changes: Changes) => useRequest(changes, signed)] : [];
  return { plan: { change, answer }, additions, details: { heldBy: 'signature' } };
}

/**
 * Called before `prepare` and again if `prepare` refuses: it may have seen the effect of the first call with this key in
 * another process, and then this call has succeeded too.
 */
async function replayIfKeyUsed(tx: ReadTx, { input: { key } }: Task): Promise<void> {
  if (key) await replayIfUsed(tx, key, await findKey(tx, key));
}

async function commitShared(
  tx: ReadTx,
  task: Task,
  plan: SharedPlan<unknown>,
  { additions, details }: GatedPlan,
): Promise<SerializedReply | Refusal | undefined> {
  const { work, operation } = task;
  const { change, answer } = plan;
  if (answer instanceof Refusal) {
    await replayIfKeyUsed(tx, task);
    work.recordRefusal(change, answer);
    return (await tx.runtime.commit(change)) ? undefined : answer;
  }
  const reply = declaredReply(operation, answer);
  const serialized = serializeReply(reply);
  for (const add of additions) add(change);
  work.recordCall(change, reply, serialized, details);
  const reason = await tx.runtime.commit(change);
  return reason ? plan.refusalFor?.(reason) : serialized;
}

async function commitOwn(
  { work, operation }: Task,
  plan: OwnPlan<unknown>,
  { additions, details }: GatedPlan,
): Promise<SerializedReply | Refusal | undefined> {
  try {
    const reply = await work.commitOwn(async (tx) => {
      const answer = await plan.commit(tx);
      if (answer instanceof Refusal) return answer;
      for (const add of additions) add(tx);
      return declaredReply(operation, answer);
    }, details);
    return reply instanceof Refusal ? reply : serializeReply(reply);
  } catch (error) {
    if (isStale(error)) return undefined;
    if (error instanceof CommitRefused) return plan.refusalFor?.(error.reason);
    throw error;
  }
}

/** A reply must have a declared status: a mistake is noticed before anything is committed. */
function declaredReply(operation: NamedOperation, answer: unknown): Reply<unknown> {
  const reply = toReply(statusOf(operation), answer);
  if (reply.status !== statusOf(operation) && !(reply.status in (operation.otherReplies ?? {})))
    throw new Error(`operation ${operation.id} does not declare the status ${reply.status}`);
  return reply;
}
