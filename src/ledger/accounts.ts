/** Belongs to one owner; its balance is a row of its own and may not go below zero (money.md §11). */
export type GuardedAccount =
  | `AVAIL:${string}`
  | `HOLD:${string}`
  | `PENDING_IN:${string}`
  | `RECEIVABLE:${string}:${string}`;

/** Belongs to one transaction, whose row carries its balance, which may not go below zero either. */
export type CarriedAccount = `INFLIGHT:${string}` | `REFUND_PAYABLE:${string}`;

/** Shared by strangers: no balance is kept, so that they never wait for each other; its lines are summed. */
export type SummedAccount =
  | `FEES:${string}`
  | `FX:${string}`
  | `RAIL:${string}:${string}`
  | `SUSPENSE:${string}`;

export type Account = GuardedAccount | CarriedAccount | SummedAccount;

/** An account that may not go below zero, as one of its lines left it. */
export interface AccountState {
  readonly account: GuardedAccount | CarriedAccount;
  readonly currency: string;
  /** How many lines the account has: the running number of the last one. */
  readonly no: bigint;
  readonly balance: bigint;
}

export function isCarried(account: Account): account is CarriedAccount {
  return account.startsWith('INFLIGHT:') || account.startsWith('REFUND_PAYABLE:');
}
