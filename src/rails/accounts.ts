/**
 * Coordinates to pay money in, by the account type of the instruction they belong to:
 * `{ EUR_ACCOUNT: { iban, swiftCode } }`. Fields carry the contract's names.
 */
export type Coordinates = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface ProvisioningRequest {
  /** The reference: one account is one request, however often it is made. Bare UUID. */
  readonly accountId: string;
  readonly currency: string;
  readonly holderName: string;
  /** The account types for which coordinates are wanted, in the order of the instructions. */
  readonly accountTypes: readonly string[];
  /** 32 bytes of this account alone that nobody can guess, for a provider that makes its numbers itself. */
  readonly seed: Uint8Array;
}

/**
 * Whoever opens the accounts behind our balances: a bank, a custodian. It reports outcomes through
 * `completeProvisioning` and `refuseProvisioning` of accounts/provision-account.ts.
 */
export interface ProvisioningPort {
  /**
   * What can be said without asking anybody, while the account is being opened: the finished coordinates, or
   * undefined, and then the account is `PENDING` until the outcome is reported.
   */
  atOpening(request: ProvisioningRequest): Coordinates | undefined;
  /** Hands the request over, after the commit that opened the account. */
  submit(request: ProvisioningRequest): Promise<'accepted' | 'refused'>;
}
