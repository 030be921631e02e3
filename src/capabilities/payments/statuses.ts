/**
 * Every status of a payment, in the contract's order (money.md §4). machine/ defines which status follows which,
 * transactions-guard.sql.ts what else must hold for a row in a status, and src/foundation/events/types.ts which statuses have an
 * event.
 */

export type TransactionType = 'OUTGOING' | 'INCOMING';

interface StatusFacts {
  /**
   * The types of payments that can have it. Empty: it exists only in the contract, as a filter too, and is never
   * produced.
   */
  readonly types: readonly TransactionType[];
  /** The payment is under way, or may still be started. */
  readonly isOpen?: true;
}

const BOTH = ['OUTGOING', 'INCOMING'] as const;

const STATUSES = {
  CREATED: { types: [] },
  PENDING: { types: BOTH, isOpen: true },
  PENDING_AUTHORIZATION: { types: ['OUTGOING'], isOpen: true },
  PROCESSING: { types: ['OUTGOING'], isOpen: true },
  COMPLETED: { types: BOTH },
  REJECTED: { types: ['INCOMING'] },
  FAILED: { types: BOTH },
  REFUNDED: { types: [] },
  EXPIRED: { types: BOTH },
} as const satisfies Readonly<Record<string, StatusFacts>>;

type StatusName = keyof typeof STATUSES;

type StatusOf<Type extends TransactionType> = {
  [Name in StatusName]: Type extends (typeof STATUSES)[Name]['types'][number] ? Name : never;
}[StatusName];

export type Status = StatusOf<TransactionType>;

export const TRANSACTION_STATUSES = Object.keys(STATUSES) as StatusName[];

export function statusesOf<Type extends TransactionType>(type: Type): StatusOf<Type>[] {
  return TRANSACTION_STATUSES.filter((name): name is StatusOf<Type> => factsOf(name).types.includes(type));
}

export const OPEN_STATUSES = TRANSACTION_STATUSES.filter((name) => factsOf(name).isOpen);

function factsOf(name: StatusName): StatusFacts {
  return STATUSES[name];
}
