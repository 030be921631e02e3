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

const SHOWN_MAX = 5;

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

/** Asks the API for what the text may mean. A finder that fails finds nothing. */
export async function findAll(text: string): Promise<readonly Found[]> {
  if (text === '') return [];
  const place = placeOf(text);
  if (place !== undefined)
    return [{ title: shortId(text), hint: text.slice(0, text.indexOf(':')), url: place }];
  const finders = [findUuid, findPerson, findReference, findPlatformCustomer, findAmount];
  const found = await Promise.all(finders.map((find) => Promise.resolve(find(text)).catch(() => [])));
  return found.flat();
}

/** A bare id, as logs and databases have it, may be of any kind. */
function findUuid(text: string): Found[] {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return [];
  const kinds = ['Transaction', 'Customer', 'InternalAccount', 'Quote', 'Card', 'Webhook', 'RequestLog'];
  return kinds.flatMap((kind) => {
    const url = placeOf(`${kind}:${text.toLowerCase()}`);
    return url === undefined ? [] : [{ title: `${kind}:${text}`, hint: 'if it exists', url }];
  });
}

/** A person's e-mail address stays out of the page's address. */
async function findPerson(text: string): Promise<Found[]> {
  if (!text.includes('@')) return [];
  if (text.startsWith('$')) {
    const { data } = await corridor.listCustomers({ umaAddress: text, limit: SHOWN_MAX });
    return data.map(({ id }) => ({ title: text, hint: shortId(id), url: placeOf(id) ?? '' }));
  }
  return [
    {
      title: text,
      hint: 'customers with this e-mail address',
      url: '/console/customers',
      prepare: () => setPersonalFilter('/console/customers', 'email', text),
    },
  ];
}

async function findReference(text: string): Promise<Found[]> {
  if (text.length < 3 || text.includes('@')) return [];
  const { data } = await corridor.listTransactions({ reference: text, limit: SHOWN_MAX });
  return data.flatMap(({ id }) =>
    id ? [{ title: text, hint: `payment ${shortId(id)}`, url: placeOf(id) ?? '' }] : [],
  );
}

async function findPlatformCustomer(text: string): Promise<Found[]> {
  if (text.length < 2 || text.includes('@')) return [];
  const { data } = await corridor.listCustomers({ platformCustomerId: text, limit: SHOWN_MAX });
  return data.map(({ id }) => ({ title: text, hint: `customer ${shortId(id)}`, url: placeOf(id) ?? '' }));
}

function findAmount(text: string): Found[] {
  const [, amount] = /^([\d,]+(?:\.\d{1,8})?)(?:\s*[A-Za-z]{3,4})?$/.exec(text) ?? [];
  if (amount === undefined) return [];
  const search = new URLSearchParams({ amount: amount.replaceAll(',', '') });
  return [{ title: text, hint: 'payments of this amount', url: `/console/payments?${search}` }];
}
