import type { AreaGroup } from '#foundation/http/document/openapi.ts';

/** The areas of all operations, in the order of the reference. */
export const AREA_GROUPS: readonly AreaGroup[] = [
  {
    name: 'Your platform',
    areas: {
      'Platform Configuration':
        'Your webhook endpoint, the currencies you offer, and the details a payment must give about its parties.',
      'API Tokens': 'Credentials for your programs, each with only the permissions that it needs.',
      Console: 'Web pages where developers see what their platform did and why, and try every call.',
      Discoveries: 'The banks and mobile money providers that can be paid in a country.',
      'Exchange Rates': 'The price of one currency in another, fees included, before you ask for a quote.',
      'Available UMA Providers': 'The providers whose customers can be paid at a UMA address.',
      VASPs: 'The exchanges that may hold a wallet.',
    },
  },
  {
    name: 'People and businesses',
    areas: {
      Customers:
        'The people and businesses whose money you hold and move, created one by one or from a file.',
      'Contact Verification': 'Proves that an e-mail address or a phone number belongs to the customer.',
      Documents: 'Passports, extracts and proofs of address that a verification asks for.',
      'KYC/KYB Verifications':
        'Verifies people, businesses and their owners, with your own forms or a hosted page, and lists what is missing.',
      'Strong Customer Authentication':
        'Second factors, trusted receivers and the approval of single payments, where the law requires them.',
      Invitations: 'Invites a person to UMA with a link, which any platform may claim for that person.',
    },
  },
  {
    name: 'Accounts',
    areas: {
      'Internal Accounts': 'The balances that we hold, and how money is paid into them.',
      'External Accounts': 'Bank accounts, wallets and mobile money elsewhere, to pay to and to pull from.',
      'Embedded Wallet Auth':
        'How the owner of a self-custodied wallet logs in and signs, while neither you nor we hold the key.',
    },
  },
  {
    name: 'Moving money',
    areas: {
      'Cross-Currency Transfers':
        'Look up a receiver, get a quote that is valid for minutes, and execute it.',
      'Same-Currency Transfers': 'Moves money in from an external account or out to one, without a quote.',
      Transactions:
        'Every completed and pending transaction of any kind, and your decision about incoming payments.',
    },
  },
  {
    name: 'Products',
    areas: {
      Cards: 'Cards that pay from an internal account, and the purchases made with them.',
      Stablecoins: 'Your own dollar stablecoin: registered with a provider, minted, burned and spent.',
      'Agent Management':
        'Programs that may pay for a customer, their limits, and the payments that you approve.',
      'Agent Operations': 'Operations that an agent itself calls, with its own token.',
    },
  },
  {
    name: 'What happened',
    areas: {
      Webhooks: 'Sends a test webhook to your endpoint.',
      Events: 'Every event that was sent to you as a webhook, its deliveries, and how to resend it.',
      'Request Log': 'Your last requests and how they ended.',
      Search: 'Finds a resource by its id, an e-mail address or a reference.',
    },
  },
  {
    name: 'Sandbox',
    areas: {
      Sandbox: 'Simulates the outside world: incoming money, shops, the clock. Production has none of these.',
    },
  },
];

/** The areas of the operators' operations, in the order of their document. */
export const OPERATOR_AREAS: readonly AreaGroup[] = [
  {
    name: 'People',
    areas: {
      Reviews: 'Decides about customers who wait for a decision.',
      Customers: 'Customers of all platforms.',
      Agents: 'Programs that act for customers.',
      'Strong customer authentication': 'Customers who are locked, and their factors.',
    },
  },
  {
    name: 'Money',
    areas: {
      Payments: 'Reports what happened to payments on rails that report nothing themselves.',
      'Money by hand': 'Books deposits, money in suspense and debts.',
      Accounts: 'Internal and external accounts: stops them, sets them up, decides about them.',
      Cards: 'Cards, and purchases that no account could pay for.',
      Stablecoins: 'Coins of platforms, their mints and burns, and their links to providers.',
      Rates: 'The exchange rates of production.',
      Wallets: 'Embedded wallets, without their secrets.',
      Ledger: 'The books: balances at any time, lines, entries, and what proves them.',
    },
  },
  {
    name: 'The service',
    areas: {
      Platforms: 'Platforms, their settings and their credentials.',
      Events: 'Events of all platforms and their delivery.',
      Audit: 'Actions with their actors, and the operators who looked at personal data.',
      Operators: 'The people who run the service: who they are, what they may do, and how they sign in.',
    },
  },
  {
    name: 'Approvals',
    areas: {
      Work: 'Items that wait for the calling operator, and the operators who take care of them.',
      Proposals: 'Operations that one operator proposes and another one approves.',
    },
  },
];
