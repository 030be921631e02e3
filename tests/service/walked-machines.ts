import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type ActionNotice, AGENT_ACTIONS } from '#capabilities/agents/actions/machine.ts';
import type { WaitingActionRow } from '#capabilities/agents/actions/row.ts';
import { BATCHES, type BatchNotice } from '#capabilities/bank-files/machine.ts';
import type { BatchRow } from '#capabilities/bank-files/row.ts';
import { type CardTransition, centsToUnits } from '#capabilities/cards/machine/draft.ts';
import { newRow, type RowTraits } from '#capabilities/cards/machine/new-row.ts';
import { type CardFacts, type CardNotice, NO_FACTS } from '#capabilities/cards/machine/notice.ts';
import { CARD_TRANSACTIONS_MACHINE } from '#capabilities/cards/machine/table.ts';
import { type CardTransactionRow, isOpenRow, settledAmountOf } from '#capabilities/cards/transaction-row.ts';
import { newTransaction, type PaymentTransition } from '#capabilities/payments/machine/draft.ts';
import { draftMirror } from '#capabilities/payments/machine/mirror.ts';
import type { Facts, PaymentNotice } from '#capabilities/payments/machine/notice.ts';
import { PAYMENTS } from '#capabilities/payments/machine/table.ts';
import { type Fixed, plainTerms, type TransactionRow } from '#capabilities/payments/row.ts';
import { PROPOSALS_MACHINE, type ProposalNotice } from '#capabilities/proposals/machine.ts';
import type { StoredProposal } from '#capabilities/proposals/row.ts';
import { MINTS_AND_BURNS, type OperationNotice } from '#capabilities/stablecoins/operations/machine.ts';
import { heldAmountOf } from '#capabilities/stablecoins/operations/postings.ts';
import { isOpen, type OperationRow } from '#capabilities/stablecoins/operations/row.ts';
import { type Past, type Walk, walkOf } from '#tests/service/machine-walk.ts';

const NOW = new Date('2026-03-02T10:00:00Z');
const MINUTE_MS = 60_000;
const ID = '01990000-0000-7000-8000-000000000001' as Id<never>;

const isSometimes = fc.oneof(
  { weight: 2, arbitrary: fc.constant(false) },
  { weight: 1, arbitrary: fc.constant(true) },
);

// ── Payments ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** S 10000 USD with fees of 100 and 50, from an internal account to 9000 EUR in an external one. */
const QUOTE: Fixed = {
  platform_id: 'p1' as Id<never>,
  id: ID,
  type: 'OUTGOING',
  kind: 'QUOTE',
  customer_id: 'c1' as Id<never>,
  agent_id: null,
  quote_id: 'q1' as Id<never>,
  locked_side: 'SENDING',
  source: { kind: 'INTERNAL', account: 'payer' as Id<never> },
  destination: { kind: 'EXTERNAL', account: 'bank' as Id<never> },
  sending_currency: 'USD',
  sending_amount: 10_000n,
  receiving_currency: 'EUR',
  receiving_amount: 9_000n,
  service_fee: 100n,
  platform_fee: 50n,
  fee_account: 'platform' as Id<never>,
  reference: null,
  reference_hash: null,
  details: { fundingRail: 'RTP', payoutRail: 'SEPA', usdValue: ['10000', '1'] },
  private: null,
  created_at: NOW,
};
const INSIDE = { destination: { kind: 'INTERNAL', account: 'payee' as Id<never> } } as const;
const PULLED = { source: { kind: 'EXTERNAL', account: 'their-bank' as Id<never> } } as const;
const IN_DOLLARS = { receiving_currency: 'USD', receiving_amount: 9_850n } as const;
const TRANSFER: Fixed = { ...QUOTE, ...plainTerms('USD', 10_000n), kind: 'TRANSFER', quote_id: null };
const UMA: Fixed = {
  ...TRANSFER,
  ...INSIDE,
  type: 'INCOMING',
  kind: 'UMA',
  source: { kind: 'UMA', hash: null, address: '$somebody@elsewhere.example' },
};
const PAYMENT_KINDS: readonly Fixed[] = [
  QUOTE,
  { ...QUOTE, ...INSIDE },
  { ...QUOTE, ...PULLED },
  { ...QUOTE, ...PULLED, ...INSIDE },
  { ...QUOTE, source: { kind: 'REALTIME' } },
  { ...QUOTE, ...PULLED, ...INSIDE, ...IN_DOLLARS, type: 'INCOMING' },
  TRANSFER,
  { ...TRANSFER, ...INSIDE },
  { ...TRANSFER, ...PULLED, ...INSIDE, type: 'INCOMING' },
  UMA,
  { ...UMA, destination: QUOTE.destination },
];

const paymentRows = fc
  .record({
    fixed: fc.constantFrom(...PAYMENT_KINDS),
    byAgent: fc.boolean(),
    hasMirror: fc.boolean(),
    /** The payment that the row mirrors, instead of a payment of its own. */
    isMirror: isSometimes,
  })
  .map(({ fixed, byAgent, hasMirror, isMirror }): TransactionRow => {
    const agent = byAgent && fixed.kind !== 'UMA' ? { agent_id: 'agent' as Id<never> } : {};
    const details = {
      ...fixed.details,
      ...((hasMirror || isMirror) && { receiver: { customerId: 'c2' as Id<never> } }),
    };
    const expiresAt = fixed.quote_id === null ? null : new Date(NOW.getTime() + 5 * MINUTE_MS);
    const { row } = newTransaction({ ...fixed, ...agent, details }, NOW, expiresAt).transition();
    const mirror = isMirror
      ? draftMirror({ ...row, settled_at: NOW }, NOW, { sealMirror: () => null })
      : undefined;
    return mirror ? mirror.transition().row : row;
  });

const soon = fc.integer({ min: 1, max: 10 }).map((minutes) => new Date(NOW.getTime() + minutes * MINUTE_MS));
const amount = fc.constantFrom(10_000n, 9_999n);
const paymentNotices = fc.oneof<fc.Arbitrary<PaymentNotice>[]>(
  ...(
    [
      'executed',
      'authorizedOverLimit',
      'authorizationLapsed',
      'rateUnavailable',
      'expired',
      'approved',
      'submitted',
      'approvalLapsed',
      'accepted',
      'delivered',
      'returned',
      'collected',
      'collectionFailed',
      'collectionReversed',
      'cancelled',
      'refunded',
      'refundFailed',
      'held',
      'released',
      'arrived',
      'complianceRejected',
    ] as const
  ).map((kind) => fc.constant({ kind })),
  fc.record({ kind: fc.constant('authorizationRequired' as const), by: soon }),
  fc.record({
    kind: fc.constant('authorized' as const),
    nextBy: fc.option(soon, { nil: undefined, freq: 2 }),
  }),
  fc.record({ kind: fc.constantFrom('funded' as const, 'fundedOverLimit' as const), amount }),
  fc.constantFrom<PaymentNotice>({ kind: 'rejected' }, { kind: 'rejected', isOwnerDeleted: true }),
  fc.constant({ kind: 'approvalFailed' as const, reason: 'PAYMENT_APPROVAL_TIMED_OUT' as const }),
  fc.constant({ kind: 'takenBack' as const, reason: 'OFFRAMP_FAILED' as const }),
  fc.record({
    kind: fc.constant('payoutFailed' as const),
    reason: fc.constantFrom('ACCOUNT_INVALID' as const, 'QUOTE_EXECUTION_FAILED' as const),
    timedOut: fc.boolean(),
  }),
);

const paymentFacts = fc
  .record({
    debt: fc.constantFrom(0n, 500n, 50_000n),
    available: fc.constantFrom(0n, 4_000n, 1_000_000n),
    cannotReceive: isSometimes,
    isClosed: isSometimes,
    isReceiverGone: isSometimes,
    cannotHold: isSometimes,
    isOwnerGone: isSometimes,
    isPayoutRefused: isSometimes,
    isCollectionRefused: isSometimes,
    hasCryptoAccount: fc.boolean(),
  })
  .map(
    (given): Facts => ({
      debtOf: () => (given.debt === 0n ? undefined : { account: 'RECEIVABLE:c1:USD', balance: given.debt }),
      clawbackFrom: (account) => ({ account, available: given.available, receivable: 'RECEIVABLE:c1:USD' }),
      ownerReceivable: 'RECEIVABLE:c1:USD',
      canReceive: () => !given.cannotReceive,
      isClosed: () => given.isClosed,
      isReceiverGone: given.isReceiverGone,
      canHold: () => !given.cannotHold,
      cryptoRefundAccount: given.hasCryptoAccount ? ('crypto-account' as AccountId) : undefined,
      isCollectionReversed: false,
      isOwnerGone: given.isOwnerGone,
      knownPayoutFailure: given.isPayoutRefused ? 'ACCOUNT_INVALID' : undefined,
      knownCollectionFailure: given.isCollectionRefused ? 'COLLECTION_FAILED' : undefined,
      referencePrefix: 'SVC-',
      dailyLimitUsdCents: 50_000_000n,
      sealMirror: () => null,
    }),
  );

function checkPayment({ row }: PaymentTransition): void {
  const carried = [row.inflight_sent, row.inflight_received, row.refund_payable];
  assert.ok(
    carried.every((balance) => balance >= 0n),
    'a carried account is below zero',
  );
  assert.equal(row.failure_reason !== null, row.status === 'FAILED', 'money.md §4.6');
  const isUnderWay = ['PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING'].includes(row.status);
  if (!isUnderWay && row.refund_status !== 'PENDING') assert.deepEqual(carried, [0n, 0n, 0n]);
}

// ── Card transactions ───────────────────────────────────────────────────────────────────────────────────────────────

const MERCHANT = { descriptor: 'SHOP' };
const CARD_KINDS = [
  { direction: 'DEBIT', kind: 'PURCHASE' },
  { direction: 'CREDIT', kind: 'CREDIT' },
  { direction: 'DEBIT', kind: 'INQUIRY' },
] as const;

function blankCardRow(
  id: TransactionId,
  traits: Omit<RowTraits, 'token'>,
  currency: string,
): CardTransactionRow {
  const card = { id: 'card' as Id<never>, customer_id: 'c1' as Id<never>, currency: 'USD' };
  const owner = { card, platformCustomerId: 'user-1', account: { id: 'a1' as Id<never>, currency } };
  return newRow({ platformId: 'p1' as Id<never>, now: NOW }, id, owner, { ...traits, token: id });
}

const cents = fc.constantFrom(0n, 400n, 600n, 1_000n, 1_500n);
const cardRows = fc
  .record({
    kind: fc.constantFrom(...CARD_KINDS),
    amount: fc.constantFrom(400n, 1_000n, 1_000n),
    currency: fc.constantFrom('USD', 'USDB'),
  })
  .map(({ kind, amount, currency }) => blankCardRow(ID, { ...kind, merchant: MERCHANT, amount }, currency));

const kindOf = <Kind extends CardNotice['kind']>(kind: Kind) => fc.constant(kind);
const clearings = fc.record({
  kind: kindOf('clearing'),
  amount: cents,
  direction: fc.constantFrom('DEBIT' as const, 'CREDIT' as const),
  merchant: fc.constant(MERCHANT),
});
const cardNotices = fc.oneof<fc.Arbitrary<CardNotice>[]>(
  fc.record({ kind: kindOf('approved'), isHeld: fc.boolean(), holdExpiresAt: soon }),
  fc.record({ kind: kindOf('approvedAtOnce'), isPullFailing: fc.boolean() }),
  fc.constantFrom<CardNotice>(
    { kind: 'declined', reason: 'BLOCKED' },
    { kind: 'expiry' },
    { kind: 'pull_failure' },
    { kind: 'collected' },
    { kind: 'writtenOff' },
  ),
  clearings,
  clearings,
  fc.record({ kind: kindOf('advice'), amount: cents }),
  fc.record({ kind: kindOf('reversal'), amount: fc.option(cents, { nil: undefined, freq: 2 }) }),
  fc.record({
    kind: kindOf('return'),
    purchaseToken: fc.constant('t1'),
    amount: cents,
    merchant: fc.constant(MERCHANT),
  }),
  fc.record({
    kind: kindOf('return_reversal'),
    returnToken: fc.constant('t2'),
    amount: cents,
    merchant: fc.constant(MERCHANT),
  }),
);

const cardFacts = fc
  .record({
    available: fc.constantFrom(0n, 300n, 1_000_000_000n, 1_000_000_000n),
    mayDraw: fc.boolean(),
    isClosed: isSometimes,
  })
  .map((facts): CardFacts => ({ ...NO_FACTS, ...facts }));

function checkCardTransaction({ row }: CardTransition, { balances, rows }: Past<CardTransactionRow>): void {
  for (const amount of [row.hold, row.receivable, row.returned]) assert.ok(amount >= 0n, 'below zero');
  const held = [...rows.values()].reduce((sum, one) => sum + centsToUnits(one, one.hold), 0n);
  assert.equal(balances.get('HOLD:a1') ?? 0n, held, 'the hold is not as booked');
  assert.ok(row.returned <= settledAmountOf(row), 'more is returned than was settled');
  if (!isOpenRow(row)) assert.equal(row.hold, 0n, 'a hold outlives its row');
}

// ── Mints and burns ─────────────────────────────────────────────────────────────────────────────────────────────────

const operationRows = fc
  .record({
    operation_type: fc.constantFrom('MINT' as const, 'BURN' as const),
    source_internal: fc.constantFrom(null, 'source' as Id<never>),
    destination_internal: fc.constantFrom(null, 'destination' as Id<never>),
  })
  .map(
    (parties): OperationRow => ({
      ...parties,
      platform_id: 'p1' as Id<never>,
      id: ID,
      version: 0n,
      stablecoin_id: 's1' as Id<never>,
      amount: 25_000_000n,
      cents: 2_500n,
      currency: 'ACME',
      customer_id: null,
      provider: 'BRALE',
      provider_account: 'l1' as Id<never>,
      source_type: parties.source_internal === null ? 'WIRE' : 'SVC_INTERNAL_ACCOUNT',
      source_external: null,
      destination_external: null,
      rail: null,
      description: null,
      created_at: NOW,
      status: 'CREATED',
      instruments: Buffer.from('sealed'),
      funding_instructions: null,
      expires_at: null,
      provider_status: null,
      failure_reason: null,
      steps: {},
      updated_at: NOW,
    }),
  );

const providerNotices = fc.record(
  {
    kind: fc.constantFrom(
      'awaitingFunding',
      'awaitingProvider',
      'processing',
      'completed',
      'failed',
      'expired',
    ),
    providerStatus: fc.constant('its own word'),
    funding: soon.map((expiresAt) => ({ instructions: { rail: 'WIRE' }, expiresAt })),
    reason: fc.constantFrom('PROVIDER_CANCELED', 'FUNDING_REJECTED'),
    askAgainAfterMs: fc.constantFrom(0, MINUTE_MS),
  },
  { requiredKeys: ['kind', 'providerStatus'] },
) as fc.Arbitrary<OperationNotice>;

const operationNotices = fc.oneof(
  { weight: 3, arbitrary: fc.constant<OperationNotice>({ kind: 'created' }) },
  { weight: 6, arbitrary: providerNotices },
  { weight: 1, arbitrary: fc.constantFrom<OperationNotice>({ kind: 'refused' }, { kind: 'lost' }) },
);

const receivers = fc.record({
  canHold: fc.boolean(),
  debt: fc.constantFrom(
    undefined,
    ...[1_000n, 90_000_000n].map((balance) => ({ account: 'RECEIVABLE:c1:ACME' as const, balance })),
  ),
});

// ── Actions of agents ───────────────────────────────────────────────────────────────────────────────────────────────

const actionRows = fc.constantFrom('EXECUTE_QUOTE' as const, 'TRANSFER_OUT' as const).map(
  (type): WaitingActionRow => ({
    platform_id: 'p1' as Id<never>,
    id: ID,
    version: 0n,
    agent_id: 'a1' as Id<never>,
    customer_id: 'c1' as Id<never>,
    type,
    transaction_id: type === 'EXECUTE_QUOTE' ? ('t1' as Id<never>) : null,
    transfer: null,
    signer_key: null,
    limits: null,
    status: 'PENDING_APPROVAL',
    rejection_reason: null,
    failure: null,
    created_at: NOW,
    updated_at: NOW,
    approve_by: null,
  }),
);

const failure = { code: 'INSUFFICIENT_FUNDS', reason: 'The account does not cover it.' };
const actionNotices = fc.oneof<fc.Arbitrary<ActionNotice>[]>(
  soon.map((approve_by) => ({ kind: 'submitted', transaction: { id: 't1' as Id<never>, approve_by } })),
  fc.constantFrom<ActionNotice>(
    { kind: 'started', transaction: { id: 't1' as Id<never> } },
    { kind: 'failed', failure },
    { kind: 'approved' },
    { kind: 'approvalFailed', failure },
    { kind: 'rejected', reason: null },
    { kind: 'ownerDeleted', reason: 'agent deleted' },
  ),
);

// ── Proposals of operators ──────────────────────────────────────────────────────────────────────────────────────────

const MAKER = 'maker' as Id<never>;
const SEALED = Buffer.from('sealed');
const proposalRows = fc
  .constant(
    (): StoredProposal => ({
      ...{ platform_id: 'p1' as Id<never>, id: ID, version: 0n, operation: 'settlePayment', resource: null },
      ...{
        subject_hash: SEALED,
        customer_id: null,
        maker: MAKER,
        made_by: 'Operator:maker',
        content: SEALED,
      },
      ...{
        hash: SEALED,
        status: 'PENDING',
        created_at: NOW,
        updated_at: NOW,
        decided_at: null,
        decided_by: null,
      },
      ...{
        checker: null,
        proof: null,
        is_break_glass: false,
        outcome: null,
        secret: null,
        secret_until: null,
      },
      expires_at: new Date(NOW.getTime() + 5 * MINUTE_MS),
    }),
  )
  .map((make) => make());

const deciders = fc.constantFrom(
  { by: 'Operator:maker', operator: MAKER },
  { by: 'Operator:checker', operator: 'checker' as Id<never> },
  { by: 'ada@shell', operator: null },
);
const proposalNotices = fc.oneof<fc.Arbitrary<ProposalNotice>[]>(
  fc.constantFrom<ProposalNotice>(
    { kind: 'proposed' },
    { kind: 'proposedFor' },
    { kind: 'taken' },
    { kind: 'rejected', by: 'Operator:checker', outcome: SEALED },
    { kind: 'withdrawn', by: 'Operator:maker' },
    { kind: 'replaced', by: 'Operator:maker' },
  ),
  deciders.map((who) => ({ kind: 'approved', ...who, proof: null, outcome: SEALED, secret: SEALED })),
  deciders.map((who) => ({ kind: 'failed', ...who, proof: null, outcome: SEALED })),
);

// ── Files for banks ─────────────────────────────────────────────────────────────────────────────────────────────────

const batchRows = fc.constant<BatchRow>({
  ...{ connector_id: ID, id: ID, version: 0n, updated_at: NOW, status: 'OPEN', settlement_account: 'main' },
  ...{ rail: 'SEPA', kind: 'PAYOUT', currency: 'EUR', format: 'SEPA', seal_at: NOW, created_at: NOW },
  ...{
    message_id: null,
    payment_information_id: null,
    name: null,
    content_hash: null,
    orders: null,
    total: null,
  },
  ...{
    execution_day: null,
    modifier: null,
    sealed_at: null,
    written_at: null,
    ended_at: null,
    resent_at: null,
  },
});

const SEALED_FILE = {
  ...{ message_id: 'message', payment_information_id: 'payments', name: 'main-SEPA-2026-03-02-message' },
  ...{
    content_hash: Buffer.alloc(32),
    orders: 3,
    total: 4_200n,
    execution_day: '2026-03-02',
    modifier: null,
  },
};
const batchNotices = fc.oneof<fc.Arbitrary<BatchNotice>[]>(
  fc.constantFrom<BatchNotice>(
    { kind: 'opened' },
    { kind: 'sealed', facts: SEALED_FILE },
    { kind: 'staged' },
    { kind: 'written' },
    { kind: 'allEnded' },
  ),
  fc
    .constantFrom('ACCEPTED' as const, 'PARTLY' as const, 'REJECTED' as const)
    .map((verdict) => ({ kind: 'answered', verdict })),
);

/** Every machine of the service. */
export const WALKS: readonly Walk[] = [
  walkOf({
    name: 'payments',
    walks: 15_000,
    machine: PAYMENTS,
    rows: paymentRows,
    notices: paymentNotices,
    facts: paymentFacts,
    passesMs: [0, 0, 0, MINUTE_MS, 10 * MINUTE_MS],
    adaptFacts: (facts, { posted }) => ({
      ...facts,
      isCollectionReversed: posted.has(`${ID} collection.reversed 0`),
    }),
    check: checkPayment,
  }),
  walkOf({
    name: 'card transactions',
    walks: 10_000,
    machine: CARD_TRANSACTIONS_MACHINE,
    rows: cardRows,
    notices: cardNotices,
    facts: cardFacts,
    passesMs: [0, MINUTE_MS],
    adaptFacts: (facts, { rows }, row) => ({
      ...facts,
      purchase: rows.get(row.original_id ?? ''),
      newRow: (traits) =>
        blankCardRow(`${ID.slice(0, -4)}${1000 + rows.size}` as TransactionId, traits, row.account_currency),
    }),
    isOver: ({ status, version }) => version > 0n && status === 'DECLINED',
    check: checkCardTransaction,
  }),
  walkOf({
    name: 'mints and burns',
    walks: 5_000,
    machine: MINTS_AND_BURNS,
    rows: operationRows,
    notices: operationNotices,
    facts: fc.record({ isCovered: fc.boolean(), receiver: receivers }),
    passesMs: [0, MINUTE_MS, 5 * MINUTE_MS],
    isOver: (row) => row.version > 0n && !isOpen(row),
    check({ row, jobs }, { balances }) {
      const held = isOpen(row) && row.source_internal !== null ? heldAmountOf(row)[1] : 0n;
      assert.equal(balances.get('HOLD:source') ?? 0n, held, 'money.md §11.L26');
      assert.equal(row.failure_reason !== null, row.status === 'FAILED', 'stablecoins.md §5.67');
      if (isOpen(row)) return;
      assert.equal(row.instruments, null);
      assert.ok(jobs.every(({ does }) => does === 'cancel'));
    },
  }),
  walkOf({
    name: 'actions of agents',
    walks: 5_000,
    machine: AGENT_ACTIONS,
    rows: actionRows,
    notices: actionNotices,
    facts: fc.constant(undefined),
    passesMs: [0, 0, MINUTE_MS],
    isOver: ({ status, version }) => version > 0n && status !== 'PENDING_APPROVAL',
    check({ row, events }) {
      assert.equal(row.failure !== null, row.status === 'FAILED');
      assert.deepEqual(
        events.map(({ type }) => type),
        row.status === 'PENDING_APPROVAL' ? ['AGENT_ACTION.PENDING_APPROVAL'] : [],
      );
    },
  }),
  walkOf({
    name: 'proposals of operators',
    walks: 5_000,
    machine: PROPOSALS_MACHINE,
    rows: proposalRows,
    notices: proposalNotices,
    facts: fc.constant(undefined),
    passesMs: [0, 0, MINUTE_MS, 6 * MINUTE_MS],
    isOver: ({ status, version }) => version > 0n && status !== 'PENDING' && status !== 'UNCLAIMED',
    check({ row }) {
      assert.notEqual(row.checker, MAKER, 'operator.md §5.4');
      const isPerformed = row.status === 'APPROVED' || row.status === 'FAILED';
      assert.equal((row.checker !== null) !== row.is_break_glass, isPerformed);
      assert.ok(!isPerformed || (row.decided_at !== null && row.decided_at < row.expires_at));
    },
  }),
  walkOf({
    name: 'files for banks',
    walks: 5_000,
    machine: BATCHES,
    rows: batchRows,
    notices: batchNotices,
    facts: fc.constant(undefined),
    passesMs: [0, MINUTE_MS],
    isOver: ({ status, version }) => version > 0n && status === 'ENDED',
    check({ row }) {
      const isSealed = row.status !== 'OPEN';
      assert.deepEqual(
        [row.content_hash !== null, row.sealed_at !== null],
        [isSealed, isSealed],
        'bank-files.md §2.2',
      );
      const isWritten = isSealed && row.status !== 'SEALED' && row.status !== 'WRITING';
      assert.equal(row.written_at !== null, isWritten, 'bank-files.md §2.4');
      assert.equal(row.ended_at !== null, row.status === 'ENDED', 'bank-files.md §2.1');
    },
  }),
];
