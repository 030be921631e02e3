import {
  ADA,
  ADA_APPROVED,
  ADA_NEW_EMAIL,
  ADA_REQUEST,
  EMMY,
  EMMY_APPROVED,
  EMMY_REQUEST,
  EMMY_UPDATE,
  EMMY_UPDATED,
  ENGINES,
  ENGINES_REQUEST,
} from '#capabilities/customers/examples.ts';
import { createCustomer } from '#capabilities/customers/lifecycle/create-customer.ts';
import { deleteCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { type OperatorSearch, searchCustomers } from '#capabilities/customers/lifecycle/list-store.ts';
import { prepareUpdate } from '#capabilities/customers/lifecycle/update-customer.ts';
import { presentCustomer, presentCustomers } from '#capabilities/customers/profile/present.ts';
import {
  CustomerCreateRequest,
  CustomerPage,
  CustomerQuery,
  CustomerReply,
  CustomerUpdateRequest,
  EndUserTerms,
} from '#capabilities/customers/schemas.ts';
import { openCustomers, type StoredCustomer } from '#capabilities/customers/sealed-customer.ts';
import { customerNotFound, findCustomer } from '#capabilities/customers/store.ts';
import type { CustomerPolicy } from '#capabilities/customers/terms/policy.ts';
import { currentTerms, termsPath } from '#capabilities/customers/terms/terms.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { type IdParam, operation } from '#foundation/http/declare/operation.ts';
import {
  keysetPage,
  type Page,
  type PageRequest,
  pageRequest,
  requireOrderedBounds,
} from '#foundation/http/paging.ts';
import { SignedRequestChallenge } from '#foundation/http/signed/signed-retry.ts';
import { EXAMPLE_IDS, exampleList } from '#foundation/lib/examples.ts';

const AREA = 'Customers';

export const CUSTOMER_PARAM: { customerId: IdParam<'Customer'> } = {
  customerId: { id: 'Customer', missing: 'CUSTOMER_NOT_FOUND' },
};

/** In contract order. Paths with fixed words come before `/customers/{customerId}` (customers.md §1.2). */
export function customerOperations(policy: CustomerPolicy) {
  return [create(policy), list, terms(policy), get, update(policy), remove];
}

function create(policy: CustomerPolicy) {
  return operation('createCustomer', {
    route: 'POST /customers',
    area: AREA,
    summary: 'Create a customer',
    description:
      'Creates an individual or a business customer and opens one internal account for each of its currencies. ' +
      '`platformCustomerId` prevents duplicates: a second create with the same value is refused.',
    access: 'manage',
    checksBody: true,
    body: CustomerCreateRequest,
    status: 201,
    reply: CustomerReply,
    codes: [
      'INVALID_UMA_ADDRESS',
      'END_USER_TERMS_VERSION_NOT_FOUND',
      'MISSING_MANDATORY_USER_INFO',
      'METHOD_NOT_ALLOWED',
      'CONFLICT',
      'UMA_ADDRESS_EXISTS',
      'NOT_IMPLEMENTED',
    ],
    examples: {
      'A person': { body: ADA_REQUEST, reply: ADA },
      'A business': { body: ENGINES_REQUEST, reply: ENGINES },
      'A person whose contacts must be verified': { body: EMMY_REQUEST, reply: EMMY },
    },
    write: (tx, { body, problems }) => createCustomer(tx, { body, problems }, policy),
  });
}

const list = operation('listCustomers', {
  route: 'GET /customers',
  area: AREA,
  summary: 'List customers',
  description: 'Newest first. Filters combine; deleted customers are omitted unless requested.',
  access: 'view',
  query: CustomerQuery,
  reply: CustomerPage,
  codes: ['METHOD_NOT_ALLOWED'],
  examples: { 'Customers of one region': { query: { region: 'DE' }, reply: exampleList(EMMY_UPDATED) } },
  read: (tx, { query }) => listCustomers(tx, query),
});

function terms(policy: CustomerPolicy) {
  return operation('getEndUserTerms', {
    route: 'GET /customers/end-user-terms',
    area: AREA,
    summary: 'Get the end-user terms in force',
    description: 'Show them to your users and send their consent with the customer as `endUserTermsConsent`.',
    access: 'view',
    reply: EndUserTerms,
    codes: [],
    examples: { 'The terms in force': { reply: { version: 'V1', url: 'http://127.0.0.1:8080/terms/V1' } } },
    async read() {
      const { version } = currentTerms(policy.terms);
      return { version, url: `${policy.publicUrl()}${termsPath(version)}` };
    },
  });
}

const get = operation('getCustomerById', {
  route: 'GET /customers/:customerId',
  area: AREA,
  summary: 'Get a customer',
  description: 'A deleted customer is returned as well, with `isDeleted`.',
  access: 'view',
  params: CUSTOMER_PARAM,
  reply: CustomerReply,
  codes: [],
  examples: { 'A verified person': { params: { customerId: EXAMPLE_IDS.ada }, reply: ADA_APPROVED } },
  async read(tx, { params }) {
    const customer = await findCustomer(tx, params.customerId);
    return customer ? presentCustomer(tx, customer) : customerNotFound();
  },
});

function update(policy: CustomerPolicy) {
  return operation('updateCustomerById', {
    route: 'PATCH /customers/:customerId',
    area: AREA,
    summary: 'Update a customer',
    description:
      'Omitted fields keep their values. `address` and lists are replaced entirely, `businessInfo` merges ' +
      'key by key, `null` clears an optional field. E-mail address and phone number change one at a time; if wallet ' +
      'credentials depend on the one that changes, the answer is 202 with a challenge to sign.',
    access: 'manage',
    checksBody: true,
    signed: {},
    params: CUSTOMER_PARAM,
    body: CustomerUpdateRequest,
    reply: CustomerReply,
    otherReplies: { 202: SignedRequestChallenge },
    codes: [
      'INVALID_UMA_ADDRESS',
      'END_USER_TERMS_VERSION_NOT_FOUND',
      'MISSING_MANDATORY_USER_INFO',
      'WALLET_NOT_PROVISIONED',
      'CONFLICT',
      'UMA_ADDRESS_EXISTS',
      'EMAIL_OTP_EMAIL_ALREADY_EXISTS',
      'SMS_OTP_PHONE_NUMBER_ALREADY_EXISTS',
      'EMAIL_OTP_CREDENTIAL_SET_CHANGED',
      'SMS_OTP_CREDENTIAL_SET_CHANGED',
      'EMAIL_OTP_CREDENTIAL_SYNC_FAILED',
      'SMS_OTP_CREDENTIAL_SYNC_FAILED',
    ],
    examples: {
      'Additional details': {
        params: { customerId: EXAMPLE_IDS.emmy },
        body: EMMY_UPDATE,
        reply: EMMY_UPDATED,
      },
      'The e-mail address for wallet codes': ADA_NEW_EMAIL,
    },
    prepare: (tx, { params, body, problems }) =>
      prepareUpdate(tx, params.customerId, { body, problems }, policy),
  });
}

const remove = operation('deleteCustomerById', {
  route: 'DELETE /customers/:customerId',
  area: AREA,
  summary: 'Delete a customer',
  description:
    'Refused while the customer has a balance, an unfinished payment or an open card. A deleted customer ' +
    'can still be read; its `platformCustomerId` and UMA address are free again.',
  access: 'manage',
  params: CUSTOMER_PARAM,
  reply: CustomerReply,
  codes: ['CONFLICT', 'CUSTOMER_DELETED'],
  examples: {
    'A person': { params: { customerId: EXAMPLE_IDS.emmy }, reply: { ...EMMY_APPROVED, isDeleted: true } },
  },
  write: (tx, { params }) => deleteCustomer(tx, params.customerId),
});

/** GET /customers (customers.md §2.2.19): newest first, filters ANDed, bounds inclusive. */
export async function listCustomers(
  tx: ReadTx,
  query: CustomerQuery,
  byOperator?: OperatorSearch & { readonly request: PageRequest },
): Promise<Page<CustomerReply>> {
  requireOrderedBounds(query, [
    ['createdAfter', 'createdBefore'],
    ['updatedAfter', 'updatedBefore'],
  ]);
  const request = byOperator?.request ?? pageRequest('listCustomers', query);
  const search = await searchCustomers(tx, query, byOperator);
  const found = await keysetPage<StoredCustomer, StoredCustomer>(tx, request, search, (row) => row);
  return { ...found, data: await presentCustomers(tx, await openCustomers(tx, found.data)) };
}
