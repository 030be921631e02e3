import Type from 'typebox';
import { presentInternalAccount } from '#capabilities/accounts/present.ts';
import { ACCOUNT_STATUSES, ACCOUNT_TYPES } from '#capabilities/accounts/schemas.ts';
import { type AccountRow, findAccounts, listCustomerAccounts } from '#capabilities/accounts/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { GuardedAccount } from '#foundation/ledger/kinds.ts';
import { findBalances } from '#foundation/ledger/store.ts';
import { presentAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { notFound } from '#foundation/lib/refusals.ts';
import { shown } from '#foundation/records/fields.ts';
import { filterBy } from '#foundation/records/filters.ts';
import { recordList, recordShow } from '#foundation/records/record-list.ts';

const AREA = 'Accounts';

export const ACCOUNT_LIST = recordList({
  name: 'internal-accounts',
  area: AREA,
  summary: 'Internal accounts of customers, with their balances',
  filters: {
    customer: filterBy.customer,
    currency: filterBy.currency,
    type: filterBy.type(ACCOUNT_TYPES),
    status: filterBy.status(ACCOUNT_STATUSES),
  },
  item: Type.Object({
    account: shown.id('InternalAccount', 'The account.'),
    customer: shown.id('Customer', 'Its owner. Null: the platform itself.'),
    type: shown.code('Its type.', ACCOUNT_TYPES),
    status: shown.code('Its status.', ACCOUNT_STATUSES),
    available: shown.amount('What can be spent.'),
    total: shown.amount('The whole balance, including amounts on hold.'),
    onHold: shown.amount('The part of the balance that is on hold.'),
    createdAt: shown.time('When it was created.'),
  }),
  page: (tx, request, { customer, ...filters }) =>
    listCustomerAccounts(tx, request, { ...filters, customerId: customer }, (row) =>
      presentAccountSummary(tx, row),
    ),
});

export function presentAccountSummary(tx: ReadTx, row: AccountRow) {
  const money = (units: bigint) => presentAmount(units, row.currency, tx.platform.ownCurrencies);
  return {
    account: publicId('InternalAccount', row.id),
    customer: row.customer_id && publicId('Customer', row.customer_id),
    ...{ type: row.type, status: row.status },
    ...{ available: money(row.available), total: money(row.total), onHold: money(row.total - row.available) },
    createdAt: row.created_at,
  };
}

export const ACCOUNT_SHOW = recordShow({
  name: 'internal-accounts',
  area: AREA,
  summary: 'An internal account with the parts of its balance',
  type: 'InternalAccount',
  load: presentWhole,
});

async function presentWhole(tx: ReadTx, accountId: AccountId) {
  const [row] = await findAccounts(tx, [accountId]);
  if (!row) throw notFound('ACCOUNT_NOT_FOUND', 'InternalAccount');
  const states = await findBalances(tx, balanceAccounts(accountId));
  return {
    ...presentInternalAccount(tx, row),
    balances: balanceAccounts(accountId).map((name) => ({
      kind: name.split(':')[0],
      amount: presentAmount(
        states.find(({ account }) => account === name)?.balance ?? 0n,
        row.currency,
        tx.platform.ownCurrencies,
      ),
    })),
  };
}

/** The ledger accounts of an internal account. */
function balanceAccounts(accountId: AccountId): GuardedAccount[] {
  return (['AVAIL', 'HOLD', 'PENDING_IN'] as const).map((part) => `${part}:${accountId}` as const);
}
