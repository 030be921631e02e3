import type { AreaGroup } from '#foundation/http/document/openapi.ts';

/** The areas of all operations, in the order of the reference. */
export const AREA_GROUPS: readonly AreaGroup[] = [
  {
    name: 'Your platform',
    areas: {
      'Platform Configuration':
        'Where your webhooks go, which currencies you offer, and what a payment has to say of the people in it.',
      'API Tokens': 'Credentials for your programs, each with only the permissions that it needs.',
      Discoveries: 'The banks and mobile money providers that can be paid in a country.',
      'Exchange Rates': 'What one currency costs in another, fees included, before you quote.',
      'Available UMA Providers': 'Whose customers can be paid by a UMA address.',
      VASPs: 'The exchanges that a wallet may be held at.',
    },
  },
  {
    name: 'People and businesses',
    areas: {
      Customers: 'The people and businesses for whom you hold and move money; alone or many in a file.',
      'Contact Verification': 'Proves that an e-mail address and a phone number are the customer’s own.',
      Documents: 'Passports, extracts and proofs of address that a verification asks for.',
      'KYC/KYB Verifications':
        'Who a person is, who owns a business, and what is still missing; by your own forms or by a hosted page.',
      'Strong Customer Authentication':
        'Second factors, trusted receivers and the approval of single payments, where the law asks for them.',
      Invitations: 'Invites somebody to UMA by a link, which any platform may claim for them.',
    },
  },
  {
    name: 'Accounts',
    areas: {
      'Internal Accounts': 'The balances that we hold, and how money is paid into them.',
      'External Accounts': 'Bank accounts, wallets and mobile money elsewhere, to pay to and to pull from.',
      'Embedded Wallet Auth':
        'How the owner of a self-custodied wallet logs in and signs, without either of us holding the key.',
    },
  },
  {
    name: 'Moving money',
    areas: {
      'Cross-Currency Transfers': 'Look a receiver up, get a quote that is good for minutes, and execute it.',
      'Same-Currency Transfers': 'Money in from an external account and out to one, without a quote.',
      Transactions:
        'Everything that moved or is about to, of every kind; and what you decide about what comes in.',
    },
  },
  {
    name: 'Products',
    areas: {
      Cards: 'Cards that pay from an internal account, and what is bought with them.',
      Stablecoins: 'A dollar of your own: registered at a provider, minted, burned and spent.',
      'Agent Management':
        'Programs that may pay for a customer, the limits that bind them, and what you approve.',
      'Agent Operations': 'What an agent itself may call, with its own token.',
    },
  },
  {
    name: 'What happened',
    areas: {
      Webhooks: 'Tries your endpoint out.',
      Events: 'Everything that you were told by webhook, its deliveries, and how to have it again.',
      'Request Log': 'Your last requests and how they ended.',
    },
  },
  {
    name: 'Sandbox',
    areas: {
      Sandbox: 'Plays the outside world: money that arrives, shops, the clock. Production has none of it.',
    },
  },
];
