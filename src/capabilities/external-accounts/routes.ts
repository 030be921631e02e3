import { startChallenge } from '#capabilities/external-accounts/challenges/start-challenge.ts';
import { verifyChallenge } from '#capabilities/external-accounts/challenges/verify-challenge.ts';
import { createExternalAccount } from '#capabilities/external-accounts/create-external-account.ts';
import { deleteExternalAccount } from '#capabilities/external-accounts/delete-external-account.ts';
import {
  ADA_BANK,
  ADA_BANK_REQUEST,
  ADA_WALLET,
  ADA_WALLET_REQUEST,
  COIN_WALLET,
  COIN_WALLET_REQUEST,
  EXAMPLE_SIGNATURE,
  HILBERT,
  HILBERT_REQUEST,
  JEAN,
  JEAN_REQUEST,
  PLATFORM_WALLET,
  PLATFORM_WALLET_REQUEST,
  signatureChallenge,
} from '#capabilities/external-accounts/examples.ts';
import { presentExternalAccount } from '#capabilities/external-accounts/present.ts';
import {
  CustomerExternalAccountsQuery,
  ExternalAccount,
  ExternalAccountCreateRequest,
  ExternalAccountListResponse,
  OwnershipChallenge,
  OwnershipChallengeRequest,
  OwnershipVerifyRequest,
  PlatformExternalAccountCreateRequest,
  PlatformExternalAccountsQuery,
} from '#capabilities/external-accounts/schemas.ts';
import {
  externalAccountNotFound,
  findExternalAccount,
  listAccounts,
  type Scope,
} from '#capabilities/external-accounts/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { type IdParam, operation } from '#foundation/http/declare/operation.ts';
import { pageRequest } from '#foundation/http/paging.ts';
import { EXAMPLE_IDS, exampleList } from '#foundation/lib/examples.ts';
import { NIL_ID, parseId } from '#foundation/lib/ids.ts';
import { type Code, Refusal } from '#foundation/lib/refusals.ts';

const AREA = 'External Accounts';
export const EXTERNAL_ACCOUNT_PARAM: { externalAccountId: IdParam<'ExternalAccount'> } = {
  externalAccountId: { id: 'ExternalAccount', missing: 'ACCOUNT_NOT_FOUND' },
};
export const CREATE_CODES: readonly Code[] = [
  'INVALID_CURRENCY',
  'INVALID_BANK_ACCOUNT',
  'DUPLICATE_EXTERNAL_ACCOUNT',
];

const CREATE_ABOUT =
  'The fields of `accountInfo` depend on its `accountType`. The account must differ from those that the owner already ' +
  'has. If the rail allows it, the holder’s name is checked at once. An account cannot be changed: delete it and add ' +
  'it again.';

const listCustomerExternalAccounts = operation('listCustomerExternalAccounts', {
  route: 'GET /customers/external-accounts',
  area: AREA,
  summary: 'List the customers’ external accounts',
  description: 'Accounts of all customers, newest first; the platform’s own accounts are not included.',
  access: 'view',
  query: CustomerExternalAccountsQuery,
  reply: ExternalAccountListResponse,
  codes: [],
  examples: {
    'A customer’s accounts in euros': {
      query: { customerId: EXAMPLE_IDS.ada, currency: 'EUR' },
      reply: exampleList(JEAN),
    },
  },
  read: (tx, { query }) =>
    listAccounts(tx, 'CUSTOMERS', pageRequest('listCustomerExternalAccounts', query), query, (row) =>
      presentExternalAccount(tx, row),
    ),
});

const createCustomerExternalAccount = operation('createCustomerExternalAccount', {
  route: 'POST /customers/external-accounts',
  area: AREA,
  summary: 'Add an external account for a customer',
  description: `${CREATE_ABOUT} Without \`customerId\` it becomes the platform’s own account.`,
  access: 'manage',
  body: ExternalAccountCreateRequest,
  checksBody: true,
  status: 201,
  reply: ExternalAccount,
  codes: [...CREATE_CODES, 'CUSTOMER_NOT_FOUND'],
  examples: {
    'A bank account in the euro area': { body: JEAN_REQUEST, reply: JEAN },
    'The customer’s own US bank account': { body: ADA_BANK_REQUEST, reply: ADA_BANK },
    'The customer’s own wallet': { body: ADA_WALLET_REQUEST, reply: ADA_WALLET },
    'For a customer under strong authentication': { body: HILBERT_REQUEST, reply: HILBERT },
  },
  async write(tx, { body, problems }) {
    const row = await createExternalAccount(tx, ownerIdFrom(body.customerId), body, problems);
    return presentExternalAccount(tx, row);
  },
});

/** A malformed id passes here: the body's checks refuse it before the owner is looked up. */
function ownerIdFrom(customerId: unknown): CustomerId | undefined {
  return typeof customerId === 'string' ? (parseId('Customer', customerId) ?? NIL_ID) : undefined;
}

const listPlatformExternalAccounts = operation('listPlatformExternalAccounts', {
  route: 'GET /platform/external-accounts',
  area: AREA,
  summary: 'List the platform’s own external accounts',
  description: 'Newest first; the customers’ accounts are not included.',
  access: 'view',
  query: PlatformExternalAccountsQuery,
  reply: ExternalAccountListResponse,
  codes: [],
  examples: { 'Accounts in USDC': { query: { currency: 'USDC' }, reply: exampleList(PLATFORM_WALLET) } },
  read: (tx, { query }) =>
    listAccounts(tx, 'PLATFORM', pageRequest('listPlatformExternalAccounts', query), query, (row) =>
      presentExternalAccount(tx, row),
    ),
});

const createPlatformExternalAccount = operation('createPlatformExternalAccount', {
  route: 'POST /platform/external-accounts',
  area: AREA,
  summary: 'Add an external account for the platform itself',
  description: CREATE_ABOUT,
  access: 'manage',
  body: PlatformExternalAccountCreateRequest,
  checksBody: true,
  status: 201,
  reply: ExternalAccount,
  codes: CREATE_CODES,
  examples: {
    'The platform’s own wallet': { body: PLATFORM_WALLET_REQUEST, reply: PLATFORM_WALLET },
    'A Spark wallet, for coins': { body: COIN_WALLET_REQUEST, reply: COIN_WALLET },
  },
  async write(tx, { body, problems }) {
    return presentExternalAccount(tx, await createExternalAccount(tx, undefined, body, problems));
  },
});

/** The platform's paths see only its own accounts; the customers' paths see all (accounts.md §3.1.3). */
const PATHS = {
  customers: {
    scope: 'ALL',
    shown: { title: 'A bank account', account: JEAN },
    wallet: ADA_WALLET,
    of: 'an external account',
    ids: {
      get: 'getCustomerExternalAccountById',
      delete: 'deleteCustomerExternalAccountById',
      challenge: 'createExternalAccountOwnershipChallenge',
      verify: 'verifyExternalAccountOwnership',
    },
  },
  platform: {
    scope: 'PLATFORM',
    shown: { title: 'A wallet', account: PLATFORM_WALLET },
    wallet: PLATFORM_WALLET,
    of: 'an external account of the platform',
    ids: {
      get: 'getPlatformExternalAccountById',
      delete: 'deletePlatformExternalAccountById',
      challenge: 'createPlatformExternalAccountOwnershipChallenge',
      verify: 'verifyPlatformExternalAccountOwnership',
    },
  },
} as const satisfies Record<string, PathTerms>;

interface PathTerms {
  readonly scope: Scope;
  readonly of: string;
  readonly ids: Readonly<Record<string, string>>;
  /** The account that the examples read, and the wallet that they prove. */
  readonly shown: { readonly title: string; readonly account: ExternalAccount };
  readonly wallet: ExternalAccount;
}

interface Parts {
  /** The service's name in its messages. */
  readonly serviceName: string;
}

/** The four operations on one account, under either path. */
function accountOperations(path: keyof typeof PATHS, parts: Parts) {
  const { scope, of, ids, shown, wallet } = PATHS[path];
  const at = `/${path}/external-accounts/:externalAccountId` as const;
  return [
    operation(ids.get, {
      route: `GET ${at}`,
      area: AREA,
      summary: `Read ${of}`,
      description: 'The current state of the account; a deleted one is not found.',
      access: 'view',
      params: EXTERNAL_ACCOUNT_PARAM,
      reply: ExternalAccount,
      codes: [],
      examples: { [shown.title]: { params: { externalAccountId: shown.account.id }, reply: shown.account } },
      read: (tx, { params }) => readAccount(tx, params.externalAccountId, scope),
    }),
    operation(ids.delete, {
      route: `DELETE ${at}`,
      area: AREA,
      summary: `Delete ${of}`,
      description: 'Existing payments still finish. A trusted account must be untrusted first.',
      access: 'manage',
      params: EXTERNAL_ACCOUNT_PARAM,
      codes: ['BENEFICIARY_TRUSTED'],
      examples: { 'A wallet': { params: { externalAccountId: wallet.id } } },
      write: (tx, { params }) => deleteExternalAccount(tx, params.externalAccountId, scope),
    }),
    challengeOperation(path, parts),
    verifyOperation(path),
  ];
}

function challengeOperation(path: keyof typeof PATHS, parts: Parts) {
  const { scope, of, ids, wallet } = PATHS[path];
  return operation(ids.challenge, {
    route: `POST /${path}/external-accounts/:externalAccountId/challenge`,
    area: AREA,
    summary: `Create an ownership challenge for the wallet of ${of}`,
    description: 'A new challenge replaces an open one, whatever its method.',
    access: 'manage',
    params: EXTERNAL_ACCOUNT_PARAM,
    body: OwnershipChallengeRequest,
    status: 201,
    reply: OwnershipChallenge,
    codes: ['CONFLICT', 'NOT_IMPLEMENTED'],
    examples: {
      'By a signature': {
        params: { externalAccountId: wallet.id },
        body: { method: 'WALLET_SIGNATURE' },
        reply: signatureChallenge(wallet.id),
      },
    },
    handle: (work, { params, body }) =>
      startChallenge(work, {
        accountId: params.externalAccountId,
        scope,
        method: body.method,
        serviceName: parts.serviceName,
      }),
  });
}

function verifyOperation(path: keyof typeof PATHS) {
  const { scope, of, ids, wallet } = PATHS[path];
  return operation(ids.verify, {
    route: `POST /${path}/external-accounts/:externalAccountId/verify`,
    area: AREA,
    summary: `Prove ownership of the wallet of ${of} with a signature`,
    description:
      'A signature that is wrong or too late uses up the challenge and makes the account `UNVERIFIED`. Then create a ' +
      'new challenge and sign that.',
    access: 'manage',
    params: EXTERNAL_ACCOUNT_PARAM,
    body: OwnershipVerifyRequest,
    checksBody: true,
    reply: ExternalAccount,
    codes: ['CONFLICT'],
    examples: {
      'A valid signature': {
        params: { externalAccountId: wallet.id },
        body: { signature: EXAMPLE_SIGNATURE },
        reply: { ...wallet, status: 'ACTIVE' },
      },
    },
    async write(tx, { params, body, problems }) {
      const row = await verifyChallenge(tx, params.externalAccountId, scope, body, problems);
      return row instanceof Refusal ? row : presentExternalAccount(tx, row);
    },
  });
}

async function readAccount(tx: ReadTx, id: ExternalAccountId, scope: Scope) {
  const row = await findExternalAccount(tx, id, scope);
  if (!row) throw externalAccountNotFound();
  return presentExternalAccount(tx, row);
}

export function externalAccountOperations(parts: Parts) {
  return [
    listCustomerExternalAccounts,
    createCustomerExternalAccount,
    ...accountOperations('customers', parts),
    listPlatformExternalAccounts,
    createPlatformExternalAccount,
    ...accountOperations('platform', parts),
  ];
}
