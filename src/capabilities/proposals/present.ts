import { realNow, shownStatus } from '#capabilities/proposals/machine.ts';
import { openContent, openOutcome, type StoredProposal } from '#capabilities/proposals/row.ts';
import type { ProposalReply, ProposalSummaryReply } from '#capabilities/proposals/schemas.ts';
import { readReferences } from '#foundation/crypto/person-seal.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
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

/** A proposal with its content. Only operators who may do the operation see its input and its effect (operator.md §2.2). */
export function presentProposal(tx: ReadTx, row: StoredProposal, isWhole: boolean): ProposalReply {
  const summary = presentSummary(row, realNow(tx));
  const content = openContent(tx.vault, row);
  if (!content) return { ...summary, isErased: true };
  const { input, preview, reason } = content;
  const outcome = openOutcome(tx.vault, row);
  const presented: ProposalReply = {
    ...summary,
    ...(isWhole && { reason, input, preview: mutable(preview) }),
    ...(isWhole && outcome && 'reply' in outcome && outcome.reply !== null && { reply: outcome.reply }),
    ...(isWhole && outcome && 'failure' in outcome && { failure: outcome.failure }),
    ...(isWhole && outcome && 'reason' in outcome && { rejectionReason: outcome.reason }),
  };
  // Whatever keeps this reply seals it for the people for whom the content is sealed.
  return describing(
    presented,
    readReferences(row.content).map(({ person }) => person),
  );
}

/** A copy with the types of the schema. */
function mutable(preview: Preview): NonNullable<ProposalReply['preview']> {
  const { changes, rows, entries, events, jobs } = preview;
  return {
    ...preview,
    ...{
      changes: [...changes],
      rows: [...rows],
      entries: [...entries],
      events: [...events],
      jobs: [...jobs],
    },
  };
}
