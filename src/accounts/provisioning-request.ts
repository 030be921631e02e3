import { entriesOf, type FundedAccount } from '#accounts/funding-instructions.ts';
import type { ReadTx } from '#database/tx.ts';
import type { ProvisioningRequest } from '#rails/accounts.ts';

/** Asks the provider for an account that could not be opened at once; keyed by the account's id. */
export const PROVISION_JOB = 'accounts.provision';

/** What a provider is told about an account. */
export function provisioningRequest(
  tx: ReadTx,
  account: { readonly id: string } & Pick<FundedAccount, 'currency' | 'type' | 'holderName'>,
): ProvisioningRequest {
  return {
    accountId: account.id,
    currency: account.currency,
    holderName: account.holderName,
    accountTypes: entriesOf(account).map(({ accountType }) => accountType),
    seed: fundingSeed(tx, account.id),
  };
}

/** The same for the account's whole life, and nobody's guess. */
export function fundingSeed(tx: ReadTx, accountId: string): Uint8Array {
  return tx.vault.fingerprint(accountId, 'funding coordinates');
}
