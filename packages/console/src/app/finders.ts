import type { Customer, ExternalAccount } from '@corridor/client';
import { CUSTOMERS_READ, nameOf, RECEIVERS_READ, receiverOf } from '../api/names.ts';
import { queries } from '../api/query.ts';
import { corridor, docsUrl, signOut } from '../api/session.ts';
import { setPersonalFilter } from '../ui/filters.tsx';
import { placeOf, shortId } from '../ui/id.tsx';
import { findTitles, THEME_ACTIONS } from './find-screens.ts';
import type { Found } from './side.ts';

/** What can be done without leaving the page. */
export function findActions(text: string): Found[] {
  return findTitles(ACTIONS, text);
}

const ACTIONS: readonly Found[] = [
  ...THEME_ACTIONS,
  ...[
    ['Docs: guides', '/docs/guides'],
    ['Docs: API reference', '/docs/'],
    ['Docs: sandbox tables', '/docs/sandbox'],
  ].map(([title = '', path = '']) => ({
    title,
    hint: 'In a new tab',
    prepare: () => void open(docsUrl(path), '_blank', 'noopener'),
  })),
  { title: 'Sign out', hint: 'Action', prepare: () => void signOut() },
];

/** Customers and receivers whose names a screen has loaded, by any part of the name or the end of the id. */
export function findNames(text: string): Found[] {
  const wanted = text.toLowerCase().replace(/^.*…/, '');
  if (wanted.length < 2) return [];
  const customers = queries.getQueryData<readonly Customer[]>(CUSTOMERS_READ) ?? [];
  const receivers = queries.getQueryData<readonly ExternalAccount[]>(RECEIVERS_READ) ?? [];
  return [
    ...customers.map((customer) => [customer.id, nameOf(customer)] as const),
    ...receivers.map((account) => [account.id, receiverOf(account)] as const),
  ]
    .filter(([id, name]) => name?.toLowerCase().includes(wanted) || id.endsWith(wanted))
    .slice(0, NAMES_MAX)
    .flatMap(([id, name = shortId(id)]) => {
      const url = placeOf(id);
      return url === undefined ? [] : [{ title: name, hint: shortId(id), url }];
    });
}

const NAMES_MAX = 5;

/** Asks the API, in one call, for what the text may mean. A search that fails finds nothing. */
export async function findAll(text: string): Promise<readonly Found[]> {
  if (text === '') return [];
  const place = placeOf(text);
  if (place !== undefined)
    return [{ title: shortId(text), hint: text.slice(0, text.indexOf(':')), url: place }];
  return [...(await findResources(text).catch(() => [])), ...findPeople(text), ...findAmount(text)];
}

/** Only whole values match: an id without its kind, as logs and databases have it, a name of the platform's own, a reference. */
async function findResources(text: string): Promise<Found[]> {
  const { data } = await corridor.search({ q: text });
  return data.flatMap(({ resourceId, kind, field }) => {
    const url = placeOf(resourceId);
    const what = KINDS[kind] ?? kind;
    return url === undefined
      ? []
      : field === 'id'
        ? [{ title: shortId(resourceId), hint: what, url }]
        : [{ title: text, hint: `${what} …${resourceId.slice(-8)}, by ${FIELDS[field] ?? field}`, url }];
  });
}

const KINDS: Readonly<Record<string, string>> = {
  InternalAccount: 'Account',
  ExternalAccount: 'External account',
  Transaction: 'Payment',
  StablecoinOperation: 'Mint or burn',
  Webhook: 'Event',
  RequestLog: 'Request',
  Job: 'Import',
};

const FIELDS: Readonly<Record<string, string>> = {
  platformCustomerId: 'your id',
  platformCardId: 'your id',
  email: 'e-mail address',
  umaAddress: 'UMA address',
  refundReference: 'the refund’s reference',
};

/** The list of all customers with an e-mail address, which stays out of the page's address. */
function findPeople(text: string): Found[] {
  if (!text.includes('@') || text.startsWith('$')) return [];
  return [
    {
      title: text,
      hint: 'Customers with this e-mail address',
      url: '/console/customers',
      prepare: () => setPersonalFilter('/console/customers', 'email', text),
    },
  ];
}

function findAmount(text: string): Found[] {
  const [, amount] = /^([\d,]+(?:\.\d{1,8})?)(?:\s*[A-Za-z]{3,4})?$/.exec(text) ?? [];
  if (amount === undefined) return [];
  const search = new URLSearchParams({ amount: amount.replaceAll(',', '') });
  return [{ title: text, hint: 'Payments of this amount', url: `/console/payments?${search}` }];
}
