import type { PersonVault } from '#foundation/crypto/vault.ts';
import { versionedRows } from '#foundation/database/rows.ts';
import type { Preview } from '#foundation/preview/preview.ts';

export const PROPOSAL_STATUSES = [
  'UNCLAIMED',
  'PENDING',
  'APPROVED',
  'FAILED',
  'REJECTED',
  'WITHDRAWN',
  'EXPIRED',
] as const;
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];

/** The complete input of a proposed operation. */
export interface ProposedInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** What a proposal is about. It never changes. */
export interface ProposalContent {
  readonly input: ProposedInput;
  readonly preview: Preview;
  readonly reason: string;
  /** The maker's session and roles, for the audit row of the operation. */
  readonly details: Readonly<Record<string, unknown>>;
}

export interface ProposalFailure {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** How a proposal ended. */
export type ProposalOutcome =
  | { readonly reply: unknown }
  | { readonly failure: ProposalFailure }
  | { readonly reason: string };

/** A proposal as it is stored. */
export interface StoredProposal {
  platform_id: PlatformId;
  id: ProposalId;
  version: bigint;
  operation: string;
  resource: string | null;
  subject_hash: Buffer;
  customer_id: CustomerId | null;
  maker: OperatorId;
  made_by: string;
  content: Buffer;
  hash: Buffer;
  status: ProposalStatus;
  created_at: Date;
  updated_at: Date;
  expires_at: Date;
  decided_at: Date | null;
  decided_by: string | null;
  checker: OperatorId | null;
  proof: object | null;
  is_break_glass: boolean;
  outcome: Buffer | null;
  secret: Buffer | null;
  secret_until: Date | null;
}

export type ProposalId = Id<'Proposal'>;
export type OperatorId = Id<'Operator'>;

export const PROPOSALS = versionedRows<StoredProposal>({
  table: 'proposals',
  isKept: true,
  fixed: {
    operation: 'text',
    resource: 'text',
    subject_hash: 'bytea',
    customer_id: 'uuid',
    maker: 'uuid',
    made_by: 'text',
    content: 'bytea',
    hash: 'bytea',
    created_at: 'timestamptz',
    expires_at: 'timestamptz',
  },
  state: {
    status: 'text',
    updated_at: 'timestamptz',
    decided_at: 'timestamptz',
    decided_by: 'text',
    checker: 'uuid',
    proof: 'jsonb',
    is_break_glass: 'boolean',
    outcome: 'bytea',
    secret: 'bytea',
    secret_until: 'timestamptz',
  },
  constraints: { proposals_undecided: 'replayed' },
});

const context = (column: 'content' | 'outcome' | 'secret', id: ProposalId) => `proposals.${column}:${id}`;

/** Seals a part of a proposal, which may describe people. */
export function sealPart(
  vault: PersonVault,
  column: 'content' | 'outcome' | 'secret',
  {
    id,
    people,
    value,
  }: { readonly id: ProposalId; readonly people: readonly string[]; readonly value: unknown },
): Buffer {
  return vault.sealNaming(people, JSON.stringify(value), context(column, id));
}

/** Opens the content; undefined: a customer whom it names was erased. */
export function openContent(
  vault: PersonVault,
  { id, content }: Pick<StoredProposal, 'id' | 'content'>,
): ProposalContent | undefined {
  const text = vault.openKept(content, context('content', id));
  return text === undefined ? undefined : (JSON.parse(text) as ProposalContent);
}

/** Opens the outcome; undefined: there is none, or a customer whom it names was erased. */
export function openOutcome(
  vault: PersonVault,
  { id, outcome }: Pick<StoredProposal, 'id' | 'outcome'>,
): ProposalOutcome | undefined {
  const text = outcome === null ? undefined : vault.openKept(outcome, context('outcome', id));
  return text === undefined ? undefined : (JSON.parse(text) as ProposalOutcome);
}

export function openSecret(
  vault: PersonVault,
  { id, secret }: Pick<StoredProposal, 'id' | 'secret'>,
): unknown {
  const text = secret === null ? undefined : vault.openKept(secret, context('secret', id));
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}
