import Type, { type Static } from 'typebox';
import { PROPOSAL_STATUSES } from '#capabilities/proposals/row.ts';
import {
  component,
  dateTime,
  idSchema,
  operatorReason,
  page,
  pageQuery,
  stringEnum,
  text,
} from '#foundation/http/schema.ts';

const STATUS = stringEnum(PROPOSAL_STATUSES, {
  description:
    'UNCLAIMED: made at the command line, and not yet taken by its maker. PENDING: a second operator can decide. APPROVED: ' +
    'performed. FAILED: approved, but the operation refused. The others ended without any effect.',
});

const BRIEF = {
  id: idSchema('Proposal'),
  status: STATUS,
  operation: Type.String({ description: 'The operation that is proposed, by its id in this document.' }),
  resource: Type.Optional(
    Type.String({
      description:
        'The id of the resource that the operation is about; of a connector `connector` and its name.',
    }),
  ),
  platformId: Type.Optional(idSchema('Platform', { description: 'Absent: it is about the installation.' })),
  makerId: idSchema('Operator', {
    description: 'The operator who proposed it, or in whose name it was proposed.',
  }),
  madeBy: Type.String({ description: 'The maker, or the account that proposed it at the command line.' }),
  hash: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'SHA-256 of id, operation, input and preview as canonical JSON (RFC 8785).',
  }),
  createdAt: dateTime({ description: 'When it was proposed.' }),
  expiresAt: dateTime({ description: 'Until when it can be decided.' }),
  decidedAt: Type.Optional(dateTime({ description: 'When it was decided.' })),
  decidedBy: Type.Optional(Type.String({ description: 'The actor who decided, named as in the audit log.' })),
  checkerId: Type.Optional(idSchema('Operator', { description: 'The second operator, who approved it.' })),
};

export const ProposalSummary = component(
  'ProposalSummary',
  'An operation of an operator that waits for a second one, or did.',
  BRIEF,
);

const anything = (description: string) => Type.Optional(Type.Unknown({ description }));
const rows = (description: string) => Type.Array(Type.Unknown(), { description });

const ChangedValueReply = component('ChangedValue', 'A setting that would change, masked as its field is.', {
  field: Type.String({ description: 'Where it is in the request: `settings.fees.fixed.USD`.' }),
  before: Type.Unknown({ description: 'Its value so far; null: none.' }),
  after: Type.Unknown({ description: 'Its value afterwards; null: none.' }),
});

export const PreviewOfChange = component(
  'PreviewOfChange',
  'What the operation would do. Ids that it would make up are `new 1`, `new 2` and so on.',
  {
    changes: rows('What the audit log would say.'),
    values: Type.Optional(
      Type.Array(ChangedValueReply, {
        description: 'The settings that would change; absent if the operation changes none.',
      }),
    ),
    rows: rows('The rows that would change, with their statuses afterwards.'),
    entries: rows('Each ledger entry as a sentence, with its lines.'),
    events: rows('The events that the platform would receive.'),
    jobs: rows('The kinds of work that would be scheduled.'),
    amounts: Type.Record(Type.String(), Type.String(), {
      description: 'The money that would move, by currency, in its smallest unit.',
    }),
    reply: anything('The reply of the operation; absent if it contains a secret.'),
  },
);

const ACCOUNT_IN_EXAMPLE = 'InternalAccount:01a1d0c4-6f2e-7c1b-9d55-3f0a8b7c2e10';
const MAKER_IN_EXAMPLE = 'Operator:01a1d0b9-11d0-7a63-8f1e-6b2f4f1f9c02';

/** A deposit that a second operator has to approve. */
const EXAMPLE = {
  ...{ id: 'Proposal:01a1d0c5-0c1a-7e0f-a3b7-52d9c1e4f681', status: 'PENDING', operation: 'bookDeposit' },
  ...{ resource: ACCOUNT_IN_EXAMPLE, platformId: 'Platform:01a1ce11-95a0-7d0e-b5f0-0d3c7a9f1b44' },
  ...{ makerId: MAKER_IN_EXAMPLE, madeBy: MAKER_IN_EXAMPLE },
  hash: '9f2c4d6e8a1b3c5d7e9f0a2b4c6d8e0f1a3b5c7d9e1f2a4b6c8d0e2f4a6b8c0d',
  ...{ createdAt: '2026-03-02T10:00:00.000Z', expiresAt: '2026-03-05T10:00:00.000Z' },
  reason: 'on the statement of 2 March, page 4',
  input: {
    params: { accountId: ACCOUNT_IN_EXAMPLE.split(':')[1] },
    query: {},
    body: {
      ...{ amount: 125_000, currency: 'USD', sender: 'G. H.', bankReference: '…4711', rail: 'ACH' },
      reason: 'on the statement of 2 March, page 4',
    },
  },
  preview: {
    changes: [{ action: 'deposit book', resource: 'Transaction:new 1', details: { bankReference: '…4711' } }],
    rows: [{ table: 'transactions', id: 'new 1', isNew: true, statuses: { status: 'COMPLETED' } }],
    entries: [{ says: 'Booked: a deposit was received.', kind: 'deposit.received', about: 'new 1' }],
    events: [{ type: 'INCOMING_PAYMENT.COMPLETED', resource: 'Transaction:new 1' }],
    jobs: [],
    amounts: { USD: '125000' },
    reply: { id: 'Transaction:new 1', status: 'COMPLETED' },
  },
};

export const Proposal = component(
  'Proposal',
  'A proposal with everything that a second operator has to see.',
  {
    ...BRIEF,
    isErased: Type.Optional(
      Type.Literal(true, { description: 'A customer whom it named was erased, and its content with them.' }),
    ),
    reason: Type.Optional(Type.String({ description: 'Why it was proposed.' })),
    input: anything(
      'The input of the operation, masked by what each field says, for operators with a role that may do it. `hash` is over ' +
        'the complete input.',
    ),
    preview: Type.Optional(PreviewOfChange),
    reply: anything(
      'The reply of the operation, once it was performed; a secret in it is shown to its maker alone.',
    ),
    failure: anything('The refusal of the operation, if that ended the proposal.'),
    rejectionReason: Type.Optional(Type.String({ description: 'Why it was rejected.' })),
  },
  { examples: [EXAMPLE] },
);

export const PROPOSAL_VIEWS = ['TO_CHECK', 'MINE', 'DECIDED', 'ALL'] as const;

export const ProposalsQuery = pageQuery({
  view: Type.Optional(
    stringEnum(PROPOSAL_VIEWS, {
      default: 'TO_CHECK',
      description:
        'TO_CHECK: those of others that the caller’s roles may decide. MINE: the caller’s own. DECIDED: those that have ended.',
    }),
  ),
  resource: Type.Optional(
    Type.String({ maxLength: 100, description: 'Only those about the resource with this id.' }),
  ),
});

export const ProposalListResponse = page('ProposalListResponse', ProposalSummary);
export const ProposalReasonRequest = component('ProposalReasonRequest', 'Why a proposal ends.', {
  reason: operatorReason(),
});

export const ProposalFieldRequest = component(
  'ProposalFieldRequest',
  'One field of a proposed input, and why it is needed.',
  {
    field: text(1, 200, {
      description: 'Where the field is in the body of the input: `sender`, `coordinates.EUR_ACCOUNT.iban`.',
      pattern: '^[A-Za-z0-9_]+(?:\\.[A-Za-z0-9_]+)*$',
    }),
    reason: operatorReason(),
  },
);

export const DisclosedProposalField = component('DisclosedProposalField', 'One field in clear.', {
  field: Type.String({ description: 'Where it is in the body of the input.' }),
  value: Type.Unsafe<unknown>({
    type: ['string', 'number', 'boolean', 'null'],
    description: 'Its value.',
  }),
});

const base64url = (maxLength: number, description: string) => Type.String({ maxLength, description });

export const ProposalApproveRequest = component(
  'ProposalApproveRequest',
  'An approval, signed by a passkey or by a token of the issuer at which operators sign in.',
  {
    reason: operatorReason(),
    nonce: base64url(200, 'The nonce of the challenge that the passkey answers, or of the confirmation.'),
    assertion: Type.Optional(
      component('OperatorAssertion', 'The result of `navigator.credentials.get`, in base64url.', {
        credentialId: base64url(1_400, 'Which passkey it is.'),
        clientDataJson: base64url(4_000, 'The data that the browser signed.'),
        authenticatorData: base64url(4_000, 'The data of the passkey about itself.'),
        signature: base64url(4_000, 'Its signature.'),
      }),
    ),
    confirmation: Type.Optional(
      base64url(
        20_000,
        'Instead of a passkey’s answer: what `POST /console/api/operator/issuer/finish` answered.',
      ),
    ),
  },
);

export const ProposalSecret = component(
  'ProposalSecret',
  'The reply of an approved operation, with its secret.',
  {
    reply: Type.Unknown({ description: 'The whole reply of the operation. It is not shown again.' }),
  },
);

export type ProposalReply = Static<typeof Proposal>;
export type ProposalSummaryReply = Static<typeof ProposalSummary>;
