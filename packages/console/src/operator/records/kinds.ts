import type { OperatorOperation } from '../../api/operator/call.ts';
import type { FilterField } from '../../ui/filters.tsx';

type Fields = Readonly<Record<string, unknown>>;

/** A change of one record, with the button's words. */
export interface RecordChange {
  readonly operation: OperatorOperation;
  readonly label: string;
  readonly kind?: 'danger';
  /** Whether it makes sense for the record as it is. The service decides; this keeps buttons away that it would refuse. */
  readonly when?: (record: Fields) => boolean;
}

/** What one kind of record shows, besides what all have. */
export interface Kind {
  readonly title: string;
  readonly one: string;
  /** What the first line says. */
  readonly answer: string;
  readonly empty: string;
  readonly list: OperatorOperation;
  readonly show: OperatorOperation;
  readonly disclose: OperatorOperation;
  /** Takes whole values of personal data, which stay out of the address. */
  readonly search?: OperatorOperation;
  readonly columns: readonly string[];
  readonly filters: readonly FilterField[];
  readonly changes: readonly RecordChange[];
  /** A change that makes a new record. */
  readonly create?: OperatorOperation;
}

const ENVIRONMENT: FilterField = {
  name: 'environment',
  label: 'Environment',
  kind: 'select',
  options: ['PRODUCTION', 'SANDBOX'],
  words: { '': 'Production, if there is any' },
};

const PLATFORM: FilterField = {
  name: 'platform',
  label: 'Platform',
  kind: 'text',
  placeholder: 'Platform:…',
};
const CUSTOMER: FilterField = {
  name: 'customer',
  label: 'Customer',
  kind: 'text',
  placeholder: 'Customer:…',
};
const CURRENCY: FilterField = { name: 'currency', label: 'Currency', kind: 'text', placeholder: 'USD' };

function status(...options: string[]): FilterField {
  return { name: 'status', label: 'Status', kind: 'select', options };
}

const has =
  (...statuses: string[]) =>
  ({ status: own }: Fields) =>
    statuses.includes(String(own));

const CUSTOMERS: Kind = {
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
    ENVIRONMENT,
    PLATFORM,
    status('UNVERIFIED', 'PENDING', 'APPROVED', 'REJECTED', 'HOLD'),
    { name: 'type', label: 'Type', kind: 'select', options: ['INDIVIDUAL', 'BUSINESS'] },
    { name: 'email', label: 'E-mail address', kind: 'text', isPersonal: true },
    { name: 'platformCustomerId', label: 'The platform’s id', kind: 'text', isPersonal: true },
  ],
  changes: [
    { operation: 'writeOffDebtOfCustomer', label: 'Write off a debt' },
    { operation: 'eraseCustomer', label: 'Erase the customer', kind: 'danger' },
  ],
};

const ACCOUNTS: Kind = {
  title: 'Accounts',
  one: 'Account',
  answer: 'The internal accounts of customers and platforms, with what they hold.',
  empty: 'Every new customer gets one account per currency.',
  list: 'listAllInternalAccounts',
  show: 'showInternalAccounts',
  disclose: 'discloseInternalAccountsField',
  columns: ['account', 'status', 'total', 'onHold', 'type', 'platformName', 'createdAt'],
  filters: [
    ENVIRONMENT,
    PLATFORM,
    CUSTOMER,
    CURRENCY,
    status('PENDING', 'ACTIVE', 'CLOSED', 'FROZEN', 'FAILED'),
  ],
  changes: [
    { operation: 'freezeAccount', label: 'Freeze', when: has('ACTIVE') },
    { operation: 'unfreezeAccount', label: 'Unfreeze', when: has('FROZEN') },
    { operation: 'bookDeposit', label: 'Book a deposit', when: has('ACTIVE', 'FROZEN') },
    { operation: 'provisionAccount', label: 'Provision', when: has('PENDING') },
    { operation: 'refuseAccount', label: 'Refuse', when: has('PENDING') },
    { operation: 'retryAccount', label: 'Try again', when: has('FAILED') },
    { operation: 'addSwiftInstructions', label: 'Add SWIFT instructions', when: has('ACTIVE') },
    { operation: 'closeAccount', label: 'Close the account', kind: 'danger', when: has('ACTIVE', 'FROZEN') },
  ],
};

const EXTERNAL_ACCOUNTS: Kind = {
  title: 'External accounts',
  one: 'External account',
  answer: 'The bank accounts, wallets and other places to which customers send money.',
  empty: 'Platforms create external accounts over the API.',
  list: 'listAllExternalAccounts',
  show: 'showExternalAccounts',
  disclose: 'discloseExternalAccountsField',
  columns: ['account', 'status', 'type', 'currency', 'nameCheck', 'platformName', 'createdAt'],
  filters: [
    ENVIRONMENT,
    PLATFORM,
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
};

const PLATFORMS: Kind = {
  title: 'Platforms',
  one: 'Platform',
  answer: 'The companies that use the service, each in one environment.',
  empty: 'An administrator creates platforms.',
  list: 'listAllPlatforms',
  show: 'showPlatforms',
  disclose: 'disclosePlatformsField',
  columns: ['id', 'name', 'environment', 'createdAt', 'disabledAt'],
  filters: [ENVIRONMENT],
  changes: [
    { operation: 'setPlatform', label: 'Change settings' },
    { operation: 'createTokenOfPlatform', label: 'Create a token' },
    { operation: 'rotateWebhookKeyOfPlatform', label: 'Rotate the webhook key', kind: 'danger' },
    { operation: 'writeOffDebtOfPlatform', label: 'Write off a debt' },
    { operation: 'enablePlatform', label: 'Enable', when: ({ disabledAt }) => Boolean(disabledAt) },
    { operation: 'disablePlatform', label: 'Disable', kind: 'danger', when: ({ disabledAt }) => !disabledAt },
  ],
  create: 'createPlatform',
};

/** By their part of the address. */
export const KINDS: Readonly<Record<string, Kind>> = {
  customers: CUSTOMERS,
  accounts: ACCOUNTS,
  'external-accounts': EXTERNAL_ACCOUNTS,
  platforms: PLATFORMS,
};

/** The kind of an address such as `/console/operator/customers/Customer:…`. */
export function kindAt(path: string): Kind {
  const kind = KINDS[path.split('/')[3] ?? ''];
  if (!kind) throw new Error(`there is no kind of record at ${path}`);
  return kind;
}
