import { EXTERNAL_ACCOUNTS, INTERNAL_ACCOUNTS } from './accounts.ts';
import { AGENT_ACTIONS } from './agents.ts';
import { CARD_TRANSACTIONS, CARDS } from './cards.ts';
import { INCOMING, OUTGOING } from './payments.ts';
import { CUSTOMERS, VERIFICATIONS } from './people.ts';
import type { EventType, NotByToken, Recipe, Recipes, Scene } from './scene.ts';

const INVITATIONS: Recipes<'INVITATION'> = {
  'INVITATION.CLAIMED': {
    how: 'an invitation that is claimed',
    async act({ corridor, name }) {
      const inviter = await corridor.createCustomer({
        ...{ customerType: 'INDIVIDUAL', platformCustomerId: name, fullName: 'Trigger Example' },
      });
      const { code } = await corridor.createInvitation({ inviterUma: inviter.umaAddress });
      await corridor.claimInvitation(code, { inviteeUma: `$${name}@elsewhere.example` });
      return code;
    },
  },
};

const COLUMNS =
  'umaAddress,platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country';

async function upload({ corridor, name }: Scene, birthDate: string): Promise<string> {
  const { umaDomain } = await corridor.getPlatformConfig();
  const row = `$${name}@${umaDomain},${name},INDIVIDUAL,Trigger Example,${birthDate},1 Market St,San Francisco,CA,94105,US`;
  const file = new File([`${COLUMNS}\n${row}\n`], `${name}.csv`, { type: 'text/csv' });
  return (await corridor.uploadCustomersCsv({ file })).jobId;
}

const IMPORTS: Recipes<'BULK_UPLOAD'> = {
  'BULK_UPLOAD.COMPLETED': {
    how: 'a CSV file with one customer',
    act: (scene) => upload(scene, '1990-12-10'),
  },
  'BULK_UPLOAD.FAILED': {
    how: 'a CSV file with one customer, whose data is invalid',
    act: (scene) => upload(scene, 'never'),
  },
};

/** Says for each event type who causes it and how. A new type does not compile without an entry. */
export const RECIPES: Readonly<Record<EventType, Recipe | NotByToken>> = {
  ...OUTGOING,
  ...INCOMING,
  ...CUSTOMERS,
  ...VERIFICATIONS,
  ...EXTERNAL_ACCOUNTS,
  ...INTERNAL_ACCOUNTS,
  ...INVITATIONS,
  ...IMPORTS,
  ...AGENT_ACTIONS,
  ...CARDS,
  ...CARD_TRANSACTIONS,
  TEST: {
    how: 'a test of your webhook endpoint',
    needs: 'a webhook endpoint',
    async act({ corridor }) {
      await corridor.sendTestWebhook();
      const { data } = await corridor.listEvents({ type: 'TEST', limit: 1 });
      return data[0]?.resourceId ?? '';
    },
  },
};
