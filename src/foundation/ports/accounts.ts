/**
 * The bank or wallet details to pay money in to, by the account type of the instruction they belong to:
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
  /** Of an embedded wallet that is just being opened: the customer's, if there is one. */
  readonly walletEmail?: string | undefined;
  /** 32 unguessable bytes of this account alone, for a provider that generates its account numbers itself. */
  readonly seed: Uint8Array;
}

/**
 * Opens the accounts behind our balances: a bank, a custodian. It reports outcomes through
 * `completeProvisioning` and `refuseProvisioning` of src/capabilities/accounts/provision-account.ts.
 */
export interface ProvisioningPort {
  /**
   * Called while the account is being opened, and may not wait: the finished coordinates, or undefined, and then the
   * account is `PENDING` until the outcome is reported.
   */
  atOpening(request: ProvisioningRequest): Coordinates | undefined;
  /** Submits the request, after the commit that opened the account. */
  submit(request: ProvisioningRequest): Promise<'accepted' | 'refused'>;
}
