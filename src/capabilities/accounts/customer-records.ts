import Type from 'typebox';
import { presentInternalAccount } from '#capabilities/accounts/present.ts';
import { listCustomerAccounts } from '#capabilities/accounts/store.ts';
import { CUSTOMER_STATUSES } from '#capabilities/customers/field-schemas.ts';
import { findPossibleDuplicates } from '#capabilities/customers/lifecycle/list-store.ts';
import { presentCustomer } from '#capabilities/customers/profile/present.ts';
import { listCustomers } from '#capabilities/customers/routes.ts';
import type { CustomerQuery, CustomerReply } from '#capabilities/customers/schemas.ts';
import { customerNotFound, findCustomer } from '#capabilities/customers/store.ts';
import { presentVerification } from '#capabilities/verification/present.ts';
import { listNewestVerifications } from '#capabilities/verification/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { stringEnum } from '#foundation/http/schema.ts';
import { presentAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { shown } from '#foundation/records/fields.ts';
import { filterBy } from '#foundation/records/filters.ts';
import { recordList, recordShow } from '#foundation/records/record-list.ts';

const TYPES = ['INDIVIDUAL', 'BUSINESS'] as const;
const ACCOUNTS_SHOWN = 100;
const DUPLICATES_SHOWN = 100;

/** Without personal data: a list of all customers does not need their addresses. */
export const CUSTOMER_LIST = recordList({
  name: 'customers',
  area: 'Customers',
  summary: 'Customers',
  hasTimes: true,
  filters: {
    type: filterBy.type(TYPES),
    status: Type.Optional(
      stringEnum(CUSTOMER_STATUSES, { description: 'Only those with this status of their identity check.' }),
    ),
    region: Type.Optional(Type.String({ description: 'Only those of this region.' })),
    currency: Type.Optional(Type.String({ description: 'Only those who hold this currency.' })),
    deleted: filterBy.flag('Whether to include deleted ones.'),
  },
  personal: {
    email: Type.String({ description: 'The e-mail address.' }),
    platformCustomerId: Type.String({ description: 'The platform’s own reference, exactly.' }),
    uma: Type.String({ description: 'The UMA address.' }),
    name: Type.String({
      description: 'Whole words of the name, in any order; letter case and accents do not count.',
    }),
  },
  item: Type.Object({
    customer: shown.id('Customer', 'The customer.'),
    type: shown.code('Whether it is a person or a business.', TYPES),
    platformCustomerId: shown.masked('number', 'The end of the platform’s own reference.'),
    status: shown.code('The status of the identity check.'),
    region: shown.code('The region.'),
    currencies: shown.code('The currencies that the customer holds.'),
    createdAt: shown.time('When it was created.'),
    deleted: shown.flag('Whether it is deleted.'),
  }),
  async page(tx, request, { type, status, uma, name, deleted, createdAfter, createdBefore, ...filters }) {
    const query = withoutUndefined({
      ...filters,
      ...{ customerType: type, umaAddress: uma, isIncludingDeleted: deleted },
      createdAfter: createdAfter?.toISOString(),
      createdBefore: createdBefore?.toISOString(),
    });
    const by = { request, ...(status !== undefined && { status }), ...(name !== undefined && { name }) };
    const found = await listCustomers(tx, query as CustomerQuery, by);
    return { ...found, data: found.data.map(presentListed) };
  },
});

function withoutUndefined(filters: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}

function presentListed(item: CustomerReply) {
  return {
    ...{ customer: item.id, type: item.customerType, platformCustomerId: item.platformCustomerId },
    status:
      ('kycStatus' in item ? item.kycStatus : undefined) ?? ('kybStatus' in item ? item.kybStatus : null),
    ...{ region: item.region, currencies: item.currencies?.join(', '), createdAt: item.createdAt },
    deleted: item.isDeleted,
  };
}

export const CUSTOMER_SHOW = recordShow({
  name: 'customers',
  area: 'Customers',
  summary: 'A customer with its accounts and latest verification',
  type: 'Customer',
  isOfPerson: true,
  load: presentWhole,
});

async function presentWhole(tx: ReadTx, customerId: CustomerId) {
  const row = await findCustomer(tx, customerId);
  if (!row) throw customerNotFound();
  const page = { list: 'operator', filters: {}, limit: ACCOUNTS_SHOWN, cursor: undefined };
  const accounts = await listCustomerAccounts(tx, page, { customerId }, (account) => account);
  const [latest] = await listNewestVerifications(tx, customerId, 1);
  const duplicates = await findPossibleDuplicates(tx, row, DUPLICATES_SHOWN);
  return {
    ...(await presentCustomer(tx, row)),
    accounts: accounts.data.map((account) => {
      const { id, status, type } = presentInternalAccount(tx, account);
      const money = (units: bigint) => presentAmount(units, account.currency, tx.platform.ownCurrencies);
      return { id, type, status, available: money(account.available), total: money(account.total) };
    }),
    latestVerification: latest ? presentVerification(latest) : null,
    possibleDuplicates: duplicates.map(({ customer_id, shares }) => ({
      ...{ customer: publicId('Customer', customer_id), shares: shares.join(', ') },
    })),
  };
}
