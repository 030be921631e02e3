import assert from 'node:assert/strict';
import { fundingGenerator, isFundingAccountType } from '#edge/sandbox/accounts/funding-identifiers.ts';
import { isWalletOpened } from '#edge/sandbox/wallets/wallets-table.ts';
import type { ProvisioningPort } from '#foundation/ports/accounts.ts';

/** Opens accounts at once, except some wallets, with fictitious coordinates whose check digits are valid. */
export const sandboxProvisioning: ProvisioningPort = {
  atOpening({ accountTypes, seed, holderName, walletEmail }) {
    if (walletEmail !== undefined && !isWalletOpened(walletEmail)) return undefined;
    const identifiersOf = fundingGenerator({ seed, holderName });
    return Object.fromEntries(
      accountTypes.map((accountType) => {
        assert(isFundingAccountType(accountType), `no coordinates can be made for ${accountType}`);
        return [accountType, identifiersOf(accountType)];
      }),
    );
  },
  submit: async () => 'accepted',
};
