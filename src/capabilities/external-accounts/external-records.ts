import Type from 'typebox';
import { listByOperator } from '#capabilities/external-accounts/operator-store.ts';
import { presentExternalAccount } from '#capabilities/external-accounts/present.ts';
import { ACCOUNT_STATUSES } from '#capabilities/external-accounts/schemas.ts';
import {
  type ExternalAccountRow,
  externalAccountNotFound,
  findExternalAccount,
} from '#capabilities/external-accounts/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { shown } from '#foundation/records/fields.ts';
import { filterBy } from '#foundation/records/filters.ts';
import { COUNTERPARTIES_DISCLOSED_TO, recordList, recordShow } from '#foundation/records/record-list.ts';

const AREA = 'Accounts';

export const EXTERNAL_ACCOUNT_LIST = recordList({
  name: 'external-accounts',
  area: AREA,
  summary: 'External accounts',
  filters: {
    customer: filterBy.customer,
    currency: filterBy.currency,
    status: filterBy.status(ACCOUNT_STATUSES),
    own: filterBy.flag('Only accounts of the platforms themselves.'),
  },
  item: Type.Object({
    account: shown.id('ExternalAccount', 'The account.'),
    customer: shown.id('Customer', 'Its owner. Null: the platform itself.'),
    type: shown.code('Its type.'),
    currency: shown.code('Its currency.'),
    status: shown.code('Its status.', ACCOUNT_STATUSES),
    nameCheck: shown.code('The result of the name check.'),
    usValidation: shown.code('Whether a US bank account exists.'),
    createdAt: shown.time('When it was added.'),
  }),
  page: (tx, request, { customer, currency, status, own: isOwn = false }) =>
    listByOperator(tx, request, { customerId: customer, currency, status, isOwn }, presentListed),
});

function presentListed(row: ExternalAccountRow) {
  return {
    account: publicId('ExternalAccount', row.id),
    customer: row.customer_id && publicId('Customer', row.customer_id),
    ...{ type: row.account_type, currency: row.currency, status: row.status },
    ...{ nameCheck: row.name_check, usValidation: row.us_validation },
    createdAt: row.created_at,
  };
}

export const EXTERNAL_ACCOUNT_SHOW = recordShow({
  name: 'external-accounts',
  area: AREA,
  summary: 'An external account',
  type: 'ExternalAccount',
  disclosedTo: COUNTERPARTIES_DISCLOSED_TO,
  load: presentForOperator,
});

/** As the platform sees it, with what only operators see. */
export async function presentForOperator(tx: ReadTx, accountId: ExternalAccountId) {
  const row = await findExternalAccount(tx, accountId);
  if (!row) throw externalAccountNotFound();
  const { us_validation: usValidation, trusted } = row;
  return { ...presentExternalAccount(tx, row), usValidation: usValidation ?? undefined, trusted };
}
