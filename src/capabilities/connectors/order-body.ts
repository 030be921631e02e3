import type { Wanted } from '#capabilities/connectors/choose-route.ts';
import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { openProfile, type Profile } from '#capabilities/customers/profile/profile.ts';
import { findCustomer } from '#capabilities/customers/store.ts';
import { NEEDS, type Need, type RailCapability } from '#foundation/connector-protocol/capabilities.ts';
import { REMITTANCE_MAX } from '#foundation/connector-protocol/orders.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { accountCountries } from '#foundation/lib/rails-by-currency.ts';
import type { Payout, RailAccount } from '#foundation/ports/payments.ts';

/** A payout, with everything that an order may say about it. It is written as an order for one route. */
export interface DescribedPayout {
  readonly wanted: Omit<Wanted, 'excluded'>;
  write(capability: RailCapability, settlementAccount: string): string;
}

/** Reads the parties of a payout. Undefined if no connector can pay it: it stays in our books, or its receiver is unknown. */
export async function describePayout(tx: ReadTx, payout: Payout): Promise<DescribedPayout | undefined> {
  const { to, amount, currency, platformId } = payout;
  const rail = payout.rail ?? payout.network;
  if (to.kind !== 'EXTERNAL' || rail === undefined || to.account.identifier === '') return undefined;
  const originator = await readOriginator(tx, payout);
  const beneficiary = readBeneficiary(to.account);
  if (originator === undefined || beneficiary === undefined) return undefined;
  const asked: Partial<Record<Need, unknown>> = { ...originator.asked, ...beneficiary.asked };
  const onFile = new Set(NEEDS.filter((need) => asked[need] !== undefined));
  return {
    wanted: { kind: 'PAYOUT', rail, currency, amount, platformId, onFile, country: countryOf(to.account) },
    write: ({ needs = [] }, settlementAccount) =>
      JSON.stringify({
        kind: 'PAYOUT',
        ...{ amount: amount.toString(), currency, rail, settlementAccount },
        platform: publicId('Platform', platformId),
        requestedAt: payout.requestedAt.toISOString(),
        originator: { ...originator.always, ...pick(asked, needs, 'originator.') },
        beneficiary: { ...beneficiary.always, ...pick(asked, needs, 'beneficiary.') },
        purpose: payout.purpose,
        remittance: payout.remittanceInformation?.slice(0, REMITTANCE_MAX),
      }),
  };
}

interface Party {
  readonly always: Readonly<Record<string, unknown>>;
  /** Only what a rail asks for. */
  readonly asked: Partial<Record<Need, unknown>>;
}

/** The facts of one party that the rail asks for, without the party's name. */
function pick(
  asked: Partial<Record<Need, unknown>>,
  needs: readonly string[],
  of: 'originator.' | 'beneficiary.',
): Record<string, unknown> {
  const named = NEEDS.filter((need) => need.startsWith(of) && needs.includes(need));
  return Object.fromEntries(named.map((need) => [need.slice(of.length), asked[need]]));
}

async function readOriginator(tx: ReadTx, { originator }: Payout): Promise<Party | undefined> {
  const { customerId, accountId } = originator;
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

function readBeneficiary({ accountType, fields }: RailAccount): Party | undefined {
  const { beneficiary, ...others } = fields as {
    beneficiary?: { fullName?: string; legalName?: string; birthDate?: string; address?: unknown };
  };
  const name = beneficiary?.fullName ?? beneficiary?.legalName;
  return {
    always: { ...(name !== undefined && { name }), accountType, fields: others },
    asked: {
      'beneficiary.address': beneficiary?.address,
      'beneficiary.birthDate': beneficiary?.birthDate,
    },
  };
}

const IBAN_COUNTRY = 2;

/** The country of an external account, as far as its own fields name it. */
function countryOf({ accountType, fields }: RailAccount): string | undefined {
  const { country, iban } = fields as { country?: string; iban?: string };
  if (country !== undefined) return country;
  if (iban !== undefined) return iban.slice(0, IBAN_COUNTRY);
  const countries = accountCountries(accountType);
  return countries.length === 1 ? countries[0] : undefined;
}
