import {
  CURRENCY,
  CUSTOMER,
  choice,
  has,
  type Kind,
  personal,
  SCOPE,
  SINCE,
  status,
  UNTIL,
  words,
} from './kind.ts';

const OPEN = has('PENDING', 'PROCESSING', 'CREATED');

export const PAYMENTS: Kind = {
  title: 'Payments',
  one: 'Payment',
  answer: 'The payments of all platforms and the transactions of cards, the newest first.',
  empty: 'Platforms create payments over the API.',
  list: 'listAllPayments',
  show: 'showPayments',
  disclose: 'disclosePaymentsField',
  explain: 'explainPayment',
  search: 'searchAllPayments',
  columns: ['transaction', 'status', 'type', 'sent', 'received', 'customer', 'platformName', 'createdAt'],
  filters: [
    ...SCOPE,
    status(
      'CREATED',
      'PENDING',
      'PENDING_AUTHORIZATION',
      'PROCESSING',
      'COMPLETED',
      'REJECTED',
      'FAILED',
      'REFUNDED',
      'EXPIRED',
    ),
    choice('type', 'Type', 'OUTGOING', 'INCOMING', 'CARD'),
    CUSTOMER,
    words('account', 'Account', 'Any account’s id'),
    words('units', 'Amount, smallest unit', '1250'),
    CURRENCY,
    personal('reference', 'Reference'),
    personal('platformCustomerId', 'The platform’s id of the customer'),
    personal('uma', 'UMA address'),
    SINCE,
    UNTIL,
  ],
  changes: [
    { operation: 'settlePayment', label: 'Settle', when: OPEN },
    { operation: 'failPayment', label: 'Fail', kind: 'danger', when: OPEN },
    { operation: 'returnPayment', label: 'Return', kind: 'danger', when: has('COMPLETED') },
    { operation: 'collectException', label: 'Collect the debt', when: isException },
    { operation: 'writeOffException', label: 'Write off the debt', kind: 'danger', when: isException },
  ],
  views: [
    { name: 'On their way', filters: { status: 'PROCESSING' } },
    { name: 'Failed', filters: { status: 'FAILED' } },
    { name: 'Of cards', filters: { type: 'CARD' } },
  ],
  parts: [
    { kind: 'events', by: 'resource', title: 'Events' },
    { kind: 'audit', by: 'resource', title: 'Changes' },
  ],
};

/** A purchase of which a part could not be taken (cards.md). */
function isException({ status: own }: Readonly<Record<string, unknown>>): boolean {
  return own === 'EXCEPTION';
}

export const QUOTES: Kind = {
  title: 'Quotes',
  one: 'Quote',
  answer: 'Prices that platforms asked for, with their outcomes.',
  empty: 'Platforms create quotes over the API.',
  list: 'listAllQuotes',
  show: 'showQuotes',
  disclose: 'discloseQuotesField',
  explain: 'explainQuote',
  columns: ['quote', 'status', 'sends', 'customer', 'transaction', 'platformName', 'createdAt'],
  filters: [...SCOPE, CUSTOMER, SINCE, UNTIL],
  changes: [],
};

export const CARDS: Kind = {
  title: 'Cards',
  one: 'Card',
  answer: 'The cards of all customers. Their numbers are shown to nobody.',
  empty: 'Platforms issue cards over the API.',
  list: 'listAllCards',
  show: 'showCards',
  disclose: 'discloseCardsField',
  search: 'searchAllCards',
  columns: ['card', 'status', 'reason', 'last4', 'customer', 'platformName', 'createdAt'],
  filters: [
    ...SCOPE,
    CUSTOMER,
    status('PROCESSING', 'ACTIVE', 'FROZEN', 'CLOSED'),
    personal('platformCardId', 'The platform’s id'),
  ],
  changes: [
    {
      operation: 'closeCard',
      label: 'Close the card',
      kind: 'danger',
      when: has('ACTIVE', 'FROZEN', 'PROCESSING'),
    },
  ],
  parts: [
    { kind: 'payments', by: 'card', title: 'Purchases' },
    { kind: 'audit', by: 'resource', title: 'Changes' },
  ],
};

export const WALLETS: Kind = {
  title: 'Wallets',
  one: 'Wallet',
  answer: 'Embedded wallets, with the credentials and sessions that can sign for them.',
  empty: 'A customer gets a wallet with the first credential.',
  list: 'listAllWallets',
  show: 'showWallets',
  disclose: 'discloseWalletsField',
  columns: ['wallet', 'status', 'credentials', 'activeSessions', 'customer', 'platformName', 'createdAt'],
  filters: [...SCOPE, CUSTOMER],
  changes: [],
  linkOf: ({ wallet }) => `/console/operator/wallets/${wallet}`,
};

export const STABLECOINS: Kind = {
  title: 'Stablecoins',
  one: 'Stablecoin',
  answer: 'The stablecoins of platforms, from the request to the reserve behind them.',
  empty: 'Platforms register stablecoins over the API.',
  list: 'listAllStablecoins',
  show: 'showStablecoins',
  disclose: 'discloseStablecoinsField',
  columns: ['stablecoin', 'symbol', 'issuance', 'status', 'platformName', 'createdAt'],
  filters: [
    ...SCOPE,
    choice(
      'issuance',
      'At the provider',
      'PENDING_REVIEW',
      'PROVISIONING',
      'PROVISIONED',
      'REJECTED',
      'FAILED',
    ),
    status('NOT_ENABLED', 'PENDING_APPROVAL', 'ENABLING', 'ENABLED', 'DISABLED'),
  ],
  changes: [
    { operation: 'approveStablecoin', label: 'Approve' },
    { operation: 'declineStablecoin', label: 'Decline', kind: 'danger' },
    { operation: 'enableStablecoin', label: 'Enable' },
    { operation: 'disableStablecoin', label: 'Disable', kind: 'danger' },
  ],
  views: [{ name: 'To approve', filters: { status: 'PENDING_APPROVAL' } }],
  parts: [
    { kind: 'stablecoin-operations', by: 'stablecoin' },
    { kind: 'audit', by: 'resource', title: 'Changes' },
  ],
};

export const COIN_OPERATIONS: Kind = {
  title: 'Mints and burns',
  one: 'Mint or burn',
  answer: 'Operations on stablecoins, with the answers of their providers.',
  empty: 'Platforms mint and burn over the API.',
  list: 'listAllStablecoinOperations',
  show: 'showStablecoinOperations',
  disclose: 'discloseStablecoinOperationsField',
  explain: 'explainStablecoinOperation',
  columns: ['operation', 'type', 'status', 'amount', 'stablecoin', 'platformName', 'createdAt'],
  filters: [
    ...SCOPE,
    choice('type', 'Type', 'MINT', 'BURN'),
    status('CREATED', 'PENDING_FUNDING', 'PENDING_PROVIDER', 'PROCESSING', 'COMPLETED', 'FAILED', 'EXPIRED'),
    words('stablecoin', 'Stablecoin', 'Stablecoin:…'),
  ],
  changes: [
    { operation: 'completeStablecoinOperation', label: 'Complete', when: isUnderWay },
    { operation: 'failStablecoinOperation', label: 'Fail', kind: 'danger', when: isUnderWay },
  ],
  parts: [{ kind: 'audit', by: 'resource', title: 'Changes' }],
};

function isUnderWay(record: Readonly<Record<string, unknown>>): boolean {
  return has('CREATED', 'PENDING_FUNDING', 'PENDING_PROVIDER', 'PROCESSING')(record);
}

export const SUSPENSE: Kind = {
  title: 'Suspense',
  one: 'Item',
  answer: 'Money that could not be assigned to a payment or an account, the newest first.',
  empty: 'Money that arrives without a known owner, and refunds that come back, appear here.',
  list: 'listAllSuspense',
  columns: ['entry', 'because', 'amount', 'sender', 'intendedAccount', 'platformName', 'since'],
  filters: SCOPE,
  changes: [],
};

export const RECEIVABLES: Kind = {
  title: 'Debts',
  one: 'Debt',
  answer: 'Debts of customers, platforms and transactions of cards to us, the newest first.',
  empty:
    'A payment that is returned or reversed leaves a debt if the account is empty. Later credits repay it.',
  list: 'listAllReceivables',
  columns: ['owner', 'amount', 'platformName', 'since'],
  filters: SCOPE,
  changes: [],
};
