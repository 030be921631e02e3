import { effectOf, type ProposedCall } from '#capabilities/proposals/effect.ts';
import {
  changeProposal,
  type Decider,
  isOpen,
  realNow,
  shownStatus,
} from '#capabilities/proposals/machine.ts';
import { auditProposal, factOf, hashOf } from '#capabilities/proposals/make-proposal.ts';
import { maskPreview } from '#capabilities/proposals/mask-proposal.ts';
import {
  type OperatorId,
  openContent,
  type ProposalContent,
  type ProposalId,
  type ProposalOutcome,
  type StoredProposal,
  sealPart,
} from '#capabilities/proposals/row.ts';
import { lockProposal, lockUndecidedOf } from '#capabilities/proposals/store.ts';
import { audit } from '#foundation/audit/audit.ts';
import { readReferences } from '#foundation/crypto/person-seal.ts';
import { onPlatform, type Tx } from '#foundation/database/tx.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { notFound, Refusal, refuse } from '#foundation/lib/refusals.ts';
import { peopleOrStrangers } from '#foundation/person-keys/people.ts';
import { hasSameEffect, type Preview } from '#foundation/preview/preview.ts';
import { performWithin } from '#foundation/preview/rehearse.ts';

export interface Approval extends Decider {
  /** What the checker's passkey signed; null at the command line. */
  readonly proof: object | null;
  /** The checker's roles and session, for the audit row of the operation. */
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Performs a proposed operation and records its approval in one commit. It refuses, and changes nothing, if the effect
 * would not be the one that was proposed. If the operation refuses, the proposal fails (operator.md §5.4, §5.6); what the
 * operation booked besides its refusal stays, because the preview showed it.
 */
export async function approveProposal(
  tx: Tx,
  operations: readonly NamedOperation[],
  id: ProposalId,
  approval: Approval,
): Promise<StoredProposal> {
  const row = await lockOpen(tx, id);
  if (approval.operator === row.maker) refuse('FORBIDDEN', 'You cannot approve what you have proposed.');
  // Its own refusal would end the proposal.
  if (approval.operator !== null && row.resource === publicId('Operator', approval.operator))
    refuse('FORBIDDEN', 'You cannot approve a change of your own account: another operator has to.');
  if (row.status === 'UNCLAIMED' && approval.operator !== null)
    refuse('CONFLICT', 'The operator in whose name it was proposed has not taken it yet.');
  const content = requireContent(tx, row);
  const call = {
    ...callOf(tx, operations, row, content),
    details: { ...content.details, ...detailsOf(row, approval) },
  };
  const performed = await performWithin(tx, effectOf(call)).catch(failureOf);
  if (performed instanceof Refusal) return fail(tx, row, approval, performed);
  if (!hasSameEffect(content.preview, performed.preview))
    throw stale(maskPreview(call.operation, content.input, performed.preview));
  const { reply, refusal } = performed;
  if (refusal) return fail(tx, row, approval, refusal);
  const isSecret = call.operation.idempotency?.secretReply ?? false;
  const decided = changeProposal(tx, row, {
    ...{ kind: 'approved', by: approval.by, operator: approval.operator, proof: approval.proof },
    outcome: seal(tx, row, 'outcome', { reply: isSecret ? null : (reply.body ?? null) }),
    secret: isSecret ? seal(tx, row, 'secret', reply.body) : null,
  });
  if (approval.operator === null)
    auditProposal(tx, 'proposal approve with break-glass', row, approval.details);
  return decided;
}

/** The operation's own audit row says who proposed and who approved. */
function detailsOf({ id }: StoredProposal, { operator, details }: Approval) {
  const checker = operator === null ? undefined : publicId('Operator', operator);
  return { ...details, proposal: publicId('Proposal', id), ...(checker && { checker }) };
}

/** The refusal with which an operation ends its proposal. A passing trouble leaves the proposal as it is. */
function failureOf(error: unknown): Refusal {
  if (error instanceof Refusal && error.code !== 'SERVICE_UNAVAILABLE') return error;
  throw error;
}

function fail(tx: Tx, row: StoredProposal, { by, operator, proof }: Approval, refusal: Refusal) {
  const { code, message, details } = refusal;
  const outcome = seal(tx, row, 'outcome', { failure: { code, message, details } } satisfies ProposalOutcome);
  auditProposal(tx, 'proposal fail', row, { code });
  return changeProposal(tx, row, { kind: 'failed', by, operator, proof, outcome });
}

function stale(preview: Preview): Refusal {
  const reason = 'The operation would have another effect by now than the one that was proposed.';
  return new Refusal('PROPOSAL_STALE', reason, { preview });
}

/** The operation with the stored input, in the name of the maker. */
export function callOf(
  { platform }: Pick<Tx, 'platform'>,
  operations: readonly NamedOperation[],
  { operation: id, maker }: StoredProposal,
  { input }: ProposalContent,
): ProposedCall {
  const operation = operations.find((one) => one.id === id);
  if (!operation) throw new Refusal('CONFLICT', `This version of the service has no operation ${id}.`);
  return { operation, input, by: publicId('Operator', maker), platform };
}

/** The stored content, if it is the one that the maker proposed and the checker saw. */
function requireContent({ vault }: Tx, row: StoredProposal): ProposalContent {
  const content = openContent(vault, row);
  if (!content) throw new Refusal('CONFLICT', 'The proposal named a customer whose data was erased.');
  if (!hashOf(row, content).equals(row.hash)) throw new Error(`proposal ${row.id} does not match its hash`);
  return content;
}

/** Rejects a proposal for a reason (operator.md §5.5). */
export async function rejectProposal(
  tx: Tx,
  id: ProposalId,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<StoredProposal> {
  const row = await lockOpen(tx, id);
  auditProposal(tx, 'proposal reject', row, { reason });
  const outcome = seal(tx, row, 'outcome', { reason } satisfies ProposalOutcome);
  return changeProposal(tx, row, { kind: 'rejected', by, outcome });
}

/** Withdraws a proposal: the maker's own, or any at the command line. */
export async function withdrawProposal(
  tx: Tx,
  id: ProposalId,
  { by, operator, reason }: Decider & { readonly reason?: string | undefined },
): Promise<StoredProposal> {
  const row = await lockOpen(tx, id);
  if (operator !== null && operator !== row.maker)
    refuse('FORBIDDEN', 'Only the operator who proposed it can withdraw it.');
  auditProposal(tx, 'proposal withdraw', row, reason === undefined ? {} : { reason });
  return changeProposal(tx, row, { kind: 'withdrawn', by });
}

/** Takes a proposal that was made at the command line in this operator's name (operator.md §5.6). */
export async function takeProposal(tx: Tx, id: ProposalId, operator: OperatorId): Promise<StoredProposal> {
  const row = await lockOpen(tx, id);
  if (operator !== row.maker) refuse('FORBIDDEN', 'It was proposed in the name of another operator.');
  if (row.status !== 'UNCLAIMED') refuse('CONFLICT', 'You have already taken it.');
  auditProposal(tx, 'proposal take', row);
  return changeProposal(tx, row, { kind: 'taken' });
}

/** Withdraws an operator's proposals, in the commit in which the operator loses a right (operator.md §5.7). */
export async function withdrawAllOf(tx: Tx, operator: OperatorId, reason: string): Promise<void> {
  for (const row of await lockUndecidedOf(tx, operator, realNow(tx))) {
    const there = onPlatform(tx, { ...tx.platform, id: row.platform_id });
    // The reason is a sentence of the service, so it describes no customer.
    audit(there, { ...factOf('proposal withdraw', row, { reason }), isClear: true });
    changeProposal(there, row, { kind: 'withdrawn', by: tx.actor.id });
  }
}

async function lockOpen(tx: Tx, id: ProposalId): Promise<StoredProposal> {
  const row = await lockProposal(tx, id);
  if (!row) throw notFound('PROPOSAL_NOT_FOUND', 'Proposal');
  const now = realNow(tx);
  if (isOpen(row, now)) return row;
  const status = shownStatus(row, now);
  throw new Refusal('PROPOSAL_DECIDED', `The proposal is ${status}, so it cannot be decided.`, { status });
}

/** Seals a part for the people for whom the content is sealed. */
function seal(tx: Tx, row: StoredProposal, column: 'outcome' | 'secret', value: unknown): Buffer {
  const people = readReferences(row.content).map(({ person }) => person);
  return sealPart(tx.vault, column, { id: row.id, people: peopleOrStrangers(tx, people), value });
}
