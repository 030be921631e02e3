import type { Static } from 'typebox';
import { realNow } from '#capabilities/proposals/machine.ts';
import { auditProposal } from '#capabilities/proposals/make-proposal.ts';
import { type OperatorId, openSecret, type ProposalId } from '#capabilities/proposals/row.ts';
import type { ProposalSecret } from '#capabilities/proposals/schemas.ts';
import { lockProposal, removeSecret } from '#capabilities/proposals/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { notFound, refuse } from '#foundation/lib/refusals.ts';

/** Shows the secret of an approved operation to its maker, and removes it (operator.md §5.8). */
export async function showSecret(
  tx: Tx,
  id: ProposalId,
  operator: OperatorId,
): Promise<Static<typeof ProposalSecret>> {
  const row = await lockProposal(tx, id);
  if (!row) throw notFound('PROPOSAL_NOT_FOUND', 'Proposal');
  if (row.maker !== operator) refuse('FORBIDDEN', 'Only the operator who proposed it sees the secret.');
  const isOver = row.secret_until === null || row.secret_until <= realNow(tx);
  const reply = isOver ? undefined : openSecret(tx.vault, row);
  if (reply === undefined)
    refuse('CONFLICT', 'There is no secret to show: it was shown already, or its day is over.');
  await removeSecret(tx, id);
  auditProposal(tx, 'proposal secret show', row);
  return { reply };
}
