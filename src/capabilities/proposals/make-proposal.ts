import { createHash } from 'node:crypto';
import { changeProposal, realNow } from '#capabilities/proposals/machine.ts';
import {
  type OperatorId,
  type ProposalContent,
  type ProposalId,
  type StoredProposal,
  sealPart,
} from '#capabilities/proposals/row.ts';
import { lockUndecided } from '#capabilities/proposals/store.ts';
import { type AuditFact, audit } from '#foundation/audit/audit.ts';
import { CommitRefused } from '#foundation/database/reasons.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { canonicalJson } from '#foundation/lib/canonical-json.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { findCustomerOf } from '#foundation/person-keys/customer-of-store.ts';
import { peopleIn, peopleOrStrangers } from '#foundation/person-keys/people.ts';

/** operator.md §5.1 */
const LIFE_MS = 72 * 60 * 60 * 1000;

export interface NewProposal {
  readonly operation: string;
  /** The public id of the resource that the operation is about. */
  readonly resource: string | undefined;
  /** What the operation is about: the resource, the bank's reference of a deposit. */
  readonly subject: string;
  readonly maker: OperatorId;
  /** Made at the command line in the name of the maker, who has to take it. */
  readonly isUnclaimed: boolean;
  readonly content: ProposalContent;
}

/** Stores a proposal. Only one for the operation and its subject may be undecided (operator.md §5.3). */
export async function addProposal(tx: Tx, wanted: NewProposal): Promise<StoredProposal> {
  const { operation, resource, subject, maker, isUnclaimed, content } = wanted;
  const id = tx.newId('Proposal');
  const subject_hash = tx.vault.fingerprint(`${operation} ${subject}`, 'proposals.subject');
  await freePlace(tx, { operation, subject_hash });
  const { people, customer_id } = await peopleOf(tx, resource, content);
  const now = realNow(tx);
  const row = changeProposal(
    tx,
    {
      ...{ platform_id: tx.platformId, id, version: 0n, operation, resource: resource ?? null, subject_hash },
      ...{ customer_id, maker, made_by: tx.actor.id, status: 'PENDING', ...UNDECIDED },
      content: sealPart(tx.vault, 'content', { id, people, value: content }),
      hash: hashOf({ id, operation }, content),
      ...{ created_at: now, updated_at: now, expires_at: new Date(now.getTime() + LIFE_MS) },
    },
    { kind: isUnclaimed ? 'proposedFor' : 'proposed' },
  );
  auditProposal(tx, 'proposal make', row, { reason: content.reason });
  await tx.flush().catch(async (error: unknown) => {
    if (error instanceof CommitRefused && error.reason.name === 'replayed') throw pending();
    throw error;
  });
  return row;
}

const UNDECIDED = {
  ...{ decided_at: null, decided_by: null, checker: null, proof: null, is_break_glass: false },
  ...{ outcome: null, secret: null, secret_until: null },
} as const;

/** Refuses while another proposal for the subject is undecided. One that has expired gives way. */
async function freePlace(tx: Tx, place: Pick<StoredProposal, 'operation' | 'subject_hash'>): Promise<void> {
  const other = await lockUndecided(tx, place);
  if (!other) return;
  if (other.expires_at > realNow(tx)) throw pending(other);
  changeProposal(tx, other, { kind: 'replaced', by: tx.actor.id });
}

function pending(other?: StoredProposal): Refusal {
  return new Refusal(
    'PROPOSAL_PENDING',
    'Another proposal for this waits to be decided.',
    other && { proposal: publicId('Proposal', other.id) },
  );
}

/** The people whom the content describes: they can be forgotten, and the content is lost then. */
async function peopleOf(tx: Tx, resource: string | undefined, content: ProposalContent) {
  const owner = resource === undefined ? undefined : await findCustomerOf(tx, resource);
  const named = peopleIn(JSON.stringify(content)) as CustomerId[];
  const known = [...new Set([...(owner === undefined ? [] : [owner]), ...named])];
  return { people: peopleOrStrangers(tx, known), customer_id: known[0] ?? null };
}

/** What a checker signs: nothing else is performed (operator.md §5.4). */
export function hashOf(
  { id, operation }: Pick<StoredProposal, 'id' | 'operation'>,
  { input, preview }: ProposalContent,
): Buffer {
  const text = canonicalJson({
    id: publicId('Proposal', id satisfies ProposalId),
    operation,
    input,
    preview,
  });
  return createHash('sha256').update(text).digest();
}

/** Writes the audit row of a change of a proposal. */
export function auditProposal(
  tx: Tx,
  action: string,
  row: StoredProposal,
  details: Readonly<Record<string, unknown>> = {},
): void {
  audit(tx, factOf(action, row, details));
}

/** The audit row names the operation, and the resource that it is about. */
export function factOf(
  action: string,
  { id, operation, resource, customer_id: customerId }: StoredProposal,
  details: Readonly<Record<string, unknown>>,
): AuditFact {
  return {
    action,
    resource: publicId('Proposal', id),
    customerId,
    details: { operation, ...(resource !== null && { about: resource }), ...details },
  };
}
