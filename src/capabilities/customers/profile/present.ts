import type { CustomerRow, OpenPerson } from '#capabilities/customers/customer-row.ts';
import type { BeneficialOwner } from '#capabilities/customers/owner-schemas.ts';
import { loadOwners } from '#capabilities/customers/present-owner.ts';
import { isUsNumber, openBusiness } from '#capabilities/customers/profile/profile.ts';
import { BUSINESS_NAMES, type CustomerReply, INDIVIDUAL_NAMES } from '#capabilities/customers/schemas.ts';
import { openConsent } from '#capabilities/customers/terms/terms.ts';
import type { Vault } from '#foundation/crypto/vault.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** The customer as GET returns it. The identifier is write-only and stays sealed (customers.md §2.1.5). */
export function presentRow(
  vault: Vault,
  row: CustomerRow,
  owners: readonly BeneficialOwner[],
): CustomerReply {
  return row.customer_type === 'INDIVIDUAL'
    ? {
        customerType: 'INDIVIDUAL',
        ...presentCommon(vault, row),
        kycStatus: row.status,
        ...presentPerson(row),
      }
    : {
        customerType: 'BUSINESS',
        ...presentCommon(vault, row),
        kybStatus: row.status,
        ...presentBusiness(vault, row),
        beneficialOwners: owners.map(withMaskedNumber),
      };
}

/**
 * A customer appears in many places, including events, so only the end of an owner's number is shown
 * (customers.md §4.6.11).
 */
function withMaskedNumber(owner: BeneficialOwner): BeneficialOwner {
  const { identifier } = owner.personalInfo;
  const shown = identifier.slice(-SHOWN_MAX).padStart(identifier.length, '*');
  return { ...owner, personalInfo: { ...owner.personalInfo, identifier: shown } };
}

const SHOWN_MAX = 4;

function presentCommon(vault: Vault, row: CustomerRow) {
  const { email, phone_number: phoneNumber, address } = row;
  const endUserTermsConsent = openConsent(vault, row);
  return {
    id: publicId('Customer', row.id),
    platformCustomerId: row.platform_customer_id,
    umaAddress: row.uma_address,
    region: row.region,
    currencies: row.currencies,
    ...(email !== null && { email }),
    ...(phoneNumber !== null && { phoneNumber }),
    ...(address !== null && { address }),
    ...(endUserTermsConsent && { endUserTermsConsent }),
    ...presentContacts(row),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    isDeleted: row.deleted_at !== null,
  };
}

function presentContacts({ email_verification: email, phone_verification: phone }: CustomerRow) {
  return email === null || phone === null ? {} : { contactVerification: { email, phone } };
}

/**
 * An SSN or ITIN is always issued by the US, so its country is shown even if it was not sent (customers.md §2.1.10).
 */
function presentPerson(row: CustomerRow) {
  const profile = row.profile as OpenPerson;
  return { ...pick(profile, PERSON_SHOWN), ...(isUsNumber(profile.idType) && { countryOfIssuance: 'US' }) };
}

const PERSON_SHOWN = INDIVIDUAL_NAMES.filter((name) => name !== 'identifier');

/** An erased business has no name, which `businessInfo` requires, so it has no `businessInfo`. */
function presentBusiness(vault: Vault, row: CustomerRow) {
  const { legalName, ...known } = pick(openBusiness(vault, row), BUSINESS_NAMES);
  return legalName === undefined ? {} : { businessInfo: { legalName, ...known } };
}

/** Copies the named fields only, in document order. */
function pick<Fields extends object, Name extends keyof Fields>(
  record: Fields,
  names: readonly Name[],
): Pick<Fields, Name> {
  const picked: Partial<Pick<Fields, Name>> = {};
  for (const name of names) if (record[name] !== undefined) picked[name] = record[name];
  return picked as Pick<Fields, Name>;
}

/** A customer as GET returns it, with a business's owners. */
export async function presentCustomer(tx: ReadTx, row: CustomerRow): Promise<CustomerReply> {
  const [reply] = await presentCustomers(tx, [row]);
  return reply as CustomerReply;
}

/** Loads the owners of all these businesses in one statement. */
export async function presentCustomers(tx: ReadTx, rows: readonly CustomerRow[]): Promise<CustomerReply[]> {
  const businesses = rows.filter((row) => row.customer_type === 'BUSINESS').map((row) => row.id);
  const owners = businesses.length > 0 ? await loadOwners(tx, businesses) : new Map();
  return rows.map((row) => presentRow(tx.vault, row, owners.get(row.id) ?? []));
}
