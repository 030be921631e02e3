/** An account as those see it who screen it or try whether it exists. */
export interface ScreenedAccount {
  /** `ExternalAccount:<uuid>`: one account is one request, however often it is made. */
  readonly reference: string;
  readonly accountType: string;
  readonly currency: string;
  /** The account's fields under the contract's names. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Whoever looks for sanctions and fraud behind a new bank account (accounts.md §3.5). */
export interface AccountScreeningPort {
  /** `CLEAR` without asking anybody, or `ASK`: the account is `PENDING` until the outcome is known. */
  atCreate(account: ScreenedAccount): 'CLEAR' | 'ASK';
  /**
   * Asked after the commit that stored the account. Undefined: the outcome is reported later, through
   * `clearScreening` and `flagScreeningHit` of external-accounts/change-status.ts.
   */
  screen(account: ScreenedAccount): Promise<'CLEAR' | 'HIT' | undefined>;
}

/** Whether a US account is known to exist, or small entries are still travelling (accounts.md §4.7). */
export type UsValidation = 'VALID' | 'PENDING' | 'FAILED';

export interface UsValidationResult {
  readonly state: UsValidation;
  /** What follows `PENDING`: a question, or an outcome that is known already. Absent: nothing. */
  readonly next?: 'ASK' | { readonly state: UsValidation; readonly afterMs: number };
}

/** Whoever finds out whether a US bank account exists. */
export interface UsAccountsPort {
  /** Routing numbers that stand for an outcome; no bank has them, so their check digit means nothing. */
  isTestRoutingNumber(routingNumber: string): boolean;
  atCreate(account: ScreenedAccount): UsValidationResult;
  /** Undefined: the outcome is reported later, through `recordUsValidation`. */
  validate(account: ScreenedAccount): Promise<Exclude<UsValidation, 'PENDING'> | undefined>;
}

/** Where nobody screens by machine, the operator does. */
export const screenedByOperator: AccountScreeningPort = {
  atCreate: () => 'ASK',
  screen: async () => undefined,
};

export const usAccountsByOperator: UsAccountsPort = {
  isTestRoutingNumber: () => false,
  atCreate: () => ({ state: 'PENDING', next: 'ASK' }),
  validate: async () => undefined,
};
