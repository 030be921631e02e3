/** What a check of the holder's name can say (accounts.md §4.6). */
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
  /** `ExternalAccount:<uuid>`: one account is one question, however often it is asked. */
  readonly reference: string;
  readonly accountType: string;
  readonly currency: string;
  /** What names the account at its bank: account number, IBAN, phone number, … */
  readonly identifier: string;
  /** The account's fields under the contract's names. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** As it was submitted: of a person or of a business. */
  readonly name: string;
}

export interface NameCheckResult {
  readonly status: NameCheckStatus;
  /** The holder's name, where the check tells it. */
  readonly fullName?: string | undefined;
}

/** Whoever compares the name that was submitted with the holder's. */
export interface NameCheckPort {
  /**
   * What can be said without asking anybody. `REFUSED`: there is no such account. `ASK`: the account is
   * `PENDING` until `check` has answered.
   */
  atCreate(request: NameCheckRequest): NameCheckResult | 'REFUSED' | 'ASK';
  /** Asked after the commit that stored the account. */
  check(request: NameCheckRequest): Promise<NameCheckResult>;
}

/** Where nobody checks names: US banks look for themselves, other rails do not (accounts.md §4.6). */
export const withoutNameCheck: NameCheckPort = {
  atCreate: answerWithoutCheck,
  check: async (request) => answerWithoutCheck(request),
};

function answerWithoutCheck({ accountType }: NameCheckRequest): NameCheckResult {
  return { status: accountType === 'USD_ACCOUNT' ? 'CHECKED_BY_RECEIVING_FI' : 'UNSUPPORTED' };
}
