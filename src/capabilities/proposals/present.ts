import { realNow, shownStatus } from '#capabilities/proposals/machine.ts';
import { maskEffect, maskInput, maskPreview } from '#capabilities/proposals/mask-proposal.ts';
import {
  openContent,
  openOutcome,
  type ProposalContent,
  type ProposalOutcome,
  type StoredProposal,
} from '#capabilities/proposals/row.ts';
import type { ProposalReply, ProposalSummaryReply } from '#capabilities/proposals/schemas.ts';
import { readReferences } from '#foundation/crypto/person-seal.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { describing } from '#foundation/person-keys/people.ts';
import type { Preview } from '#foundation/preview/preview.ts';

export function presentSummary(row: StoredProposal, now: Date): ProposalSummaryReply {
  const { platform_id, resource, decided_at, decided_by, checker } = row;
  return {
    id: publicId('Proposal', row.id),
    status: shownStatus(row, now),
    operation: row.operation,
    ...(resource !== null && { resource }),
    ...(platform_id !== INSTALLATION.id && { platformId: publicId('Platform', platform_id) }),
    makerId: publicId('Operator', row.maker),
    madeBy: row.made_by,
    hash: row.hash.toString('hex'),
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    ...(decided_at && { decidedAt: decided_at.toISOString() }),
    ...(decided_by !== null && { decidedBy: decided_by }),
    ...(checker !== null && { checkerId: publicId('Operator', checker) }),
  };
}

/**
 * A proposal with its content. Only operators who may do the operation see its input and its effect (operator.md §2.2);
 * for others `operation` is undefined.
 */
export function presentProposal(
  tx: ReadTx,
  row: StoredProposal,
  operation: NamedOperation | undefined,
): ProposalReply {
  const summary = presentSummary(row, realNow(tx));
  const content = openContent(tx.vault, row);
  if (!content) return { ...summary, isErased: true };
  const outcome = openOutcome(tx.vault, row);
  const presented = { ...summary, ...(operation && presentWhole(operation, content, outcome)) };
  // Whatever keeps this reply seals it for the people for whom the content is sealed.
  return describing(
    presented,
    readReferences(row.content).map(({ person }) => person),
  );
}

/** The content, masked by what each field of the input says (operator.md §5.9). */
function presentWhole(
  operation: NamedOperation,
  { input, preview, reason }: ProposalContent,
  outcome: ProposalOutcome | undefined,
): Partial<ProposalReply> {
  const mask = <Shown>(shown: Shown) => maskEffect(operation, input, shown);
  return {
    ...{
      reason,
      input: maskInput(operation, input),
      preview: mutable(maskPreview(operation, input, preview)),
    },
    ...(outcome && 'reply' in outcome && outcome.reply !== null && { reply: mask(outcome.reply) }),
    ...(outcome && 'failure' in outcome && { failure: mask(outcome.failure) }),
    ...(outcome && 'reason' in outcome && { rejectionReason: outcome.reason }),
  };
}

/** A copy with the types of the schema. */
function mutable(preview: Preview): NonNullable<ProposalReply['preview']> {
  const { changes, values, rows, entries, events, jobs, ...others } = preview;
  return {
    ...others,
    ...(values && { values: [...values] }),
    ...{
      changes: [...changes],
      rows: [...rows],
      entries: [...entries],
      events: [...events],
      jobs: [...jobs],
    },
  };
}
