import assert from 'node:assert/strict';
import { fundingIdentifiers, isFundingAccountType } from '#lib/identifiers/funding-identifiers.ts';
import type { ProvisioningPort } from '#rails/accounts.ts';

/** Opens every account at once, with coordinates that are made up but whose check digits are right. */
export const sandboxProvisioning: ProvisioningPort = {
  atOpening: ({ accountTypes, seed, holderName }) =>
    Object.fromEntries(
      accountTypes.map((accountType) => {
        assert(isFundingAccountType(accountType), `no coordinates can be made for ${accountType}`);
        return [accountType, fundingIdentifiers(accountType, { seed, holderName })];
      }),
    ),
  submit: async () => 'accepted',
};
