import { CURRENCY, CUSTOMER, choice, has, type Kind, personal, SCOPE, status } from './kind.ts';

export const CUSTOMERS: Kind = {
  title: 'Customers',
  one: 'Customer',
  answer:
    'The customers of all platforms, the newest first. Personal data is masked, and each opened page is recorded.',
  empty: 'Platforms create customers over the API.',
  list: 'listAllCustomers',
  show: 'showCustomers',
  disclose: 'discloseCustomersField',
  search: 'searchAllCustomers',
  columns: ['customer', 'type', 'status', 'region', 'currencies', 'platformName', 'createdAt'],
  filters: [
    ...SCOPE,
    status('UNVERIFIED', 'PENDING', 'APPROVED', 'REJECTED', 'HOLD'),
    choice('type', 'Type', 'INDIVIDUAL', 'BUSINESS'),
    personal('email', 'E-mail address'),
    personal('name', 'Words of the name'),
    personal('uma', 'UMA address'),
    personal('platformCustomerId', 'The platform’s id'),
  ],
  changes: [
    { operation: 'writeOffDebtOfCustomer', label: 'Write off a debt' },
    { operation: 'eraseCustomer', label: 'Erase the customer', kind: 'danger' },
  ],
  parts: [
    { kind: 'payments', by: 'customer' },
    { kind: 'external-accounts', by: 'customer' },
    { kind: 'cards', by: 'customer' },
    { kind: 'wallets', by: 'customer' },
    { kind: 'agents', by: 'customer' },
    { kind: 'reads', by: 'resource', title: 'Access log' },
    { kind: 'audit', by: 'resource', title: 'Changes' },
  ],
};

export const ACCOUNTS: Kind = {
  title: 'Accounts',
  one: 'Account',
  answer: 'The internal accounts of customers and platforms, with their balances.',
  empty: 'Every new customer gets one account per currency.',
  list: 'listAllInternalAccounts',
  show: 'showInternalAccounts',
  disclose: 'discloseInternalAccountsField',
  columns: ['account', 'status', 'total', 'onHold', 'type', 'platformName', 'createdAt'],
  filters: [...SCOPE, CUSTOMER, CURRENCY, status('PENDING', 'ACTIVE', 'CLOSED', 'FROZEN', 'FAILED')],
  changes: [
    { operation: 'freezeAccount', label: 'Freeze', when: has('ACTIVE') },
    { operation: 'unfreezeAccount', label: 'Unfreeze', when: has('FROZEN') },
    { operation: 'bookDeposit', label: 'Book a deposit', when: has('ACTIVE', 'FROZEN') },
    { operation: 'assignBreak', label: 'Credit unclaimed money', when: has('ACTIVE', 'FROZEN') },
    { operation: 'provisionAccount', label: 'Provision', when: has('PENDING') },
    { operation: 'refuseAccount', label: 'Refuse', when: has('PENDING') },
    { operation: 'retryAccount', label: 'Try again', when: has('FAILED') },
    { operation: 'addSwiftInstructions', label: 'Add SWIFT instructions', when: has('ACTIVE') },
    { operation: 'closeAccount', label: 'Close the account', kind: 'danger', when: has('ACTIVE', 'FROZEN') },
  ],
  views: [
    { name: 'To set up', filters: { status: 'PENDING' } },
    { name: 'Failed', filters: { status: 'FAILED' } },
    { name: 'Frozen', filters: { status: 'FROZEN' } },
  ],
  parts: [
    { kind: 'payments', by: 'account' },
    { kind: 'cards', by: 'account' },
    { kind: 'audit', by: 'resource', title: 'Changes' },
  ],
};

export const EXTERNAL_ACCOUNTS: Kind = {
  title: 'External accounts',
  one: 'External account',
  answer: 'The bank accounts, wallets and other places to which customers send money.',
  empty: 'Platforms create external accounts over the API.',
  list: 'listAllExternalAccounts',
  show: 'showExternalAccounts',
  disclose: 'discloseExternalAccountsField',
  columns: ['account', 'status', 'type', 'currency', 'nameCheck', 'platformName', 'createdAt'],
  filters: [
    ...SCOPE,
    CUSTOMER,
    CURRENCY,
    status('PENDING', 'ACTIVE', 'UNDER_REVIEW', 'UNVERIFIED', 'PENDING_OWNERSHIP_VERIFICATION', 'INACTIVE'),
  ],
  changes: [
    { operation: 'screenExternalAccount', label: 'Record a screening', when: has('PENDING') },
    { operation: 'reviewExternalAccount', label: 'Decide the review', when: has('UNDER_REVIEW') },
    { operation: 'validateExternalAccount', label: 'Record a validation', when: has('PENDING') },
    { operation: 'enableExternalAccount', label: 'Enable', when: has('INACTIVE') },
    { operation: 'disableExternalAccount', label: 'Disable', kind: 'danger', when: has('ACTIVE', 'PENDING') },
  ],
  views: [{ name: 'Under review', filters: { status: 'UNDER_REVIEW' } }],
  parts: [
    { kind: 'payments', by: 'account' },
    { kind: 'reads', by: 'resource', title: 'Access log' },
    { kind: 'audit', by: 'resource', title: 'Changes' },
  ],
};

/** Customers whose proofs were wrong too often. */
export const SCA: Kind = {
  title: 'Locked customers',
  one: 'Proofs of a customer',
  answer:
    'Customers who are locked or suspended after wrong proofs. A reset by the platform ends a suspension.',
  empty: 'A customer gets here after several wrong codes, passkeys or passwords in a row.',
  list: 'listAllSca',
  show: 'showSca',
  disclose: 'discloseScaField',
  columns: ['customer', 'suspended', 'lockedUntil', 'failedAttempts', 'platformName', 'createdAt'],
  filters: SCOPE,
  changes: [],
  linkOf: ({ customer }) => `/console/operator/sca/${customer}`,
};

export const INVITATIONS: Kind = {
  title: 'Invitations',
  one: 'Invitation',
  answer: 'Invitations of customers to UMA. Their codes are shown to nobody.',
  empty: 'Platforms invite people over the API.',
  list: 'listAllInvitations',
  columns: ['customer', 'status', 'createdAt', 'expiresAt', 'claimedAt', 'platformName'],
  filters: [...SCOPE, CUSTOMER, status('PENDING', 'CLAIMED', 'CANCELLED', 'EXPIRED')],
  changes: [],
};

/** Opened on a screen of its own, because a review is more than its customer. */
export const REVIEWS: Kind = {
  title: 'Reviews',
  one: 'Review',
  answer: 'Customers who wait for our decision.',
  empty: 'A customer gets here when the identity provider leaves the decision to a person.',
  list: 'listAllReviews',
  columns: ['customer', 'type', 'status', 'verificationStatus', 'since', 'platformName'],
  filters: [...SCOPE, status('PENDING', 'HOLD')],
  changes: [],
  linkOf: ({ customer }) => `/console/operator/reviews/${customer}`,
};
