/** The results of a check of the holder's name (accounts.md §4.6). */
export const NAME_CHECK_STATUSES = [
  'MATCHED',
  'PARTIAL_MATCH',
  'NOT_MATCHED',
  'UNSUPPORTED',
  'CHECKED_BY_RECEIVING_FI',
  'PENDING',
] as const;

export type NameCheckStatus = (typeof NAME_CHECK_STATUSES)[number];

export interface NameCheckRequest {
  /** `ExternalAccount:<uuid>`: repeated requests for one account count as one. */
  readonly reference: string;
  readonly platformId: PlatformId;
  readonly accountType: string;
  readonly currency: string;
  /** Identifies the account at its bank: account number, IBAN, phone number, … */
  readonly identifier: string;
  /** The account's fields under the contract's names. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The submitted name of a person or a business. */
  readonly name: string;
}

export interface NameCheckResult {
  readonly status: NameCheckStatus;
  /** The holder's name, if the check discloses it. */
  readonly fullName?: string | undefined;
}

/** Compares the submitted name with the account holder's. */
export interface NameCheckPort {
  /**
   * The result, if it is known at once. `REFUSED`: there is no such account. `ASK`: the account is `PENDING` until
   * `check` has answered. It may not wait for a network.
   */
  atCreate(request: NameCheckRequest): Promise<NameCheckResult | 'REFUSED' | 'ASK'>;
  /** Called after the commit that stored the account. `PENDING`: the result is reported later. */
  check(request: NameCheckRequest): Promise<NameCheckResult>;
}

/** The result without a provider: US banks check names themselves, other rails do not (accounts.md §4.6). */
export function withoutNameCheck(accountType: string): NameCheckResult {
  return { status: accountType === 'USD_ACCOUNT' ? 'CHECKED_BY_RECEIVING_FI' : 'UNSUPPORTED' };
}
