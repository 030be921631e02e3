import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newTransaction, type PaymentTransition } from '#capabilities/payments/machine/draft.ts';
import { decideKeys, JOB } from '#capabilities/payments/machine/jobs.ts';
import { draftMirror, noticeForMirror } from '#capabilities/payments/machine/mirror.ts';
import type { Facts, PaymentNotice } from '#capabilities/payments/machine/notice.ts';
import { PAYMENTS } from '#capabilities/payments/machine/table.ts';
import { type Fixed, plainTerms, type TransactionRow } from '#capabilities/payments/row.ts';
import { statusesOf } from '#capabilities/payments/statuses.ts';
import { LEDGER_KINDS } from '#foundation/ledger/kinds.ts';
import { NoticeRefused } from '#foundation/machine/machine.ts';
import { unbalanced } from '#tests/harness/entry-lines.ts';

const NOW = new Date('2026-03-02T10:00:00Z');
const LATER = new Date('2026-03-02T10:05:00Z');

/** All parties exist, can receive and owe nothing; the rail refuses nothing. */
const FACTS: Facts = {
  debtOf: () => undefined,
  clawbackFrom: (account) => ({ account, available: 1_000_000n, receivable: 'RECEIVABLE:c1:USD' }),
  ownerReceivable: 'RECEIVABLE:c1:USD',
  canReceive: () => true,
  isClosed: () => false,
  isReceiverGone: false,
  canHold: () => true,
  cryptoRefundAccount: 'crypto-account' as AccountId,
  isCollectionReversed: false,
  isOwnerGone: false,
  knownPayoutFailure: undefined,
  knownCollectionFailure: undefined,
  referencePrefix: 'SVC-',
  dailyLimitUsdCents: 50_000_000n,
  sealMirror: () => null,
};

// ── Situations ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** S 10000 USD with fees of 100 and 50, from an internal account to 9000 EUR in an external one. */
const QUOTE: Fixed = {
  platform_id: 'p1' as Id<never>,
  id: '01990000-0000-7000-8000-000000000001' as Id<never>,
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
const PULL: Fixed = {
  ...QUOTE,
  ...PULLED,
  ...INSIDE,
  type: 'INCOMING',
  receiving_currency: 'USD',
  receiving_amount: 9_850n,
};
const TRANSFER: Fixed = { ...QUOTE, ...plainTerms('USD', 10_000n), kind: 'TRANSFER' };
const TRANSFER_IN: Fixed = { ...TRANSFER, ...PULLED, ...INSIDE, type: 'INCOMING' };
const BY_AGENT = { agent_id: 'agent' as Id<never> } as const;
const UMA: Fixed = {
  ...QUOTE,
  ...plainTerms('USD', 10_000n),
  ...INSIDE,
  type: 'INCOMING',
  kind: 'UMA',
  source: { kind: 'UMA', hash: null, address: '$somebody@elsewhere.example' },
};
const UMA_OUTSIDE: Fixed = { ...UMA, destination: { kind: 'EXTERNAL', account: 'bank' as Id<never> } };

function buildRow(fixed: Fixed, expiresAt = LATER): TransactionRow {
  return newTransaction(fixed, NOW, fixed.quote_id === null ? null : expiresAt).transition().row;
}

function after(row: TransactionRow, ...notices: NoticeName[]): TransactionRow {
  return notices.reduce((current, name) => {
    const transition = advance(current, NOTICES[name], NOW, FACTS);
    assert.ok(transition, `${name} changes nothing`);
    return transition.row;
  }, row);
}

const NOTICES = {
  executed: { kind: 'executed' },
  funded: { kind: 'funded', amount: 10_000n },
  'funded otherwise': { kind: 'funded', amount: 9_999n },
  'funded over the limit': { kind: 'fundedOverLimit', amount: 10_000n },
  rateUnavailable: { kind: 'rateUnavailable' },
  expired: { kind: 'expired' },
  accepted: { kind: 'accepted' },
  delivered: { kind: 'delivered', transactionHash: '0xout' },
  payoutFailed: { kind: 'payoutFailed', reason: 'ACCOUNT_INVALID' },
  'timed out': { kind: 'payoutFailed', reason: 'QUOTE_EXECUTION_FAILED', timedOut: true },
  returned: { kind: 'returned' },
  collected: { kind: 'collected' },
  collectionFailed: { kind: 'collectionFailed' },
  collectionReversed: { kind: 'collectionReversed' },
  cancelled: { kind: 'cancelled' },
  refunded: { kind: 'refunded' },
  refundFailed: { kind: 'refundFailed' },
  held: { kind: 'held' },
  released: { kind: 'released', transactionHash: '0xin' },
  arrived: { kind: 'arrived', transactionHash: '0xin' },
  complianceRejected: { kind: 'complianceRejected' },
  approved: { kind: 'approved' },
  rejected: { kind: 'rejected' },
  'rejected, its customer deleted': { kind: 'rejected', isOwnerDeleted: true },
  submitted: { kind: 'submitted' },
  approvalLapsed: { kind: 'approvalLapsed' },
  approvalFailed: { kind: 'approvalFailed', reason: 'PAYMENT_APPROVAL_TIMED_OUT' },
  takenBack: { kind: 'takenBack', reason: 'OFFRAMP_FAILED' },
  authorizationRequired: { kind: 'authorizationRequired', by: LATER },
  authorized: { kind: 'authorized' },
  'authorized, another follows': { kind: 'authorized', nextBy: LATER },
  authorizedOverLimit: { kind: 'authorizedOverLimit' },
  authorizationLapsed: { kind: 'authorizationLapsed' },
} as const satisfies Record<string, PaymentNotice>;

type NoticeName = keyof typeof NOTICES;

const mirrorSource = () =>
  after(
    buildRow({
      ...QUOTE,
      ...INSIDE,
      details: { ...QUOTE.details, receiver: { customerId: 'c2' as Id<never> } },
    }),
    'executed',
    'delivered',
  );

/** The states of a payment, each reached by the notices that lead there. */
const SITUATIONS = {
  'quote out of a balance': () => buildRow(QUOTE),
  'quote by a pull': () => buildRow({ ...QUOTE, ...PULLED }),
  'quote to be funded': () => buildRow({ ...QUOTE, source: { kind: 'REALTIME' } }),
  'quote that pulls into an account': () => buildRow(PULL),
  'quote past its time': () => buildRow(QUOTE, NOW),
  'pull quote past its time': () => buildRow(PULL, NOW),
  'waiting, out of a balance': () => after(buildRow(QUOTE), 'authorizationRequired'),
  'waiting, by a pull': () => after(buildRow({ ...QUOTE, ...PULLED }), 'authorizationRequired'),
  'waiting, to be funded': () =>
    after(buildRow({ ...QUOTE, source: { kind: 'REALTIME' } }), 'authorizationRequired'),
  'waiting, past its time': () => ({
    ...after(buildRow(QUOTE), 'authorizationRequired'),
    authorize_by: NOW,
  }),
  'not authorized': () => after(buildRow(QUOTE), 'authorizationRequired', 'authorizationLapsed'),
  'authorized, on its way': () => after(buildRow(QUOTE), 'authorizationRequired', 'authorized'),
  'agent’s quote': () => buildRow({ ...QUOTE, ...BY_AGENT }),
  'agent’s transfer out': () => buildRow({ ...TRANSFER, ...BY_AGENT }),
  'quote under approval': () => after(buildRow({ ...QUOTE, ...BY_AGENT }), 'submitted'),
  'quote under approval, past its time': () => ({
    ...after(buildRow({ ...QUOTE, ...BY_AGENT }), 'submitted'),
    expires_at: NOW,
    approve_by: NOW,
  }),
  'pull quote under approval': () => after(buildRow({ ...PULL, ...BY_AGENT }), 'submitted'),
  'transfer out under approval': () => after(buildRow({ ...TRANSFER, ...BY_AGENT }), 'submitted'),
  'transfer in under approval': () => after(buildRow({ ...TRANSFER_IN, ...BY_AGENT }), 'submitted'),
  'transfer under approval, past its time': () => ({
    ...after(buildRow({ ...TRANSFER, ...BY_AGENT }), 'submitted'),
    approve_by: NOW,
  }),
  'transfer out': () => buildRow(TRANSFER),
  'transfer in': () => buildRow(TRANSFER_IN),
  'transfer not picked up': () => after(buildRow(TRANSFER), 'executed'),
  'transfer being collected': () => after(buildRow(TRANSFER_IN), 'executed'),
  'on its way': () => after(buildRow(QUOTE), 'executed'),
  'on its way inside': () => after(buildRow({ ...QUOTE, ...INSIDE }), 'executed'),
  'on its way, held': () => after(buildRow(QUOTE), 'executed', 'held'),
  'being collected for a payment': () => after(buildRow({ ...QUOTE, ...PULLED }), 'executed'),
  'collected for a payment': () => after(buildRow({ ...QUOTE, ...PULLED }), 'executed', 'collected'),
  'being collected into an account': () => after(buildRow(PULL), 'executed'),
  'being cancelled': () => after(buildRow(QUOTE), 'executed', 'cancelled'),
  cancelled: () => after(buildRow(QUOTE), 'executed', 'cancelled', 'refunded'),
  delivered: () => after(buildRow(QUOTE), 'executed', 'delivered'),
  'delivered inside': () => after(buildRow({ ...QUOTE, ...INSIDE }), 'executed', 'delivered'),
  'collected into an account': () => after(buildRow(PULL), 'executed', 'collected'),
  'failed, refund pending': () => after(buildRow(QUOTE), 'executed', 'payoutFailed'),
  'failed and refunded': () => after(buildRow(QUOTE), 'executed', 'payoutFailed', 'refunded'),
  'failed, not refunded': () => after(buildRow(QUOTE), 'executed', 'payoutFailed', 'refundFailed'),
  'failed, nothing taken': () => after(buildRow({ ...QUOTE, ...PULLED }), 'executed', 'collectionFailed'),
  'pull failed': () => after(buildRow(PULL), 'executed', 'collectionFailed'),
  expired: () => after(buildRow(QUOTE, NOW), 'expired'),
  deposit: () => ({
    ...buildRow({ ...UMA, kind: 'DEPOSIT', source: { kind: 'REALTIME' } }),
    status: 'COMPLETED',
    settled_at: NOW,
  }),
  'UMA offered': () => buildRow(UMA),
  'UMA approved': () => after(buildRow(UMA), 'approved'),
  'UMA held': () => after(buildRow(UMA), 'approved', 'held'),
  'UMA credited': () => after(buildRow(UMA), 'approved', 'arrived'),
  'UMA approved, for outside': () => after(buildRow(UMA_OUTSIDE), 'approved'),
  'UMA held, for outside': () => after(buildRow(UMA_OUTSIDE), 'approved', 'held'),
  'UMA on its way outside': () => after(buildRow(UMA_OUTSIDE), 'approved', 'arrived'),
  'UMA paid on': () => after(buildRow(UMA_OUTSIDE), 'approved', 'arrived', 'delivered'),
  'UMA rejected': () => after(buildRow(UMA), 'rejected'),
  'UMA failed, refund pending': () => after(buildRow(UMA), 'approved', 'complianceRejected'),
  'UMA given back': () => after(buildRow(UMA), 'approved', 'complianceRejected', 'refunded'),
  mirror: () => mirrorRow(mirrorSource()),
  'mirror taken back': () => after(mirrorRow(mirrorSource()), 'takenBack'),
} as const satisfies Record<string, () => TransactionRow>;

type Situation = keyof typeof SITUATIONS;

// ── The tables of money.md §4 ─────────────────────────────────────────────────────────────────────────────────────────

/** `status [reason] [refund: status] | entries | events | jobs`; a notice that is not listed changes nothing. */
type Outcomes = { readonly [On in NoticeName]?: string };

/** A payout fails: its entries are unwound, and the money that was taken is owed back. */
const failed = (reason: string, entries: string) =>
  `FAILED ${reason} refund: PENDING | ${entries} | FAILED REFUND_PENDING | -pay -follow:pay refund`;

/** An incoming UMA payment is refunded to its sender. */
const givenBack = (reason: string, entries = 'L15a') =>
  `FAILED ${reason} refund: PENDING | ${entries} | FAILED REFUND_PENDING | -follow:receive -follow:pay -receive -pay refund`;

const TABLE: Record<Situation, Outcomes> = {
  'quote out of a balance': {
    executed: 'PROCESSING | L2 L6 | PROCESSING | pay',
    authorizationRequired: 'PENDING_AUTHORIZATION | L3a | PENDING_AUTHORIZATION | lapse',
    rateUnavailable: 'FAILED QUOTE_RATE_UNAVAILABLE | | FAILED |',
  },
  'quote by a pull': {
    executed: 'PROCESSING | | PROCESSING | collect',
    authorizationRequired: 'PENDING_AUTHORIZATION | | PENDING_AUTHORIZATION | lapse',
    rateUnavailable: 'FAILED QUOTE_RATE_UNAVAILABLE | | FAILED |',
  },
  'quote to be funded': {
    funded: 'PROCESSING | L4 L6 | PROCESSING | pay',
    authorizationRequired: 'PENDING_AUTHORIZATION | | PENDING_AUTHORIZATION | lapse',
    'funded otherwise':
      'FAILED FUNDING_AMOUNT_MISMATCH refund: PENDING | L4 L10 | FAILED REFUND_PENDING | refund',
    'funded over the limit':
      'FAILED LIMIT_EXCEEDED refund: PENDING | L4 L10 | FAILED REFUND_PENDING | refund',
    rateUnavailable: 'FAILED QUOTE_RATE_UNAVAILABLE | | FAILED |',
  },
  'quote that pulls into an account': {
    executed: 'PENDING | | PENDING | collect',
    rateUnavailable: 'FAILED QUOTE_EXECUTION_FAILED | | FAILED |',
  },
  'quote past its time': {
    expired: 'EXPIRED | | EXPIRED |',
    rateUnavailable: 'FAILED QUOTE_RATE_UNAVAILABLE | | FAILED |',
  },
  'pull quote past its time': {
    expired: 'EXPIRED | | |',
    rateUnavailable: 'FAILED QUOTE_EXECUTION_FAILED | | FAILED |',
  },
  'waiting, out of a balance': {
    authorized: 'PROCESSING | L3b L6 | PROCESSING | pay',
    'authorized, another follows': 'PENDING_AUTHORIZATION | | PENDING_AUTHORIZATION | lapse',
    authorizedOverLimit: 'FAILED LIMIT_EXCEEDED | L3c | FAILED |',
    authorizationLapsed: 'FAILED SCA_NOT_COMPLETED | L3c | FAILED |',
  },
  'waiting, by a pull': {
    authorized: 'PROCESSING | | PROCESSING | collect',
    'authorized, another follows': 'PENDING_AUTHORIZATION | | PENDING_AUTHORIZATION | lapse',
    authorizedOverLimit: 'FAILED LIMIT_EXCEEDED | | FAILED |',
    authorizationLapsed: 'FAILED SCA_NOT_COMPLETED | | FAILED |',
  },
  'waiting, to be funded': {
    authorized: 'PENDING | | | expire',
    'authorized, another follows': 'PENDING_AUTHORIZATION | | PENDING_AUTHORIZATION | lapse',
    authorizationLapsed: 'FAILED SCA_NOT_COMPLETED | | FAILED |',
  },
  'waiting, past its time': { authorizationLapsed: 'FAILED SCA_NOT_COMPLETED | L3c | FAILED |' },
  'not authorized': {},
  'authorized, on its way': {
    delivered: 'COMPLETED | L7 | COMPLETED |',
    payoutFailed: failed('ACCOUNT_INVALID', 'L9 L10'),
    'timed out': failed('QUOTE_EXECUTION_FAILED', 'L9 L10'),
    returned: failed('PAYOUT_RETURNED', 'L9 L10'),
    cancelled: 'PROCESSING refund: PENDING | L9 L10 | REFUND_PENDING | -cancel -pay -follow:pay refund',
    held: 'PROCESSING COMPLIANCE_REVIEW | | |',
  },
  'agent’s quote': {
    executed: 'PROCESSING | L2 L6 | PROCESSING | pay',
    submitted: 'PENDING | | |',
    authorizationRequired: 'PENDING_AUTHORIZATION | L3a | PENDING_AUTHORIZATION | lapse',
    rateUnavailable: 'FAILED QUOTE_RATE_UNAVAILABLE | | FAILED |',
  },
  'agent’s transfer out': { executed: 'PENDING | L2 | | pay', submitted: 'PENDING | | | lapse' },
  'quote under approval': {
    executed: 'PROCESSING | L2 L6 | PROCESSING | pay',
    authorizationRequired: 'PENDING_AUTHORIZATION | L3a | PENDING_AUTHORIZATION | lapse',
    rejected: 'PENDING | | |',
    'rejected, its customer deleted': 'EXPIRED | | EXPIRED |',
    approvalLapsed: 'PENDING | | |',
    rateUnavailable: 'FAILED QUOTE_RATE_UNAVAILABLE | | FAILED |',
  },
  'quote under approval, past its time': {
    expired: 'EXPIRED | | EXPIRED |',
    rateUnavailable: 'FAILED QUOTE_RATE_UNAVAILABLE | | FAILED |',
  },
  'pull quote under approval': {
    executed: 'PENDING | | PENDING | collect',
    rejected: 'PENDING | | |',
    'rejected, its customer deleted': 'EXPIRED | | |',
    approvalLapsed: 'PENDING | | |',
    rateUnavailable: 'FAILED QUOTE_EXECUTION_FAILED | | FAILED |',
  },
  'transfer out under approval': {
    executed: 'PENDING | L2 | | pay',
    rejected: 'EXPIRED | | EXPIRED |',
    'rejected, its customer deleted': 'EXPIRED | | EXPIRED |',
    approvalLapsed: 'FAILED QUOTE_EXECUTION_FAILED | | FAILED |',
  },
  'transfer in under approval': {
    executed: 'PENDING | | | collect',
    rejected: 'REJECTED | | FAILED |',
    'rejected, its customer deleted': 'REJECTED | | FAILED |',
    approvalLapsed: 'FAILED COLLECTION_FAILED | | FAILED |',
  },
  'transfer under approval, past its time': { approvalLapsed: 'FAILED QUOTE_EXECUTION_FAILED | | FAILED |' },
  'transfer out': { executed: 'PENDING | L2 | | pay' },
  'transfer in': { executed: 'PENDING | | | collect' },
  'transfer being collected': {
    collected: 'COMPLETED | L1 | COMPLETED |',
    collectionFailed: 'FAILED COLLECTION_FAILED | | FAILED | -collect -follow:collect',
    collectionReversed: 'FAILED COLLECTION_FAILED | | FAILED | -collect -follow:collect',
    cancelled: 'FAILED COLLECTION_FAILED | | FAILED | -cancel -collect -follow:collect',
    held: 'PENDING COMPLIANCE_REVIEW | | |',
  },
  'transfer not picked up': {
    accepted: 'PROCESSING | | PROCESSING |',
    delivered: 'COMPLETED | L7 | PROCESSING COMPLETED |',
    payoutFailed: failed('ACCOUNT_INVALID', 'L10'),
    'timed out': failed('QUOTE_EXECUTION_FAILED', 'L10'),
    returned: failed('PAYOUT_RETURNED', 'L10'),
    cancelled:
      'PROCESSING refund: PENDING | L10 | PROCESSING REFUND_PENDING | -cancel -pay -follow:pay refund',
    held: 'PENDING COMPLIANCE_REVIEW | | |',
  },
  'on its way': {
    delivered: 'COMPLETED | L7 | COMPLETED |',
    payoutFailed: failed('ACCOUNT_INVALID', 'L9 L10'),
    'timed out': failed('QUOTE_EXECUTION_FAILED', 'L9 L10'),
    returned: failed('PAYOUT_RETURNED', 'L9 L10'),
    cancelled: 'PROCESSING refund: PENDING | L9 L10 | REFUND_PENDING | -cancel -pay -follow:pay refund',
    held: 'PROCESSING COMPLIANCE_REVIEW | | |',
  },
  'on its way inside': {
    delivered: 'COMPLETED | L7 | COMPLETED |',
    payoutFailed: failed('ACCOUNT_INVALID', 'L9 L10'),
    'timed out': failed('QUOTE_EXECUTION_FAILED', 'L9 L10'),
    cancelled: 'PROCESSING refund: PENDING | L9 L10 | REFUND_PENDING | -cancel -pay -follow:pay refund',
    held: 'PROCESSING COMPLIANCE_REVIEW | | |',
  },
  'on its way, held': {
    delivered: 'COMPLETED | L7 | COMPLETED |',
    payoutFailed: failed('ACCOUNT_INVALID', 'L9 L10'),
    'timed out': failed('QUOTE_EXECUTION_FAILED', 'L9 L10'),
    returned: failed('PAYOUT_RETURNED', 'L9 L10'),
    cancelled: 'PROCESSING refund: PENDING | L9 L10 | REFUND_PENDING | -cancel -pay -follow:pay refund',
    released: 'PROCESSING | | |',
  },
  'being collected for a payment': {
    collected: 'PROCESSING | L5 L6 | | pay',
    collectionFailed: 'FAILED QUOTE_EXECUTION_FAILED | | FAILED | -collect -follow:collect',
    collectionReversed: 'FAILED QUOTE_EXECUTION_FAILED | | FAILED | -collect -follow:collect',
    cancelled: 'FAILED QUOTE_EXECUTION_FAILED | | FAILED | -cancel -collect -follow:collect',
    held: 'PROCESSING COMPLIANCE_REVIEW | | |',
  },
  'collected for a payment': {
    delivered: 'COMPLETED | L7 | COMPLETED |',
    payoutFailed: failed('ACCOUNT_INVALID', 'L9 L10'),
    'timed out': failed('QUOTE_EXECUTION_FAILED', 'L9 L10'),
    returned: failed('PAYOUT_RETURNED', 'L9 L10'),
    collectionReversed: 'PROCESSING | L19 | |',
    cancelled: 'PROCESSING refund: PENDING | L9 L10 | REFUND_PENDING | -cancel -pay -follow:pay refund',
    held: 'PROCESSING COMPLIANCE_REVIEW | | |',
  },
  'being collected into an account': {
    collected: 'COMPLETED | L5 L6 L7 | COMPLETED |',
    collectionFailed: 'FAILED COLLECTION_FAILED | | FAILED | -collect -follow:collect',
    collectionReversed: 'FAILED COLLECTION_FAILED | | FAILED | -collect -follow:collect',
    cancelled: 'FAILED COLLECTION_FAILED | | FAILED | -cancel -collect -follow:collect',
    held: 'PENDING COMPLIANCE_REVIEW | | |',
  },
  'being cancelled': {
    refunded: 'COMPLETED refund: COMPLETED | L11 | REFUND_COMPLETED COMPLETED |',
    refundFailed: 'FAILED QUOTE_EXECUTION_FAILED refund: FAILED | L12 | FAILED REFUND_FAILED |',
    held: 'PROCESSING COMPLIANCE_REVIEW refund: PENDING | | |',
  },
  cancelled: {},
  delivered: {
    returned: failed('PAYOUT_RETURNED', 'L8 L9 L10'),
  },
  'delivered inside': {},
  'collected into an account': { collectionReversed: 'FAILED COLLECTION_FAILED | L19 | FAILED |' },
  'failed, refund pending': {
    refunded: 'FAILED ACCOUNT_INVALID refund: COMPLETED | L11 | REFUND_COMPLETED |',
    refundFailed: 'FAILED ACCOUNT_INVALID refund: FAILED | L12 | REFUND_FAILED |',
  },
  'failed and refunded': {},
  'failed, not refunded': {},
  'failed, nothing taken': {},
  'pull failed': {},
  expired: {},
  deposit: { collectionReversed: 'FAILED COLLECTION_FAILED | L19 | FAILED |' },
  'UMA offered': {
    approved: 'PENDING | L13a | | -decide -decide:call receive',
    rejected: 'REJECTED | | FAILED | -decide -decide:call',
    'rejected, its customer deleted': 'REJECTED | | FAILED | -decide -decide:call',
    approvalFailed: 'FAILED PAYMENT_APPROVAL_TIMED_OUT | | FAILED | -decide -decide:call',
  },
  'UMA approved': {
    arrived: 'COMPLETED | L13b | COMPLETED |',
    held: 'PENDING COMPLIANCE_REVIEW | L14a | |',
    complianceRejected: givenBack('COMPLIANCE_REJECTED'),
  },
  'UMA held': {
    released: 'COMPLETED | L14b | COMPLETED |',
    complianceRejected: givenBack('COMPLIANCE_REJECTED'),
  },
  'UMA credited': {},
  'UMA approved, for outside': {
    arrived: 'PENDING | | | pay',
    held: 'PENDING COMPLIANCE_REVIEW | | |',
    complianceRejected: givenBack('COMPLIANCE_REJECTED'),
    delivered: 'COMPLETED | L13b | COMPLETED |',
    payoutFailed: givenBack('OFFRAMP_FAILED'),
    'timed out': givenBack('OFFRAMP_FAILED'),
    returned: givenBack('OFFRAMP_FAILED'),
  },
  'UMA held, for outside': {
    released: 'PENDING | | | pay',
    complianceRejected: givenBack('COMPLIANCE_REJECTED'),
  },
  'UMA on its way outside': {
    delivered: 'COMPLETED | L13b | COMPLETED |',
    payoutFailed: givenBack('OFFRAMP_FAILED'),
    'timed out': givenBack('OFFRAMP_FAILED'),
    returned: givenBack('OFFRAMP_FAILED'),
  },
  'UMA paid on': {
    returned: givenBack('OFFRAMP_FAILED', 'L8 L15a'),
  },
  'UMA rejected': {},
  'UMA failed, refund pending': {
    refunded: 'FAILED COMPLIANCE_REJECTED refund: COMPLETED | L15b | REFUND_COMPLETED |',
    refundFailed: 'FAILED COMPLIANCE_REJECTED refund: FAILED | L12 | REFUND_FAILED |',
  },
  'UMA given back': {},
  mirror: { takenBack: 'FAILED OFFRAMP_FAILED | | FAILED |' },
  'mirror taken back': {},
};

/** The same, with other facts. */
interface Exception {
  readonly named: string;
  readonly from: TransactionRow;
  readonly on: NoticeName;
  readonly facts?: Partial<Facts>;
  readonly gives: string | undefined;
}

const EXCEPTIONS: readonly Exception[] = [
  {
    named:
      'money.md §9.2: a payout that the rail refuses at once is debited and owed back in the same commit',
    from: SITUATIONS['quote out of a balance'](),
    on: 'executed',
    facts: { knownPayoutFailure: 'ACCOUNT_INVALID' },
    gives:
      'FAILED ACCOUNT_INVALID refund: PENDING | L2 L10 | PROCESSING FAILED REFUND_PENDING | -pay -follow:pay refund',
  },
  {
    named: 'money.md §9.2: a pull that is refused at once fails the payment, and no money moves',
    from: SITUATIONS['quote by a pull'](),
    on: 'executed',
    facts: { knownCollectionFailure: 'COLLECTION_FAILED' },
    gives: 'FAILED QUOTE_EXECUTION_FAILED | | PROCESSING FAILED | -collect -follow:collect',
  },
  {
    named:
      'money.md §9.2: after the authorization, a payout that is refused at once is debited and owed back',
    from: SITUATIONS['waiting, out of a balance'](),
    on: 'authorized',
    facts: { knownPayoutFailure: 'ACCOUNT_INVALID' },
    gives:
      'FAILED ACCOUNT_INVALID refund: PENDING | L3b L10 | PROCESSING FAILED REFUND_PENDING | -pay -follow:pay refund',
  },
  {
    named: 'money.md §9.2: after the authorization, a pull that is refused at once moves no money',
    from: SITUATIONS['waiting, by a pull'](),
    on: 'authorized',
    facts: { knownCollectionFailure: 'COLLECTION_FAILED' },
    gives: 'FAILED QUOTE_EXECUTION_FAILED | | PROCESSING FAILED | -collect -follow:collect',
  },
  {
    named: 'money.md §9.2: the same for a pull into an internal account',
    from: SITUATIONS['quote that pulls into an account'](),
    on: 'executed',
    facts: { knownCollectionFailure: 'COLLECTION_FAILED' },
    gives: 'FAILED COLLECTION_FAILED | | PENDING FAILED | -collect -follow:collect',
  },
  {
    named: 'money.md §9: a transfer that the rail refuses at once counts as picked up, and is owed back',
    from: SITUATIONS['transfer out'](),
    on: 'executed',
    facts: { knownPayoutFailure: 'ACCOUNT_INVALID' },
    gives:
      'FAILED ACCOUNT_INVALID refund: PENDING | L2 L10 | PROCESSING FAILED REFUND_PENDING | -pay -follow:pay refund',
  },
  {
    named: 'money.md §9.2: a transfer in that is refused at once fails, and no money moves',
    from: SITUATIONS['transfer in'](),
    on: 'executed',
    facts: { knownCollectionFailure: 'COLLECTION_FAILED' },
    gives: 'FAILED COLLECTION_FAILED | | FAILED | -collect -follow:collect',
  },
  {
    named: 'money.md §9.2: money that was collected for a payout that is refused at once is refunded',
    from: SITUATIONS['being collected for a payment'](),
    on: 'collected',
    facts: { knownPayoutFailure: 'ACCOUNT_INVALID' },
    gives: failed('ACCOUNT_INVALID', 'L5 L10'),
  },
  {
    named: 'money.md §4.1: money for a receiver that is gone is refunded',
    from: SITUATIONS['quote to be funded'](),
    on: 'funded',
    facts: { isReceiverGone: true },
    gives: 'FAILED ACCOUNT_CANNOT_RECEIVE refund: PENDING | L4 L10 | FAILED REFUND_PENDING | refund',
  },
  {
    named: 'money.md §4.1: money over the limit for a receiver that is gone fails because of the receiver',
    from: SITUATIONS['quote to be funded'](),
    on: 'funded over the limit',
    facts: { isReceiverGone: true },
    gives: 'FAILED ACCOUNT_CANNOT_RECEIVE refund: PENDING | L4 L10 | FAILED REFUND_PENDING | refund',
  },
  {
    named: 'money.md §4.1: an internal account that cannot receive fails the payment',
    from: SITUATIONS['on its way inside'](),
    on: 'delivered',
    facts: { canReceive: () => false },
    gives: failed('ACCOUNT_CANNOT_RECEIVE', 'L9 L10'),
  },
  {
    named: 'money.md §11.7: an internal account that cannot hold the amount fails the payment',
    from: SITUATIONS['on its way inside'](),
    on: 'delivered',
    facts: { canHold: () => false },
    gives: failed('ACCOUNT_CANNOT_RECEIVE', 'L9 L10'),
  },
  {
    named: 'a transfer into an internal account that cannot be credited counts as picked up',
    from: { ...SITUATIONS['transfer not picked up'](), ...INSIDE },
    on: 'delivered',
    facts: { canReceive: () => false },
    gives:
      'FAILED ACCOUNT_CANNOT_RECEIVE refund: PENDING | L10 | PROCESSING FAILED REFUND_PENDING | -pay -follow:pay refund',
  },
  {
    named: 'money.md §7.1: collected money that the account cannot hold is booked to suspense',
    from: SITUATIONS['being collected into an account'](),
    on: 'collected',
    facts: { canHold: () => false },
    gives: 'FAILED COLLECTION_FAILED | L20 | FAILED | -collect -follow:collect',
  },
  {
    named: 'money.md §11: a pull without a fee is one deposit',
    from: after(
      buildRow({ ...PULL, ...plainTerms('USD', 10_000n), quote_id: 'q1' as Id<never> }),
      'executed',
    ),
    on: 'collected',
    gives: 'COMPLETED | L1 | COMPLETED |',
  },
  {
    named: 'money.md §11.b: a reversed pull is not reversed again',
    from: SITUATIONS['collected for a payment'](),
    on: 'collectionReversed',
    facts: { isCollectionReversed: true },
    gives: undefined,
  },
  {
    named: 'money.md §11.b: a reversed pull is owed even if the payment was delivered',
    from: after(SITUATIONS['collected for a payment'](), 'delivered'),
    on: 'collectionReversed',
    gives: 'COMPLETED | L19 | |',
  },
  {
    named: 'money.md §11.c: a refund to a closed account is booked to suspense',
    from: SITUATIONS['failed, refund pending'](),
    on: 'refunded',
    facts: { isClosed: () => true },
    gives: 'FAILED ACCOUNT_INVALID refund: FAILED | L12 | REFUND_FAILED |',
  },
  {
    named:
      'money.md §11.c: the refund of a cancellation is booked to suspense as well, and the payment fails',
    from: SITUATIONS['being cancelled'](),
    on: 'refunded',
    facts: { canHold: () => false },
    gives: 'FAILED QUOTE_EXECUTION_FAILED refund: FAILED | L12 | FAILED REFUND_FAILED |',
  },
  {
    named:
      'money.md §4.5: crypto is refunded to an account of the owner, or booked to suspense if there is none',
    from: after(cryptoFunded(undefined)),
    on: 'refunded',
    gives: 'FAILED FUNDING_AMOUNT_MISMATCH refund: FAILED | L12 | REFUND_FAILED |',
  },
  {
    named: 'money.md §7.4: a UMA payment into an account that cannot be credited is refunded to its sender',
    from: SITUATIONS['UMA approved'](),
    on: 'arrived',
    facts: { canReceive: () => false },
    gives: givenBack('OFFRAMP_FAILED'),
  },
  {
    named: 'money.md §7.4: a UMA payment that would be held for a closed account is refunded',
    from: SITUATIONS['UMA approved'](),
    on: 'held',
    facts: { isClosed: () => true },
    gives: givenBack('OFFRAMP_FAILED'),
  },
  {
    named: 'money.md §7.4: a held UMA payment for an account that was frozen meanwhile is refunded',
    from: SITUATIONS['UMA held'](),
    on: 'released',
    facts: { canReceive: () => false },
    gives: givenBack('OFFRAMP_FAILED'),
  },
  {
    named: 'money.md §7.4: a UMA payment whose payout the rail refuses at once is refunded',
    from: SITUATIONS['UMA approved, for outside'](),
    on: 'arrived',
    facts: { knownPayoutFailure: 'ACCOUNT_INVALID' },
    gives: givenBack('OFFRAMP_FAILED'),
  },
];

/** A quote that was funded in crypto with a wrong amount; its refund goes to this account. */
function cryptoFunded(cryptoRefundAccount: AccountId | undefined): TransactionRow {
  const details = { ...QUOTE.details, fundingNetwork: 'SOLANA_MAINNET' as never };
  const row = buildRow({ ...QUOTE, source: { kind: 'REALTIME' }, details });
  const transition = advance(row, NOTICES['funded otherwise'], NOW, {
    ...FACTS,
    cryptoRefundAccount,
  });
  return (transition as PaymentTransition).row;
}

function mirrorRow(of: TransactionRow): TransactionRow {
  const draft = draftMirror(of, NOW, FACTS);
  assert.ok(draft);
  return draft.transition().row;
}

/** A caller's notice that does not apply is refused, a rail's is ignored: neither changes anything. */
function advance(...given: Parameters<typeof PAYMENTS.advance>): PaymentTransition | undefined {
  try {
    return PAYMENTS.advance(...given);
  } catch (error) {
    assert.ok(error instanceof NoticeRefused && PAYMENTS.description.commands?.includes(given[1].kind));
    return undefined;
  }
}

// ── The tests ─────────────────────────────────────────────────────────────────────────────────────────────────────────

describe('the effect of notices on a payment (money.md §4)', () => {
  for (const [name, make] of Object.entries(SITUATIONS)) {
    it(`${name}: every notice does what the tables say, or nothing`, () => {
      const row = make();
      const outcomes: Outcomes = TABLE[name as Situation];
      for (const [on, notice] of Object.entries(NOTICES)) {
        const transition = advance(row, notice, NOW, FACTS);
        assert.equal(transition && shown(transition), outcomes[on as NoticeName], on);
        if (transition) assertSound(row, transition);
      }
    });
  }

  for (const { named, from, on, facts, gives } of EXCEPTIONS) {
    it(named, () => {
      const transition = advance(from, NOTICES[on], NOW, { ...FACTS, ...facts });
      assert.equal(transition && shown(transition), gives);
      if (transition) assertSound(from, transition);
    });
  }

  it('every row of the tables is covered, and every change of status that it can make', () => {
    const seen = new Set<string>();
    const look = (row: TransactionRow, on: string, facts: Facts = FACTS) => {
      const notice = NOTICES[on as NoticeName];
      const fitting = rules.find(
        (rule) => rule.notice === notice.kind && rule.when(row, notice as never, NOW),
      );
      const transition = advance(row, notice, NOW, facts);
      if (!fitting || !transition) return;
      seen.add(fitting.label);
      for (const move of describeMoves(row, transition)) seen.add(`${fitting.label}: ${move}`);
    };
    const { rules } = PAYMENTS.description;
    for (const make of Object.values(SITUATIONS)) for (const on of Object.keys(NOTICES)) look(make(), on);
    for (const { from, on, facts } of EXCEPTIONS) look(from, on, { ...FACTS, ...facts });
    const declared = rules.flatMap((rule) => [
      rule.label,
      ...Object.entries(rule.moves).flatMap(([machine, moves]) =>
        moves.map((move: string) => `${rule.label}: ${machine} ${move}`),
      ),
    ]);
    assert.deepEqual([...seen].sort(), [...new Set(declared)].sort());
  });

  it('money.md §4.1: from its expiry on a quote can be neither executed nor funded, even if the timer has not run', () => {
    for (const [name, on] of [
      ['quote out of a balance', 'executed'],
      ['quote by a pull', 'executed'],
      ['quote to be funded', 'funded'],
    ] as const) {
      const row = SITUATIONS[name]();
      assert.ok(advance(row, NOTICES[on], new Date(LATER.getTime() - 1), FACTS), name);
      assert.equal(advance(row, NOTICES[on], LATER, FACTS), undefined, name);
      assert.equal(advance(row, NOTICES.expired, LATER, FACTS)?.row.status, 'EXPIRED', name);
    }
  });

  it('customers.md §7.10c: a real-time quote lasts five minutes after its last challenge', () => {
    const waiting = SITUATIONS['waiting, to be funded']();
    const then = new Date(NOW.getTime() + 1_000);
    const row = advance(waiting, NOTICES.authorized, then, FACTS)?.row;
    assert.deepEqual([row?.expires_at, row?.authorize_by], [new Date(then.getTime() + 300_000), null]);
  });

  it('agents.md §5.3, §5.6: any notice ends the wait for approval', () => {
    for (const [name, on] of Object.entries(TABLE).flatMap(([name, outcomes]) =>
      Object.keys(outcomes).map((on) => [name as Situation, on as NoticeName] as const),
    )) {
      const row: TransactionRow = SITUATIONS[name]();
      if (row.approve_by === null) continue;
      assert.equal(advance(row, NOTICES[on], NOW, FACTS)?.row.approve_by, null, `${name}: ${on}`);
    }
  });

  it('money.md §4.5: all the money that was taken is refunded to its source', () => {
    const inside = SITUATIONS['failed, refund pending']();
    assert.deepEqual([inside.refund_account, inside.refund_amount], ['payer', 10_000n]);
    const mismatch = after(SITUATIONS['quote to be funded'](), 'funded otherwise');
    assert.deepEqual([mismatch.refund_account, mismatch.refund_amount], [null, 9_999n]);
    assert.equal(cryptoFunded('crypto-account' as AccountId).refund_account, 'crypto-account');
  });

  it('money.md §4.5: the reason of a refund', () => {
    const reasonAfter = (...notices: NoticeName[]) =>
      after(buildRow(QUOTE), 'executed', ...notices).refund_reason;
    assert.equal(reasonAfter('payoutFailed'), 'TRANSACTION_FAILED');
    assert.equal(reasonAfter('timed out'), 'TIMEOUT');
    assert.equal(reasonAfter('cancelled'), 'USER_CANCELLATION');
  });

  it('money.md §4.3: the receiver’s mirror is created with the delivery, and is notified if that is reversed', () => {
    const original = mirrorSource();
    const mirror = mirrorRow(original);
    assert.deepEqual(
      [mirror.type, mirror.status, mirror.customer_id, mirror.receiving_amount, mirror.service_fee],
      ['INCOMING', 'COMPLETED', 'c2', 9_000n, 0n],
    );
    const pulled = after(
      buildRow({ ...PULL, details: { ...PULL.details, receiver: { customerId: 'c2' as Id<never> } } }),
      'executed',
      'collected',
    );
    const reversed = after(pulled, 'collectionReversed');
    assert.deepEqual(noticeForMirror(pulled, reversed)?.notice, {
      kind: 'takenBack',
      reason: 'COLLECTION_FAILED',
    });
    assert.equal(noticeForMirror(reversed, reversed), undefined);
  });

  it('money.md §8.2: an executed payment counts against the day’s volume once, and its outcome does not reduce it', () => {
    const counts = (name: Situation, on: NoticeName) =>
      advance(SITUATIONS[name](), NOTICES[on], NOW, FACTS)?.counts.length;
    assert.equal(counts('quote out of a balance', 'executed'), 1);
    assert.equal(counts('quote by a pull', 'executed'), 1);
    assert.equal(counts('quote to be funded', 'funded'), 1);
    assert.equal(counts('quote out of a balance', 'authorizationRequired'), 0);
    assert.equal(counts('waiting, out of a balance', 'authorized'), 1);
    assert.equal(counts('waiting, by a pull', 'authorized'), 1);
    assert.equal(counts('waiting, to be funded', 'authorized'), 0);
    assert.equal(counts('quote to be funded', 'funded otherwise'), 0);
    assert.equal(counts('being collected for a payment', 'collected'), 0);
    assert.equal(counts('on its way', 'payoutFailed'), 0);
  });
});

function shown({ row, entries, events, jobs }: PaymentTransition): string {
  const refund = row.refund_status === null ? '' : `refund: ${row.refund_status}`;
  const state = [row.status, row.failure_reason, row.pending_reason, refund].filter(Boolean).join(' ');
  const told = events.map(({ type }) => type.slice(type.indexOf('.') + 1));
  const kinds = entries.map(({ kind }) => LEDGER_KINDS[kind]);
  return [state, kinds.join(' '), told.join(' '), jobs.map(jobOf).join(' ')]
    .join(' | ')
    .replace(/ {2,}/g, ' ')
    .trimEnd();
}

function jobOf(job: PaymentTransition['jobs'][number]): string {
  const [, call] = decideKeys(QUOTE.id);
  const phase = job.kind === JOB.follow || job.key === call ? `:${job.key.split(':').at(-1)}` : '';
  return `${job.does === 'cancel' ? '-' : ''}${job.kind.slice('payments.'.length)}${phase}`;
}

/** The invariants after any transition. */
function assertSound(before: TransactionRow, { row, entries, events, from }: PaymentTransition): void {
  assert.deepEqual([from, row.version], [before.version, before.version + 1n]);
  for (const { kind, lines } of entries) {
    assert.ok(kind in LEDGER_KINDS, kind);
    assert.deepEqual(unbalanced(lines), [], `${kind} does not balance`);
    assert.ok(
      lines.every(({ amount }) => amount > 0n),
      `${kind} has a zero line`,
    );
  }
  for (const balance of [row.inflight_sent, row.inflight_received, row.refund_payable]) {
    assert.ok(balance >= 0n, 'a carried account below zero');
  }
  const statuses: readonly string[] = statusesOf(row.type);
  assert.ok(statuses.includes(row.status), `${row.type} ${row.status}`);
  assert.equal(row.failure_reason !== null, row.status === 'FAILED', 'money.md §4.6');
  if (row.pending_reason !== null) assert.match(row.status, /^(PENDING|PROCESSING)$/, 'money.md §4.4');
  const isOver = !['PENDING', 'PROCESSING'].includes(row.status) && row.refund_status !== 'PENDING';
  if (isOver) assert.deepEqual([row.inflight_sent, row.inflight_received, row.refund_payable], [0n, 0n, 0n]);
  for (const { type } of events)
    assert.ok(type.startsWith(`${row.type}_PAYMENT.`) || type.startsWith('INCOMING_'));
}

function describeMoves(before: TransactionRow, { row }: PaymentTransition): string[] {
  const refund = `REFUND ${before.refund_status ?? 'none'} → ${row.refund_status}`;
  return [
    ...(row.status === before.status ? [] : [`${row.type} ${before.status} → ${row.status}`]),
    ...(row.refund_status === before.refund_status ? [] : [refund]),
  ];
}
