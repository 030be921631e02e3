import { estimateWithdrawalFee } from '#capabilities/accounts/estimate-withdrawal-fee.ts';
import {
  ADA_USD,
  ADA_USDB,
  ADA_USDC,
  EMMY_USD,
  EMMY_USD_ON_HOLD,
  FUNDING_ENTRY,
  PLATFORM_USDC,
  WITHDRAWAL,
  WITHDRAWAL_FEES,
} from '#capabilities/accounts/examples.ts';
import {
  InternalAccountEntryListResponse,
  InternalAccountEntryQuery,
  listEntries,
  loadAccount,
} from '#capabilities/accounts/list-entries.ts';
import { presentAccounts, presentInternalAccount } from '#capabilities/accounts/present.ts';
import {
  CustomerAccountsQuery,
  EstimateCryptoWithdrawalFeeRequest,
  EstimateCryptoWithdrawalFeeResponse,
  InternalAccount,
  InternalAccountListResponse,
  PlatformAccountsQuery,
  PlatformInternalAccountListResponse,
} from '#capabilities/accounts/schemas.ts';
import { listCustomerAccounts, listPlatformAccounts } from '#capabilities/accounts/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { pageRequest } from '#foundation/http/paging.ts';
import { EXAMPLE_IDS, exampleList } from '#foundation/lib/examples.ts';

const AREA = 'Internal Accounts';

const listCustomerInternalAccounts = operation('listCustomerInternalAccounts', {
  route: 'GET /customers/internal-accounts',
  area: AREA,
  summary: 'List the customers’ accounts',
  description:
    'Accounts of all customers, newest first, each with its current balances. Every customer has one ' +
    'account per currency from its creation on; no call opens one.',
  access: 'view',
  query: CustomerAccountsQuery,
  reply: InternalAccountListResponse,
  codes: [],
  examples: {
    'The dollars of a customer': {
      query: { customerId: EXAMPLE_IDS.ada, currency: 'USD' },
      reply: exampleList(ADA_USD),
    },
    'Dollars on hold for a payment that waits': {
      query: { customerId: EXAMPLE_IDS.emmy, currency: 'USD' },
      reply: exampleList(EMMY_USD_ON_HOLD),
    },
  },
  read: (tx, { query }) => presentCustomerAccounts(tx, query),
});

/** accounts.md §2.1.10: an alias that some clients call. */
const listInternalAccounts = operation('listInternalAccounts', {
  route: 'GET /internal-accounts',
  area: AREA,
  summary: 'List the customers’ accounts, under a shorter path',
  description: 'The same list, query and cursors as `GET /customers/internal-accounts`.',
  access: 'view',
  query: CustomerAccountsQuery,
  reply: InternalAccountListResponse,
  codes: [],
  examples: {
    'The digital dollars of a customer': {
      query: { customerId: EXAMPLE_IDS.ada, currency: 'USDC' },
      reply: exampleList(ADA_USDC),
    },
    'The dollars of another customer': {
      query: { customerId: EXAMPLE_IDS.emmy, currency: 'USD' },
      reply: exampleList(EMMY_USD),
    },
    'The wallet of a customer': {
      query: { customerId: EXAMPLE_IDS.ada, type: 'EMBEDDED_WALLET' },
      reply: exampleList(ADA_USDB),
    },
  },
  read: (tx, { query }) => presentCustomerAccounts(tx, query),
});

const listPlatformInternalAccounts = operation('listPlatformInternalAccounts', {
  route: 'GET /platform/internal-accounts',
  area: AREA,
  summary: 'List the platform’s own accounts',
  description: 'All accounts, oldest first: one for each currency that was ever configured.',
  access: 'view',
  query: PlatformAccountsQuery,
  reply: PlatformInternalAccountListResponse,
  codes: [],
  examples: {
    'The digital dollars of the platform': { query: { currency: 'USDC' }, reply: { data: [PLATFORM_USDC] } },
  },
  async read(tx, { query }) {
    const rows = await listPlatformAccounts(tx, query);
    return { data: rows.map((row) => presentInternalAccount(tx, row)) };
  },
});

const ACCOUNT = { id: { id: 'InternalAccount', missing: 'ACCOUNT_NOT_FOUND' } } as const;

const getInternalAccountById = operation('getInternalAccountById', {
  route: 'GET /internal-accounts/:id',
  area: AREA,
  summary: 'Read an account',
  description: 'An account of a customer or of the platform, with its current balances.',
  access: 'view',
  isBeyondContract: true,
  params: ACCOUNT,
  reply: InternalAccount,
  codes: [],
  examples: { 'The dollars of another customer': { params: { id: EXAMPLE_IDS.emmyUsd }, reply: EMMY_USD } },
  read: async (tx, { params }) => presentInternalAccount(tx, await loadAccount(tx, params.id)),
});

const listInternalAccountEntries = operation('listInternalAccountEntries', {
  route: 'GET /internal-accounts/:id/entries',
  area: AREA,
  summary: 'List the entries of an account',
  description:
    'Lists every change of the account’s money, newest first, each with the balance after it. A ' +
    'page reads at most 10,000 entries of the platform’s ledger, so it can have fewer rows than `limit`, even none, while ' +
    '`hasMore` is true.',
  access: 'view',
  isBeyondContract: true,
  params: ACCOUNT,
  query: InternalAccountEntryQuery,
  reply: InternalAccountEntryListResponse,
  codes: [],
  examples: {
    'Sandbox money': { params: { id: EXAMPLE_IDS.adaUsd }, reply: { data: [FUNDING_ENTRY], hasMore: false } },
  },
  read: (tx, { params, query }) =>
    listEntries(tx, params.id, pageRequest(`listInternalAccountEntries ${params.id}`, query), query.book),
});

const estimateCryptoWithdrawalFee = operation('estimateCryptoWithdrawalFee', {
  route: 'POST /crypto/estimate-withdrawal-fee',
  area: 'Cross-Currency Transfers',
  summary: 'Estimate the fee of a crypto withdrawal',
  description:
    'Returns the current cost of sending digital money over a network, and the amount that would arrive. ' +
    'Nothing is reserved, and the balance is not checked.',
  access: 'view',
  body: EstimateCryptoWithdrawalFeeRequest,
  reply: EstimateCryptoWithdrawalFeeResponse,
  codes: [
    'ACCOUNT_NOT_FOUND',
    'INVALID_CURRENCY',
    'INVALID_AMOUNT',
    'AMOUNT_OUT_OF_RANGE',
    'NOT_IMPLEMENTED',
  ],
  examples: { 'Over Solana': { body: WITHDRAWAL, reply: WITHDRAWAL_FEES } },
  read: (tx, { body }) => estimateWithdrawalFee(tx, body),
});

export const accountOperations = [
  listCustomerInternalAccounts,
  listInternalAccounts,
  listPlatformInternalAccounts,
  getInternalAccountById,
  listInternalAccountEntries,
  estimateCryptoWithdrawalFee,
];

async function presentCustomerAccounts(tx: ReadTx, query: CustomerAccountsQuery) {
  const request = pageRequest('listCustomerInternalAccounts', query);
  const page = await listCustomerAccounts(tx, request, query, (row) => row);
  return { ...page, data: await presentAccounts(tx, page.data) };
}
