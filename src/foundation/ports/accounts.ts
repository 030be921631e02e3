/**
 * The bank or wallet details for paying money in, by the account type of their instruction:
 * `{ EUR_ACCOUNT: { iban, swiftCode } }`. Fields have the contract's names.
 */
export type Coordinates = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface ProvisioningRequest {
  /** The reference, a bare UUID: repeated requests for one account count as one. */
  readonly accountId: string;
  readonly platformId: PlatformId;
  /** The reference by which payers name the account; undefined if its coordinates suffice. */
  readonly reference?: string | undefined;
  readonly currency: string;
  readonly holderName: string;
  /** The account types that need coordinates, in the order of the instructions. */
  readonly accountTypes: readonly string[];
  /** For an embedded wallet that is being opened: the customer's e-mail address, if there is one. */
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
   * Called while the account is being opened, and may not wait. Returns the finished coordinates, or undefined: then the
   * account is `PENDING` until the outcome is reported.
   */
  atOpening(request: ProvisioningRequest): Coordinates | undefined;
  /** Submits the request, after the commit that opened the account. */
  submit(request: ProvisioningRequest): Promise<'accepted' | 'refused'>;
}
