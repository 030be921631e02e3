import type { Customer, ExternalAccount } from '@corridor/client';
import { type Read, useQuery } from './query.ts';
import { corridor } from './session.ts';

const READ_MAX = 100;

/** The keys of what is read here, by which the palette finds it again. */
export const CUSTOMERS_READ = ['listCustomers', 'names'];
export const RECEIVERS_READ = ['listCustomerExternalAccounts', 'names'];

/** The name of a person or a business; undefined if nobody has given one. */
export function nameOf(customer: Customer): string | undefined {
  return customer.customerType === 'INDIVIDUAL' ? customer.fullName : customer.businessInfo?.legalName;
}

/** The newest customers, for names in lists and for choices. Older ones are shown by their ids. */
export function useCustomers(): Read<readonly Customer[]> {
  return useQuery(CUSTOMERS_READ, async () => (await corridor.listCustomers({ limit: READ_MAX })).data);
}

/** The names of the newest customers, by their ids. */
export function useNames(): ReadonlyMap<string, string> {
  const { data = [] } = useCustomers();
  return new Map(
    data.flatMap((customer) => {
      const name = nameOf(customer) ?? customer.platformCustomerId;
      return name === undefined ? [] : [[customer.id, name] as const];
    }),
  );
}

/** How people recognize the newest external accounts, by their ids. */
export function useReceivers(): ReadonlyMap<string, string> {
  const { data = [] } = useQuery(RECEIVERS_READ, async () => {
    const lists = await Promise.all([
      corridor.listPlatformExternalAccounts({ limit: READ_MAX }),
      corridor.listCustomerExternalAccounts({ limit: READ_MAX }),
    ]);
    return lists.flatMap((list) => list.data);
  });
  return new Map(
    data.flatMap((account) => {
      const name = receiverOf(account);
      return name === undefined ? [] : [[account.id, name] as const];
    }),
  );
}

const IDENTIFIERS = [
  'iban',
  'accountNumber',
  'clabeNumber',
  'pixKey',
  'vpa',
  'phoneNumber',
  'address',
  'invoice',
];

/** The name of the beneficiary, if the account has one. */
export function beneficiaryOf({ accountInfo }: Pick<ExternalAccount, 'accountInfo'>): string | undefined {
  const { beneficiary } = accountInfo as { beneficiary?: { fullName?: string; legalName?: string } };
  return beneficiary?.fullName ?? beneficiary?.legalName;
}

/** `…013000`: the end of the number, key or address by which the account is known. */
export function endOf({ accountInfo }: Pick<ExternalAccount, 'accountInfo'>): string | undefined {
  const info = accountInfo as unknown as Readonly<Record<string, unknown>>;
  const known = IDENTIFIERS.map((field) => info[field]).find((value) => typeof value === 'string');
  return typeof known === 'string' ? `…${known.slice(-6)}` : undefined;
}

/** `Jean Dupont …013000`: how people recognize an external account. */
export function receiverOf(account: Pick<ExternalAccount, 'accountInfo'>): string | undefined {
  return [beneficiaryOf(account), endOf(account)].filter(Boolean).join(' ') || undefined;
}
