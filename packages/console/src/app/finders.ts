import { isSandbox } from '../api/clock.ts';
import { corridor } from '../api/session.ts';
import { setPersonalFilter } from '../ui/filters.tsx';
import { placeOf, shortId } from '../ui/id.tsx';
import { ROUTES } from './routes.ts';

export interface Found {
  readonly title: string;
  readonly hint: string;
  readonly url: string;
  /** Runs before the page opens. */
  readonly prepare?: () => void;
}

export function findScreens(text: string): Found[] {
  const wanted = text.toLowerCase();
  return ROUTES.filter(({ name, isSandboxOnly }) => name !== undefined && (!isSandboxOnly || isSandbox()))
    .filter(({ name = '', words = '' }) => `${name} ${words}`.toLowerCase().includes(wanted))
    .map(({ name = '', path, key }) => ({
      title: name,
      url: path,
      hint: key === undefined ? '' : `g ${key}`,
    }));
}

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
