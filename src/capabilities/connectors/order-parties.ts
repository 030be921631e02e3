import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { openProfile, type Profile } from '#capabilities/customers/profile/profile.ts';
import { findCustomer } from '#capabilities/customers/store.ts';
import { NEEDS, type Need } from '#foundation/connector-protocol/capabilities.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { accountCountries } from '#foundation/lib/rails-by-currency.ts';
import type { Principal, RailAccount } from '#foundation/ports/payments.ts';

/** The parties of an order, with no other personal data than connectors.md §4.4 and §4.5 allow. */

export interface Party {
  readonly always: Readonly<Record<string, unknown>>;
  /** Only what a rail asks for. */
  readonly asked: Partial<Record<Need, unknown>>;
}

/** The facts of one party that the rail asks for, without the party's name. */
export function pickAsked(
  asked: Partial<Record<Need, unknown>>,
  needs: readonly string[],
  of: 'originator.' | 'beneficiary.',
): Record<string, unknown> {
  const named = NEEDS.filter((need) => need.startsWith(of) && needs.includes(need));
  return Object.fromEntries(named.map((need) => [need.slice(of.length), asked[need]]));
}

/** The party in whose name money moves: the originator of a payout, the creditor of a collection. */
export async function readPrincipal(
  tx: ReadTx,
  { customerId, accountId }: Principal,
): Promise<Party | undefined> {
  const account = accountId === null ? {} : { accountId: publicId('InternalAccount', accountId) };
  if (customerId === null)
    return { always: { type: 'PLATFORM', name: tx.platform.name, ...account }, asked: {} };
  const row = await findCustomer(tx, customerId);
  if (!row || row.erased_at !== null) return undefined;
  const profile = openProfile(tx.vault, row);
  const name = nameOf(profile);
  if (name === undefined) return undefined;
  const isPerson = profile.customerType === 'INDIVIDUAL';
  return {
    always: {
      type: isPerson ? 'PERSON' : 'BUSINESS',
      name,
      country: countryOfCustomer(row, profile),
      ...account,
    },
    asked: {
      'originator.address': profile.address,
      'originator.birthDate': profile.person.birthDate,
      'originator.nationalId': isPerson ? profile.person.identifier : profile.business.taxId,
    },
  };
}

function nameOf({ customerType, person, business }: Profile): string | undefined {
  return customerType === 'INDIVIDUAL' ? person.fullName : business.legalName;
}

function countryOfCustomer({ region }: CustomerRow, { address }: Profile): string {
  return address?.country ?? region;
}

/** The holder of the account outside: the beneficiary of a payout or a refund, the debtor of a collection. */
export function readHolder({ accountType, fields }: RailAccount): Party {
  const { beneficiary, ...others } = fields as {
    beneficiary?: { fullName?: string; legalName?: string; birthDate?: string; address?: unknown };
  };
  const name = beneficiary?.fullName ?? beneficiary?.legalName;
  const type = beneficiary?.legalName === undefined ? 'PERSON' : 'BUSINESS';
  return {
    always: { ...(name !== undefined && { type, name }), accountType, fields: others },
    asked: {
      'beneficiary.address': beneficiary?.address,
      'beneficiary.birthDate': beneficiary?.birthDate,
    },
  };
}

const IBAN_COUNTRY = 2;

/** The country of an external account, as far as its own fields name it. */
export function countryOf({ accountType, fields }: RailAccount): string | undefined {
  const { country, iban } = fields as { country?: string; iban?: string };
  if (country !== undefined) return country;
  if (iban !== undefined) return iban.slice(0, IBAN_COUNTRY);
  const countries = accountCountries(accountType);
  return countries.length === 1 ? countries[0] : undefined;
}
