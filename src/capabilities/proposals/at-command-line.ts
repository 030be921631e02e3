import { findOperatorByEmail } from '#capabilities/operators/store.ts';
import { isInProduction, performAlone, usesOf } from '#capabilities/proposals/ask-second.ts';
import { recordBreakGlass } from '#capabilities/proposals/break-glass.ts';
import { approveProposal } from '#capabilities/proposals/decide-proposal.ts';
import { effectOf } from '#capabilities/proposals/effect.ts';
import { addProposal } from '#capabilities/proposals/make-proposal.ts';
import { presentProposal } from '#capabilities/proposals/present.ts';
import { requireOperator } from '#capabilities/proposals/require-operator.ts';
import type { OperatorId, ProposalId, ProposedInput, StoredProposal } from '#capabilities/proposals/row.ts';
import type { ProposalReply } from '#capabilities/proposals/schemas.ts';
import { type ApprovalSettings, loadApprovalSettings } from '#capabilities/proposals/settings-store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { resourceOf, subjectOf } from '#foundation/http/declare/subject.ts';
import { type Answer, Reply } from '#foundation/http/idempotency/reply.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { Refusal, refuse } from '#foundation/lib/refusals.ts';
import type { Effect } from '#foundation/preview/rehearse.ts';
import { rehearse } from '#foundation/preview/rehearse.ts';

/** A command that performs an operation of operators. */
export interface CommandCall<T> {
  readonly operation: NamedOperation;
  readonly input: ProposedInput;
  readonly reason: string | undefined;
  /** The e-mail address of the operator in whose name it is proposed or done. */
  readonly as: string | undefined;
  readonly isBreakGlass: boolean;
  /** Reads what the command prints, in the transaction of the change. */
  present(tx: Tx, reply: unknown): Promise<T>;
}

export type CommandOutcome<T> =
  | { readonly kind: 'done'; readonly value: T; readonly breakGlass?: Id<'BreakGlass'> }
  | { readonly kind: 'proposed'; readonly proposal: ProposalReply };

/** All commands share the amounts of one operator: a shell proves nobody's name. */
const COMMAND_LINE = { id: 'operator:cli' };

/**
 * Performs an operation at the command line. If it needs a second operator, it is proposed in the name of an operator, who
 * has to take it; or it is performed at once, which another operator has to acknowledge (operator.md §7.2).
 */
export async function performCommand<T>(work: Work, call: CommandCall<T>): Promise<CommandOutcome<T>> {
  const settings = await work.read(loadApprovalSettings);
  if (!needsSecond(work, call, settings)) return performAtOnce(work, call);
  if (call.isBreakGlass) return breakGlass(work, call);
  const alone =
    call.operation.operator?.two === 'amount' ? await performSmall(work, call, settings) : undefined;
  return alone ?? propose(work, call);
}

function needsSecond(
  { platform }: Work,
  { operation, input }: CommandCall<unknown>,
  settings: ApprovalSettings,
) {
  const two = operation.operator?.two;
  if (two === undefined || settings.approvals === 'off') return false;
  return two !== 'production' || isInProduction({ platform }, input);
}

/** The operation as an effect of this actor. */
function effectAs({ actor, platform }: Work, { operation, input }: CommandCall<unknown>): Effect {
  return { ...effectOf({ operation, input, by: actor.id, platform }), actor };
}

/** A refusal that is returned keeps what was written, such as a deposit that was booked to suspense. */
async function performAtOnce<T>(
  work: Work,
  call: CommandCall<T>,
  before: (tx: Tx) => Promise<Id<'BreakGlass'> | undefined> = async () => undefined,
): Promise<CommandOutcome<T>> {
  const done = await work.write(async (tx) => {
    const breakGlass = await before(tx);
    const answer = await effectAs(work, call).run(tx);
    if (answer instanceof Refusal) return answer;
    await tx.flush();
    return {
      kind: 'done' as const,
      value: await call.present(tx, bodyOf(answer)),
      ...(breakGlass && { breakGlass }),
    };
  });
  if (done instanceof Refusal) throw done;
  return done;
}

function bodyOf(answer: Answer<unknown>): unknown {
  return answer instanceof Reply ? answer.body : answer;
}

async function breakGlass<T>(work: Work, call: CommandCall<T>): Promise<CommandOutcome<T>> {
  const { operation, input, reason, as } = call;
  if (reason === undefined) refuse('INVALID_INPUT', 'A change without a second operator needs --reason.');
  if (as === undefined)
    refuse('INVALID_INPUT', 'Give --as <e-mail> with --break-glass: that operator cannot acknowledge it.');
  const { id: operator } = await findMaker(work, call, as);
  const details = { ...work.actor.details, isBreakGlass: true };
  const marked = new Work(work.runtime, work.platform, { ...work.actor, details });
  const resource = resourceOf(operation, input);
  return performAtOnce(marked, call, (tx) =>
    recordBreakGlass(tx, { operation: operation.id, resource, operator, reason }),
  );
}

/** Performs a call that stays within what one operator may move alone in a day; undefined if it does not. */
async function performSmall<T>(
  work: Work,
  call: CommandCall<T>,
  settings: ApprovalSettings,
): Promise<CommandOutcome<T> | undefined> {
  const effect = effectAs(work, call);
  const preview = await rehearse(work, effect);
  const done = await work.write(async (tx) => {
    const small = await performAlone(tx, effect, preview, usesOf(tx, COMMAND_LINE, settings, preview));
    if (!small) return undefined;
    if (small.answer instanceof Refusal) return small.answer;
    return { kind: 'done' as const, value: await call.present(tx, bodyOf(small.answer)) };
  });
  if (done instanceof Refusal) throw done;
  return done;
}

async function propose(work: Work, call: CommandCall<unknown>): Promise<CommandOutcome<never>> {
  const { operation, input, reason, as } = call;
  if (as === undefined) {
    const how =
      'give --as <e-mail> to propose it in the name of an operator, and --break-glass, too, to do it at once';
    throw new Refusal('FORBIDDEN', `A second operator has to approve this: ${how}.`);
  }
  if (reason === undefined) refuse('INVALID_INPUT', 'A proposal needs --reason.');
  const { id: maker } = await findMaker(work, call, as);
  const by = publicId('Operator', maker);
  const { details = {} } = work.actor;
  const preview = await rehearse(work, effectOf({ operation, input, by, platform: work.platform, details }));
  return work.write(async (tx) => {
    await requireOperator(tx, maker, operation.operator?.roles ?? []);
    const row = await addProposal(tx, {
      operation: operation.id,
      resource: resourceOf(operation, input),
      subject: subjectOf(operation, input),
      ...{ maker, isUnclaimed: true },
      content: { input, preview, reason, details },
    });
    return { kind: 'proposed', proposal: presentProposal(tx, row, operation) };
  });
}

/** The operator in whose name a command is given. The console shows whether it is that person. */
async function findMaker(
  work: Work,
  { operation }: CommandCall<unknown>,
  email: string,
): Promise<{ id: OperatorId }> {
  const found = await work.read((tx) => findOperatorByEmail(tx, email));
  if (!found) throw new Refusal('OPERATOR_NOT_FOUND', `There is no operator ${email}.`);
  const roles = operation.operator?.roles ?? [];
  if (found.status !== 'ACTIVE') refuse('FORBIDDEN', `${email} is ${found.status}, and can propose nothing.`);
  if (!roles.some((role) => found.roles.includes(role)))
    refuse('FORBIDDEN', `${email} may not do this; it needs one of the roles ${roles.join(', ')}.`, {
      roles,
    });
  return found;
}

/** Performs a proposal without a second operator, and records it as a use of break-glass (operator.md §7.3). */
export function approveAtCommandLine(
  work: Work,
  operations: readonly NamedOperation[],
  id: ProposalId,
  reason: string,
): Promise<{ readonly row: StoredProposal; readonly breakGlass: Id<'BreakGlass'> }> {
  const { id: by, details } = work.actor;
  return work.write(async (tx) => {
    const marked = { ...details, isBreakGlass: true };
    const row = await approveProposal(tx, operations, id, {
      by,
      operator: null,
      proof: null,
      details: marked,
    });
    const { operation, resource, maker } = row;
    const use = { operation, resource: resource ?? undefined, operator: maker, reason };
    return { row, breakGlass: await recordBreakGlass(tx, use) };
  });
}
