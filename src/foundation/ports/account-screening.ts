/** An account as providers get it that screen it or check that it exists. */
export interface ScreenedAccount {
  /** `ExternalAccount:<uuid>`: repeated requests for one account count as one. */
  readonly reference: string;
  readonly accountType: string;
  readonly currency: string;
  /** The account's fields under the contract's names. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Screens new bank accounts for sanctions and fraud (accounts.md §3.5). */
export interface AccountScreeningPort {
  /** `CLEAR` at once, or `ASK`: the account is `PENDING` until `screen`, or a later report, gives the outcome. */
  atCreate(account: ScreenedAccount): 'CLEAR' | 'ASK';
  /**
   * Called after the commit that stored the account. Undefined: the outcome is reported later, through
   * `clearScreening` and `flagScreeningHit` of src/capabilities/external-accounts/change-status.ts.
   */
  screen(account: ScreenedAccount): Promise<'CLEAR' | 'HIT' | undefined>;
}

/** Whether a US account is known to exist, or its micro-deposits are still in flight (accounts.md §4.7). */
export type UsValidation = 'VALID' | 'PENDING' | 'FAILED';

export interface UsValidationResult {
  readonly state: UsValidation;
  /** The step after `PENDING`: a call of `validate`, or an outcome that is already known. Absent: none. */
  readonly next?: 'ASK' | { readonly state: UsValidation; readonly afterMs: number };
}

export interface UsAccountsPort {
  /** Whether a routing number selects a test outcome; no bank has it, so its check digit is not checked. */
  isTestRoutingNumber(routingNumber: string): boolean;
  atCreate(account: ScreenedAccount): UsValidationResult;
  /** Undefined: the outcome is reported later, through `recordUsValidation`. */
  validate(account: ScreenedAccount): Promise<Exclude<UsValidation, 'PENDING'> | undefined>;
}
