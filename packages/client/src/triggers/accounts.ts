import { newPayer } from './payments.ts';
import { approvedPerson, fetchAccountId } from './people.ts';
import { type Recipes, randomHex, TriggerError } from './scene.ts';

export const INTERNAL_ACCOUNTS: Recipes<'INTERNAL_ACCOUNT'> = {
  'INTERNAL_ACCOUNT.BALANCE_UPDATED': {
    how: 'money is paid in for a customer',
    act: async (scene) => (await newPayer(scene)).dollars,
  },
  'INTERNAL_ACCOUNT.STATUS_UPDATED': {
    how: 'a customer is deleted, which closes the customer’s account',
    async act(scene) {
      const customerId = await approvedPerson(scene);
      const account = await fetchAccountId(scene, customerId, 'USD');
      await scene.corridor.deleteCustomerById(customerId);
      return account;
    },
  },
  'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED': {
    by: 'the operator',
    how: 'corridor account swift <account> …, which adds a way to pay in',
  },
};

const LIVENESS_SECONDS = 5;

export const EXTERNAL_ACCOUNTS: Recipes<'EXTERNAL_ACCOUNT'> = {
  'EXTERNAL_ACCOUNT.STATUS_UPDATED': {
    how: 'a customer proves the ownership of a wallet',
    clock: `${LIVENESS_SECONDS}s`,
    needs:
      'the setting counterpartyRequirements, which the operator sets; the operator can also disable any account',
    async act(scene) {
      const { corridor } = scene;
      const customerId = await approvedPerson(scene);
      const account = await corridor.createCustomerExternalAccount({
        ...{ customerId, currency: 'USDC', ownershipType: 'FIRST_PARTY' },
        accountInfo: { accountType: 'BASE_WALLET', address: `0x${randomHex(18)}e1e1` },
      });
      if (account.status !== 'PENDING_OWNERSHIP_VERIFICATION') {
        throw new TriggerError(
          `Your platform requires no proof, so ${account.id} is ${account.status} at once. The operator can change its ` +
            `status: corridor account disable ${account.id} --reason "…". Or the operator can make your platform require proofs: ` +
            'corridor platform set <platform> counterpartyRequirements=true.',
        );
      }
      await corridor.createExternalAccountOwnershipChallenge(account.id, { method: 'LIVENESS' });
      await scene.advance(LIVENESS_SECONDS);
      return account.id;
    },
  },
};
