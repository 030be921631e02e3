/**
 * Everything that the ledger knows about the kinds of accounts and entries (money.md §11): a new kind is a new line. The
 * database (kinds.sql.ts) and the checks of `ledger verify` (checks.ts) read these tables too. Only the list of steps that
 * take a payer's money is repeated in the checks, so that they detect a mistake in `SHARED_STEPS`.
 */

interface AccountKind {
  /** The side that adds to the account. */
  readonly adds: 'DEBIT' | 'CREDIT';
  /**
   * `kept`: its balance is a row of its own and may not go below zero. `carried`: the same, but in the row of the
   * transaction that it belongs to. `summed`: all payments of the platform share it, so it has no balance row for which
   * they would wait for each other; it is the sum of its lines, which may be negative.
   */
  readonly balance: 'kept' | 'carried' | 'summed';
  /** Its owner, whose id (or, for the platform, the currency) follows the colon in the account's name. */
  readonly owner: 'internal account' | 'customer or platform' | 'transaction' | 'stablecoin' | 'platform';
}

export const ACCOUNT_KINDS = {
  AVAIL: { adds: 'CREDIT', balance: 'kept', owner: 'internal account' },
  HOLD: { adds: 'CREDIT', balance: 'kept', owner: 'internal account' },
  PENDING_IN: { adds: 'CREDIT', balance: 'kept', owner: 'internal account' },
  RECEIVABLE: { adds: 'DEBIT', balance: 'kept', owner: 'customer or platform' },
  ISSUED: { adds: 'DEBIT', balance: 'kept', owner: 'stablecoin' },
  RESERVE: { adds: 'CREDIT', balance: 'kept', owner: 'stablecoin' },
  INFLIGHT: { adds: 'CREDIT', balance: 'carried', owner: 'transaction' },
  REFUND_PAYABLE: { adds: 'CREDIT', balance: 'carried', owner: 'transaction' },
  FEES: { adds: 'CREDIT', balance: 'summed', owner: 'platform' },
  FX: { adds: 'CREDIT', balance: 'summed', owner: 'platform' },
  RAIL: { adds: 'CREDIT', balance: 'summed', owner: 'platform' },
  SUSPENSE: { adds: 'CREDIT', balance: 'summed', owner: 'platform' },
  HOUSE: { adds: 'CREDIT', balance: 'summed', owner: 'platform' },
} as const satisfies Readonly<Record<string, AccountKind>>;

export type AccountKindName = keyof typeof ACCOUNT_KINDS;

type Named<Balance extends AccountKind['balance']> = {
  [Name in AccountKindName]: (typeof ACCOUNT_KINDS)[Name]['balance'] extends Balance ? Name : never;
}[AccountKindName];

export type KeptKind = Named<'kept'>;
export type CarriedKind = Named<'carried'>;
export type SummedKind = Named<'summed'>;

/**
 * Kinds of entries, each with its number in money.md §11. Earlier versions stored the number instead of the name.
 * Steps, and ids that are derived from a kind, still use the number, so that no entry is posted under both.
 */
export const LEDGER_KINDS = {
  'deposit.received': 'L1',
  'payment.executed': 'L2',
  'payment.held': 'L3a',
  'payment.captured': 'L3b',
  'payment.released': 'L3c',
  'payment.funded': 'L4',
  'payment.collected': 'L5',
  'payment.converted': 'L6',
  'payment.delivered': 'L7',
  'payment.returned': 'L8',
  'payment.unwound': 'L9',
  'refund.owed': 'L10',
  'refund.paid': 'L11',
  'refund.suspended': 'L12',
  'uma.received': 'L13a',
  'uma.delivered': 'L13b',
  'uma.held': 'L14a',
  'uma.released': 'L14b',
  'uma.refund_owed': 'L15a',
  'uma.refund_paid': 'L15b',
  'card.hold_adjusted': 'L16',
  'card.cleared': 'L17',
  'card.credited': 'L18',
  'collection.reversed': 'L19',
  'receipt.suspended': 'L20',
  'suspense.resolved': 'L21',
  'debt.written_off': 'L22',
  'card.shortfall_owed': 'L23',
  'card.credit_reversed': 'L24',
  'card.shortfall_collected': 'L25',
  'coin.hold_adjusted': 'L26',
  'coin.minted': 'L27',
  'coin.burned': 'L28',
  'coin.opened': 'L29',
  'bank.own_moved': 'L30',
  'bank.charged': 'L31',
  'bank.written_off': 'L32',
} as const;

export type LedgerKind = keyof typeof LEDGER_KINDS;

/**
 * Kinds of entries that share a step, by the step's name: a transaction posts each step once. Every other kind is a step
 * of its own, once for each ordinal.
 */
export const SHARED_STEPS: Readonly<Record<string, readonly LedgerKind[]>> = {
  // Entries that take the payer's money (money.md §12.8).
  TAKE: ['payment.executed', 'payment.captured', 'payment.funded', 'payment.collected'],
};

/** The step of its transaction that an entry posts; `ledger_step` in the database. */
export function stepName(kind: LedgerKind, ordinal = 0): string {
  const shared = Object.keys(SHARED_STEPS).find((step) => SHARED_STEPS[step]?.includes(kind));
  return shared ?? `${LEDGER_KINDS[kind]}#${ordinal}`;
}

/** Kinds of entries that book money to SUSPENSE: failed refunds, and money that could not be matched to an account. */
export const SUSPENDING_KINDS = ['refund.suspended', 'receipt.suspended'] as const satisfies LedgerKind[];

export function kindsWithBalance(balance: AccountKind['balance']): AccountKindName[] {
  const names = Object.keys(ACCOUNT_KINDS) as AccountKindName[];
  return names.filter((name) => ACCOUNT_KINDS[name].balance === balance);
}

/** The kinds of accounts of such an owner, who has one account of each. */
export function kindsOwnedBy(owner: AccountKind['owner']): AccountKindName[] {
  const names = Object.keys(ACCOUNT_KINDS) as AccountKindName[];
  return names.filter((name) => ACCOUNT_KINDS[name].owner === owner);
}

export function kindOf(account: string): AccountKind {
  return ACCOUNT_KINDS[account.slice(0, account.indexOf(':')) as AccountKindName];
}

/** Belongs to one owner; its balance is a row of its own and may not go below zero (money.md §11.6). */
export type GuardedAccount = `${KeptKind}:${string}`;

/** Belongs to one transaction, whose row carries its balance, which may not go below zero either. */
export type CarriedAccount = `${CarriedKind}:${string}`;

/** Shared by unrelated payments: its balance is the sum of its lines. */
export type SummedAccount = `${SummedKind}:${string}`;

export type Account = GuardedAccount | CarriedAccount | SummedAccount;

/** The state of an account that may not go below zero, after one of its lines. */
export interface AccountState {
  readonly account: GuardedAccount | CarriedAccount;
  readonly currency: string;
  /** The number of lines of the account, which is the running number of the last one. */
  readonly no: bigint;
  readonly balance: bigint;
}

export function isGuarded(account: Account): account is GuardedAccount {
  return kindOf(account).balance === 'kept';
}

export function isCarried(account: Account): account is CarriedAccount {
  return kindOf(account).balance === 'carried';
}
