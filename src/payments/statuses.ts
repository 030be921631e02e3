/**
 * Every status of a payment, in the contract's order, and all that is known of it (money.md §4). Which follows which is
 * told in machine/, what else must hold of a row in it in transactions-guard.sql, and which are told to the platform in
 * src/events/types.ts.
 */

export type TransactionType = 'OUTGOING' | 'INCOMING';

interface StatusFacts {
  /** Which payments can be in it; none: the contract has it, as a filter too, and it is never produced. */
  readonly types: readonly TransactionType[];
  /** The payment moves, or may still move. */
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

/** What a row can be in. */
export type Status = StatusOf<TransactionType>;

export const TRANSACTION_STATUSES = Object.keys(STATUSES) as StatusName[];

export function statusesOf<Type extends TransactionType>(type: Type): StatusOf<Type>[] {
  return TRANSACTION_STATUSES.filter((name): name is StatusOf<Type> => factsOf(name).types.includes(type));
}

export const OPEN_STATUSES = TRANSACTION_STATUSES.filter((name) => factsOf(name).isOpen);

function factsOf(name: StatusName): StatusFacts {
  return STATUSES[name];
}
