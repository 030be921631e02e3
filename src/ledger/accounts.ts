import { type CarriedKind, type KeptKind, kindOf, type SummedKind } from '#ledger/kinds.ts';

/** Belongs to one owner; its balance is a row of its own and may not go below zero (money.md §11.6). */
export type GuardedAccount = `${KeptKind}:${string}`;

/** Belongs to one transaction, whose row carries its balance, which may not go below zero either. */
export type CarriedAccount = `${CarriedKind}:${string}`;

/** Shared by strangers: its lines are summed. */
export type SummedAccount = `${SummedKind}:${string}`;

export type Account = GuardedAccount | CarriedAccount | SummedAccount;

/** An account that may not go below zero, as one of its lines left it. */
export interface AccountState {
  readonly account: GuardedAccount | CarriedAccount;
  readonly currency: string;
  /** How many lines the account has: the running number of the last one. */
  readonly no: bigint;
  readonly balance: bigint;
}

export function isGuarded(account: Account): account is GuardedAccount {
  return kindOf(account).balance === 'kept';
}

export function isCarried(account: Account): account is CarriedAccount {
  return kindOf(account).balance === 'carried';
}
