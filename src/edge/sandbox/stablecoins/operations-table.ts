import { createHash } from 'node:crypto';
import { sparkDepositAddress } from '#edge/sandbox/accounts/deposit-addresses.ts';
import { fundingIdentifiers } from '#edge/sandbox/accounts/funding-identifiers.ts';
import { DELAYS } from '#edge/sandbox/delays-table.ts';
import {
  type CompleteTable,
  lastThree,
  rowFor,
  type SandboxTable,
  sandboxSuffix,
} from '#edge/sandbox/table.ts';
import { seeded } from '#foundation/lib/identifiers/seeded.ts';
import type {
  AccountLinkAnswer,
  AccountLinkRefusal,
  FailureReason,
  FollowAnswer,
  OperationOrder,
  ProviderNotice,
  StablecoinsPort,
  SubmitAnswer,
} from '#foundation/ports/stablecoins.ts';

interface Course {
  /** The submission is refused or lost, or its answer is lost. */
  readonly submission?: 'REFUSED' | 'UNAVAILABLE' | 'ANSWER_LOST' | 'LOST';
  /** Funds never arrive; an operation that needs none never starts. */
  readonly neverMoves?: boolean;
  readonly fails?: FailureReason;
  /** How much longer each step takes. */
  readonly laterMs?: number;
}

const FUNDS_MS = DELAYS.coinFunds.ms;
const START_MS = DELAYS.coinStart.ms;
const WORK_MS = DELAYS.coinDone.ms;
const SLOW_MS = DELAYS.slowIssuer.ms;
const UNFUNDED_MS = DELAYS.coinUnfunded.ms;

/** stablecoins.md §5.9: the outcome of a mint or burn, by the last three characters of `description`. */
export const STABLECOIN_OPERATIONS_TABLE: CompleteTable<Course> = {
  id: 'stablecoin-operations',
  title: 'Minting and burning coins',
  intro:
    'The last three characters of `description`, without trailing spaces, decide. The examples show a mint that is paid by ' +
    'wire: its dollars arrive by themselves.',
  column: 'Ends in',
  operations: ['createStablecoinMint', 'createStablecoinBurn', 'getStablecoinOperation'],
  rows: [
    {
      value: '001',
      example: 'treasury 001',
      effect:
        'Funds never arrive, and the operation expires after a minute. An operation that needs no funds stays `PENDING_PROVIDER`.',
      shows: { status: 'EXPIRED', providerStatus: 'expired' },
      overAfterMs: UNFUNDED_MS,
      does: { neverMoves: true },
    },
    {
      value: '002',
      example: 'treasury 002',
      effect: 'The provider starts, then fails.',
      shows: { status: 'FAILED', failureReason: 'PROVIDER_TRANSFER_FAILED' },
      overAfterMs: FUNDS_MS + START_MS + WORK_MS,
      does: { fails: 'PROVIDER_TRANSFER_FAILED' },
    },
    {
      value: '004',
      example: 'treasury 004',
      effect: 'The provider refuses it for good.',
      shows: { code: 'STABLECOIN_PROVIDER_ERROR' },
      does: { submission: 'REFUSED' },
    },
    {
      value: '005',
      example: 'treasury 005',
      effect: 'Each step takes half a minute longer.',
      shows: { status: 'COMPLETED' },
      overAfterMs: FUNDS_MS + START_MS + WORK_MS + 3 * SLOW_MS,
      does: { laterMs: SLOW_MS },
    },
    {
      value: '006',
      example: 'treasury 006',
      effect:
        'The provider accepts it, but its answer is lost: `CREATED`, until the provider is asked a minute later.',
      shows: { status: 'COMPLETED' },
      overAfterMs: DELAYS.coinReconciled.ms,
      does: { submission: 'ANSWER_LOST' },
    },
    {
      value: '007',
      example: 'treasury 007',
      effect: 'The submission is lost: `CREATED`, and `FAILED` after a quarter of an hour.',
      shows: { status: 'FAILED', failureReason: 'PROVIDER_TRANSFER_FAILED' },
      overAfterMs: DELAYS.coinGivenUp.ms,
      does: { submission: 'LOST' },
    },
    {
      value: '009',
      example: 'treasury 009',
      effect: 'The provider does not answer; nothing is stored, and the key can be used again.',
      shows: { code: 'SERVICE_UNAVAILABLE' },
      does: { submission: 'UNAVAILABLE' },
    },
  ],
  otherwise: {
    value: 'anything else',
    example: 'treasury',
    effect:
      'Funds arrive after 10 seconds; 2 seconds later the provider starts, and 3 seconds later it is done.',
    shows: { status: 'COMPLETED', providerStatus: 'completed' },
    overAfterMs: FUNDS_MS + START_MS + WORK_MS,
    does: {},
  },
};

interface Debit {
  readonly fails: FailureReason;
  readonly afterMs: number;
}

/** stablecoins.md §5.10: debits that fail, by the last three digits of the bank account's number. */
export const STABLECOIN_DEBITS_TABLE: SandboxTable<Debit> = {
  id: 'stablecoin-debits',
  title: 'Bank accounts that pay for coins',
  intro:
    'The last three digits of `accountNumber` of the source of an `ACH_DEBIT` or `SAME_DAY_ACH_DEBIT` decide.',
  column: 'Ends in',
  operations: ['createStablecoinMint', 'getStablecoinOperation'],
  rows: [
    debitRow('002', 'The account does not cover the amount.', 'FUNDING_INSUFFICIENT_FUNDS', START_MS),
    debitRow('003', 'The account is closed, or does not exist.', 'FUNDING_ACCOUNT_INVALID', START_MS),
    debitRow('004', 'The bank refuses the debit.', 'FUNDING_REJECTED', START_MS),
    debitRow('005', 'The bank refuses the debit after half a minute.', 'FUNDING_REJECTED', SLOW_MS),
  ],
};

function debitRow(value: string, effect: string, fails: FailureReason, afterMs: number) {
  return {
    value,
    example: `1234567${value}`,
    effect,
    shows: { status: 'FAILED', failureReason: fails },
    overAfterMs: afterMs,
    does: { fails, afterMs },
  };
}

/** stablecoins.md §5.10: accounts that cannot be linked at the provider. */
export const STABLECOIN_ACCOUNTS_TABLE: SandboxTable<AccountLinkRefusal> = {
  id: 'stablecoin-accounts',
  title: 'Linking bank accounts at the provider of coins',
  intro: 'The last three digits of `accountNumber` of any bank account of a mint or burn decide.',
  column: 'Ends in',
  operations: ['createStablecoinMint', 'createStablecoinBurn'],
  rows: [
    linkRow('201', 'Corridor cannot record the link.', 'LINK_FAILED'),
    linkRow('202', 'The provider refuses the account.', 'PROVIDER_LINK_FAILED'),
    linkRow('203', 'A login to the bank is needed first.', 'PROVIDER_LINK_REQUIRED'),
    linkRow('204', 'Several ways of linking are possible, and none was chosen.', 'LINK_METHOD_REQUIRED'),
    linkRow('205', 'The link was removed.', 'NOT_LINKED'),
  ],
};

function linkRow(value: string, effect: string, does: AccountLinkRefusal) {
  const shows = { code: `STABLECOIN_EXTERNAL_ACCOUNT_${does}` };
  return { value, example: `1234567${value}`, effect, shows, does };
}

type OperationCalls = Pick<StablecoinsPort, 'linkAccount' | 'holdsToken' | 'submit' | 'follow'>;

/** Stores nothing: the state of an operation follows from its order and the time that has passed. */
export const sandboxCoinOperations: OperationCalls = {
  async linkAccount(_login, { accountType, identifier }, _role, isAutomatic): Promise<AccountLinkAnswer> {
    const suffix = accountType === 'USD_ACCOUNT' ? sandboxSuffix(identifier) : undefined;
    const refused = STABLECOIN_ACCOUNTS_TABLE.rows.find(({ value }) => value === suffix);
    if (refused) return { outcome: refused.does };
    if (!isAutomatic) return { outcome: 'NOT_LINKED' };
    return { outcome: 'LINKED', reference: `addr_${digest(identifier).slice(0, 16)}` };
  },
  holdsToken: async (_login, { sourceTokenIdentifier, cryptoNetwork }) =>
    sourceTokenIdentifier === 'USDC' && cryptoNetwork === 'SOLANA',
  async submit(_login, order): Promise<SubmitAnswer> {
    const { submission } = courseOf(order);
    if (submission === 'REFUSED')
      return { outcome: 'REFUSED', reason: 'the sandbox was asked to refuse it.' };
    if (submission === 'UNAVAILABLE') return { outcome: 'UNAVAILABLE' };
    if (submission !== undefined) throw new Error('the connection broke');
    return { outcome: 'ACCEPTED', notice: noticeOf(order) };
  },
  async follow(_login, order): Promise<FollowAnswer> {
    const { submission } = courseOf(order);
    const isKnown = submission === undefined || submission === 'ANSWER_LOST';
    return isKnown ? { outcome: 'FOUND', notice: noticeOf(order) } : { outcome: 'NOT_FOUND' };
  },
};

function courseOf({ description = '' }: OperationOrder): Course {
  return rowFor(STABLECOIN_OPERATIONS_TABLE, lastThree(description)).does;
}

function failingDebitOf({ source, sourceType }: OperationOrder): Debit | undefined {
  if (sourceType !== 'ACH_DEBIT' && sourceType !== 'SAME_DAY_ACH_DEBIT') return undefined;
  const suffix = source && sandboxSuffix(source.account.identifier);
  return STABLECOIN_DEBITS_TABLE.rows.find(({ value }) => value === suffix)?.does;
}

interface Stage {
  readonly kind: ProviderNotice['kind'];
  readonly reason?: FailureReason;
  readonly atMs: number;
}

/** The stages of an operation, timed from its creation. */
function stagesOf(order: OperationOrder): Stage[] {
  const { neverMoves, fails, laterMs = 0 } = courseOf(order);
  const needsFunds = order.sourceType === 'WIRE' || order.sourceType === 'EXTERNAL_ACCOUNT';
  const first: Stage = { kind: needsFunds ? 'awaitingFunding' : 'awaitingProvider', atMs: 0 };
  if (neverMoves) return needsFunds ? [first, { kind: 'expired', atMs: UNFUNDED_MS }] : [first];
  const debit = failingDebitOf(order);
  if (debit) return [first, { kind: 'failed', reason: debit.fails, atMs: debit.afterMs }];
  const fundedMs = needsFunds ? FUNDS_MS + laterMs : 0;
  const startedMs = fundedMs + START_MS + laterMs;
  const doneMs = startedMs + WORK_MS + laterMs;
  return [
    first,
    ...(needsFunds ? [{ kind: 'awaitingProvider' as const, atMs: fundedMs }] : []),
    { kind: 'processing', atMs: startedMs },
    fails ? { kind: 'failed', reason: fails, atMs: doneMs } : { kind: 'completed', atMs: doneMs },
  ];
}

/** The provider's own names, where they differ from ours. */
const NAMES: Partial<Record<string, string>> = {
  awaitingFunding: 'pending_funding',
  awaitingProvider: 'pending_provider',
};

function noticeOf(order: OperationOrder): ProviderNotice {
  const passedMs = order.now.getTime() - order.createdAt.getTime();
  const stages = stagesOf(order);
  const next = stages.find(({ atMs }) => atMs > passedMs);
  const { kind, reason } = stages.findLast(({ atMs }) => atMs <= passedMs) ?? (stages[0] as Stage);
  return {
    kind,
    reason,
    providerStatus: NAMES[kind] ?? kind,
    ...(stages[0]?.kind === 'awaitingFunding' && { funding: buildFunding(order) }),
    askAgainAfterMs: next && next.atMs - passedMs,
  };
}

const DAYS_7_MS = 7 * 24 * 60 * 60_000;

function buildFunding(order: OperationOrder): NonNullable<ProviderNotice['funding']> {
  const { neverMoves } = courseOf(order);
  const expiresAt = new Date(order.createdAt.getTime() + (neverMoves ? UNFUNDED_MS : DAYS_7_MS));
  return {
    instructions:
      order.operationType === 'MINT' ? buildWireInstructions(order) : buildDepositInstructions(order),
    expiresAt,
  };
}

/** stablecoins.md §5.41. */
function buildWireInstructions({ reference }: OperationOrder): Record<string, string> {
  const seed = Buffer.from(digest(reference), 'hex');
  const { accountNumber, routingNumber } = fundingIdentifiers('USD_ACCOUNT', { seed, holderName: '' });
  return {
    rail: 'WIRE',
    beneficiaryName: 'Sandbox Coin Issuer',
    bankName: 'Sandbox Bank',
    accountNumber,
    routingNumber,
    reference: `MINT-${digest(reference).slice(0, 12).toUpperCase()}`,
  };
}

/** stablecoins.md §5.51. */
function buildDepositInstructions({ reference, token }: OperationOrder): Record<string, string> {
  const source = seeded(Buffer.from(digest(reference), 'hex'));
  return { rail: 'SPARK', network: 'SPARK', address: sparkDepositAddress(source), valueType: token.symbol };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
