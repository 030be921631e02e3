import type { Static } from 'typebox';
import { openContent, type StoredProposal } from '#capabilities/proposals/row.ts';
import type { DisclosedProposalField } from '#capabilities/proposals/schemas.ts';
import { readReferences } from '#foundation/crypto/person-seal.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { OperatorCaller } from '#foundation/http/caller.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { invalidFields, Refusal } from '#foundation/lib/refusals.ts';
import { recordReasonedRead } from '#foundation/records/record-read.ts';
import { pickField } from '#foundation/records/show-operations.ts';

interface Disclosure {
  readonly caller: OperatorCaller;
  readonly field: string;
  readonly reason: string;
}

/** Shows one field of the proposed input, and records who looked before it does (operator.md §4.2, §5.9). */
export async function discloseField(
  tx: Tx,
  row: StoredProposal,
  { caller, field, reason }: Disclosure,
): Promise<Static<typeof DisclosedProposalField>> {
  const content = openContent(tx.vault, row);
  if (!content) throw new Refusal('CONFLICT', 'The proposal named a customer whose data was erased.');
  const value = pickField(content.input.body, field);
  if (value === undefined)
    throw invalidFields([{ field: 'field', message: 'is not a single field of the proposed input' }]);
  const platformId = tx.platformId === INSTALLATION.id ? null : tx.platformId;
  const people = readReferences(row.content).map(({ person }) => person);
  const fact = {
    kind: 'FIELD',
    platformId,
    resource: publicId('Proposal', row.id),
    fields: [field],
  } as const;
  await recordReasonedRead(tx, caller, fact, { reason, people });
  return { field, value };
}
