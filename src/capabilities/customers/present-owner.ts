import type { BeneficialOwner, PersonalInfo } from '#capabilities/customers/owner-schemas.ts';
import { findOwners, type OwnerRow } from '#capabilities/customers/owner-store.ts';
import type { Vault } from '#foundation/crypto/vault.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** Loads the owners of each customer in the form of replies, oldest first. */
export async function loadOwners(
  tx: ReadTx,
  customerIds: readonly CustomerId[],
): Promise<Map<string, BeneficialOwner[]>> {
  const owners = new Map<string, BeneficialOwner[]>(customerIds.map((id) => [id, []]));
  for (const row of await findOwners(tx, customerIds)) {
    owners.get(row.customer_id)?.push(presentOwner(tx.vault, row));
  }
  return owners;
}

/** The owner as GET returns it, with the full identification number (customers.md §4.6.11). */
export function presentOwner(vault: Vault, row: OwnerRow): BeneficialOwner {
  return {
    id: publicId('BeneficialOwner', row.id),
    customerId: publicId('Customer', row.customer_id),
    roles: row.roles,
    ownershipPercentage: row.ownership_percentage,
    personalInfo: presentPerson(openPersonalInfo(vault, row)),
    kycStatus: row.status,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function presentPerson(person: PersonalInfo): PersonalInfo {
  const { middleName, email, phoneNumber } = person;
  // An SSN or ITIN is always issued by the US, so its country is shown even if it was not sent.
  const isUsNumber = person.idType === 'SSN' || person.idType === 'ITIN';
  const countryOfIssuance = person.countryOfIssuance ?? (isUsNumber ? 'US' : undefined);
  return {
    firstName: person.firstName,
    ...(middleName !== undefined && { middleName }),
    lastName: person.lastName,
    birthDate: person.birthDate,
    nationality: person.nationality,
    ...(email !== undefined && { email }),
    ...(phoneNumber !== undefined && { phoneNumber }),
    address: person.address,
    idType: person.idType,
    identifier: person.identifier,
    ...(countryOfIssuance !== undefined && { countryOfIssuance }),
  };
}

/** The owner's details with the identification number in clear text. */
export function openPersonalInfo(vault: Vault, row: OwnerRow): PersonalInfo {
  return { ...row.personal_info, identifier: vault.openText(row.identifier, identifierContext(row.id)) };
}

/** The sealed number can be opened for this owner only. */
export function identifierContext(ownerId: Id<'BeneficialOwner'>): string {
  return `beneficial_owners.identifier:${ownerId}`;
}
