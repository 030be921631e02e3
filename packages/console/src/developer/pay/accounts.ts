import type { ExternalAccount, InternalAccount } from '@corridor/client';
import { nameOf, receiverOf } from '../../api/names.ts';
import { type Read, useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { shortId } from '../../ui/id.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { sayName } from '../../ui/text.tsx';

const SHOWN_MAX = 100;

/** Every account that money can leave or reach, with the names of their owners. */
export interface Accounts {
  readonly internal: readonly InternalAccount[];
  readonly external: readonly ExternalAccount[];
  readonly names: ReadonlyMap<string, string>;
  /** There are more than can be listed in a field. */
  readonly isPart: boolean;
}

export function useAccounts(): Read<Accounts> {
  return useQuery(['listInternalAccounts', 'pay'], readAccounts, { live: 'events' });
}

async function readAccounts(): Promise<Accounts> {
  const [own, customers, ownPayees, payees, people] = await Promise.all([
    corridor.listPlatformInternalAccounts(),
    corridor.listInternalAccounts({ limit: SHOWN_MAX }),
    corridor.listPlatformExternalAccounts({ limit: SHOWN_MAX }),
    corridor.listCustomerExternalAccounts({ limit: SHOWN_MAX }),
    corridor.listCustomers({ limit: SHOWN_MAX }),
  ]);
  const internal = new Map([...own.data, ...customers.data].map((account) => [account.id, account]));
  const external = new Map([...ownPayees.data, ...payees.data].map((account) => [account.id, account]));
  const names = people.data.map((one): [string, string] => [one.id, nameOf(one) ?? shortId(one.id)]);
  return {
    ...{ internal: [...internal.values()], external: [...external.values()], names: new Map(names) },
    isPart: [customers, ownPayees, payees].some(({ hasMore }) => hasMore),
  };
}

/** Where the money for a receiver of this owner comes from: an account with money, if there is one. */
export function payerOf({ internal }: Accounts, owner: string | null | undefined): string | undefined {
  const own = internal.filter(
    ({ customerId, status }) => status === 'ACTIVE' && (customerId ?? undefined) === (owner ?? undefined),
  );
  return (own.find(({ balance }) => balance.amount > 0) ?? own[0])?.id;
}

/** `Ada Lovelace, USD account` or `Jean Dupont …013000`; undefined if the account was not read. */
export function sayAccount({ internal, external, names }: Accounts, id: string): string | undefined {
  const own = internal.find((account) => account.id === id);
  if (own) return `${ownerOf(own, names)}, ${own.balance.currency.code} account`;
  const other = external.find((account) => account.id === id);
  return other && receiverOf(other);
}

type Option = readonly [string, string];

/** Accounts with money come first, because people pay from these. */
export function internalOptions({ internal, names }: Accounts): Option[] {
  return internal
    .filter(({ status }) => status === 'ACTIVE')
    .toSorted((a, b) => Number(b.balance.amount > 0) - Number(a.balance.amount > 0))
    .map((account) => {
      const { id, balance, type } = account;
      const wallet = type === 'EMBEDDED_WALLET' ? ' (wallet)' : '';
      return [id, `${formatMoney(balance.amount, balance.currency)}${wallet} · ${ownerOf(account, names)}`];
    });
}

/** External accounts of the payer's owner first. */
export function externalOptions({ external, names }: Accounts, owner: string | undefined): Option[] {
  return external
    .toSorted((a, b) => Number(isOf(b, owner)) - Number(isOf(a, owner)))
    .map((account) => [
      account.id,
      [
        account.currency,
        receiverOf(account) ?? sayName(String(account.accountInfo.accountType)),
        ownerOf(account, names),
      ].join(' · '),
    ]);
}

function isOf({ customerId }: ExternalAccount, owner: string | undefined): boolean {
  return (customerId ?? undefined) === owner;
}

/** An account that is not among those that were read can still be named by its id. */
export function withChosen(options: readonly Option[], chosen: string | undefined): readonly Option[] {
  if (chosen === undefined || options.some(([id]) => id === chosen)) return options;
  return [[chosen, shortId(chosen)], ...options];
}

function ownerOf(account: { customerId?: string | null | undefined }, names: Accounts['names']): string {
  const { customerId } = account;
  return customerId ? (names.get(customerId) ?? shortId(customerId)) : 'Your platform';
}
