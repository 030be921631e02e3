import { effectOf } from '#capabilities/proposals/effect.ts';
import { realNow } from '#capabilities/proposals/machine.ts';
import { addProposal } from '#capabilities/proposals/make-proposal.ts';
import { presentProposal } from '#capabilities/proposals/present.ts';
import { requireOperator } from '#capabilities/proposals/require-operator.ts';
import type { ProposedInput } from '#capabilities/proposals/row.ts';
import { type ApprovalSettings, loadApprovalSettings } from '#capabilities/proposals/settings-store.ts';
import { type CounterUse, isWithinLimit } from '#foundation/counters/count.ts';
import { loadAllUsed, useCounter } from '#foundation/counters/store.ts';
import { CommitRefused } from '#foundation/database/reasons.ts';
import { onPlatform, ReadTx, Tx } from '#foundation/database/tx.ts';
import type { OperatorCaller } from '#foundation/http/caller.ts';
import type { CallWork } from '#foundation/http/declare/call-work.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { resourceOf, subjectOf } from '#foundation/http/declare/subject.ts';
import { type Answer, ReplyWithoutSecret } from '#foundation/http/idempotency/reply.ts';
import { busy } from '#foundation/http/perform/commit-prepared.ts';
import { parseId } from '#foundation/lib/ids.ts';
import { isObject } from '#foundation/lib/is-object.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { hasSameEffect, type Preview } from '#foundation/preview/preview.ts';
import { type Effect, performWithin, rehearse } from '#foundation/preview/rehearse.ts';

export interface OperatorCall {
  readonly operation: NamedOperation;
  readonly caller: OperatorCaller;
  readonly input: ProposedInput;
}

/**
 * Performs an operator's call or, if it needs a second operator, proposes it (operator.md §5.1). Undefined: it needs none,
 * whatever it does.
 */
export async function askSecondOperator(
  work: CallWork,
  { operation, caller, input }: OperatorCall,
): Promise<Answer<unknown> | undefined> {
  const two = operation.operator?.two;
  const maker = parseId('Operator', caller.id, 'full');
  if (two === undefined || maker === undefined) return undefined;
  if (two === 'production' && !isInProduction(caller, input)) return undefined;
  const settings = await work.read(loadApprovalSettings);
  if (settings.approvals === 'off') return undefined;
  const { details } = work.actor;
  const effect = effectOf({ operation, input, by: caller.id, platform: caller.platform, details });
  const preview = await rehearse(work, effect);
  return work.write(async (tx) => {
    await requireOperator(tx, maker, operation.operator?.roles ?? []);
    const done =
      two === 'amount'
        ? await performAlone(tx, effect, preview, usesOf(tx, caller, settings, preview))
        : undefined;
    if (done) return done.answer;
    const row = await addProposal(tx, {
      operation: operation.id,
      resource: resourceOf(operation, input),
      subject: subjectOf(operation, input),
      ...{ maker, isUnclaimed: false },
      content: { input, preview, reason: reasonOf(input), details: details ?? {} },
    });
    return new ReplyWithoutSecret(202, presentProposal(tx, row, operation));
  });
}

/** Whether a call concerns production: by its platform, or by the platform that it creates. */
export function isInProduction(
  { platform }: Pick<OperatorCaller, 'platform'>,
  { body }: ProposedInput,
): boolean {
  if (platform.id !== INSTALLATION.id) return platform.environment === 'PRODUCTION';
  return !isObject(body) || body.environment !== 'SANDBOX';
}

/** How the operation would use up what one operator may move alone in a day. */
export function usesOf(
  tx: Tx,
  { id }: Pick<OperatorCaller, 'id'>,
  { above }: ApprovalSettings,
  { amounts }: Preview,
): CounterUse[] {
  const period = realNow(tx).toISOString().slice(0, 10);
  return Object.entries(amounts).map(([currency, amount]) => ({
    ...{ name: `OPERATOR:${id}:${currency}`, period },
    value: [BigInt(amount), 1n],
    limit: BigInt(above[currency] ?? 0),
  }));
}

/**
 * Performs a call that stays within the amounts of one operator; undefined if it does not. A call that books nothing may
 * still send money on later, so its amount is unknown, and a second operator decides.
 */
export async function performAlone(
  tx: Tx,
  effect: Effect,
  expected: Preview,
  uses: readonly CounterUse[],
): Promise<{ readonly answer: Answer<unknown> } | undefined> {
  if (uses.length === 0) return undefined;
  const installation = new ReadTx(tx.runtime, INSTALLATION, tx.actor, (piece) => tx.query(piece));
  const used = await loadAllUsed(installation, uses);
  if (uses.some((use, i) => !isWithinLimit(used[i] ?? [0n, 1n], use))) return undefined;
  const { runtime, platform } = tx;
  const perform = async (part: Tx) => {
    const { reply, preview, refusal } = await performWithin(part, effect);
    // The amounts were measured in another transaction: what is performed must be what was measured.
    if (!hasSameEffect(expected, preview)) throw busy();
    for (const use of uses) useCounter(onPlatform(part, INSTALLATION), use);
    return { answer: refusal ?? reply };
  };
  // Another call of the same operator may have used the day up meanwhile.
  return tx
    .within((statements) => new Tx(runtime, platform, effect.actor, statements), perform)
    .catch(ifUsedUp);
}

function ifUsedUp(error: unknown): undefined {
  if (error instanceof CommitRefused && error.reason.name === 'limit') return undefined;
  throw error;
}

function reasonOf({ body }: ProposedInput): string {
  return isObject(body) && typeof body.reason === 'string' ? body.reason : '';
}
