import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import type { CheckedBody } from '#capabilities/customers/lifecycle/create-customer.ts';
import {
  type BeneficialOwner,
  BeneficialOwnerCreateRequest,
  type PersonalInfo,
} from '#capabilities/customers/owner-schemas.ts';
import { insertOwner, type OwnerRow, type OwnerValues } from '#capabilities/customers/owner-store.ts';
import { checkOwner, mergePersonalInfo } from '#capabilities/customers/owners/rules.ts';
import { identifierContext, presentOwner } from '#capabilities/customers/present-owner.ts';
import { fieldsRefusal, withoutInvalidFields } from '#capabilities/customers/profile/check-request.ts';
import { lockLiveCustomer } from '#capabilities/customers/store.ts';
import type { PersonVault } from '#foundation/crypto/vault.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { bareId } from '#foundation/lib/ids.ts';
import { invalidFields, notFound } from '#foundation/lib/refusals.ts';

/** POST /beneficial-owners, and the owners of the hosted page (customers.md §4.6). */
export async function createOwner(
  tx: Tx,
  { body, problems }: CheckedBody<BeneficialOwnerCreateRequest>,
): Promise<BeneficialOwner> {
  const valid = withoutInvalidFields(body, problems);
  const person = mergePersonalInfo({}, valid.personalInfo ?? {});
  const refusal = fieldsRefusal(BeneficialOwnerCreateRequest, problems, checkOwner(person, tx.now));
  if (refusal) throw refusal;
  // Locked, so that the business is neither submitted nor decided meanwhile.
  const customer = await lockLiveCustomer(tx, bareId(body.customerId));
  if (!customer) throw notFound('CUSTOMER_NOT_FOUND', 'Customer');
  if (customer.customer_type !== 'BUSINESS') {
    throw invalidFields([{ field: 'customerId', message: 'is an individual; only a business has owners' }]);
  }
  const id = tx.newId('BeneficialOwner');
  const values = ownerValues(tx.vault, { id, customer_id: customer.id }, valid, person as PersonalInfo);
  return presentOwner(
    tx.vault,
    await insertOwner(tx, id, customer.id, initialStatus(tx, customer, values), values),
  );
}

/** The business may already be decided (customers.md §4.6.12). */
function initialStatus(
  tx: ReadTx,
  { status }: CustomerRow,
  { personal_info }: OwnerValues,
): CustomerRow['status'] {
  const isDecided = status === 'APPROVED' || status === 'REJECTED';
  return isDecided ? tx.ports.identity.ownerAdded(personal_info.lastName) : 'UNVERIFIED';
}

/** The row's values; the identification number is sealed for this owner. */
export function ownerValues(
  vault: PersonVault,
  { id, customer_id: customerId }: Pick<OwnerRow, 'id' | 'customer_id'>,
  { roles, ownershipPercentage }: Pick<BeneficialOwner, 'roles' | 'ownershipPercentage'>,
  { identifier, ...person }: PersonalInfo,
): OwnerValues {
  return {
    roles: [...new Set(roles)],
    ownership_percentage: ownershipPercentage,
    personal_info: person,
    identifier: vault.sealFor([customerId], identifier, identifierContext(id)),
  };
}
