import type { Vault } from '#crypto/vault.ts';
import { refusalFor, withoutBadFields } from '#customers/check-request.ts';
import type { CheckedBody } from '#customers/create-customer.ts';
import { identifierContext, presentOwner } from '#customers/owners/present.ts';
import { mergePersonalInfo, ownerProblems } from '#customers/owners/rules.ts';
import {
  type BeneficialOwner,
  BeneficialOwnerCreateRequest,
  type PersonalInfo,
} from '#customers/owners/schemas.ts';
import { insertOwner, type OwnerValues } from '#customers/owners/store.ts';
import { type CustomerRow, lockLiveCustomer } from '#customers/store.ts';
import type { ReadTx, Tx } from '#database/tx.ts';
import { parseId } from '#lib/ids.ts';
import { invalidFields, notFound } from '#lib/refusals.ts';

/** POST /beneficial-owners, also for the owners named on the hosted page (customers.md §4.6). */
export async function createOwner(
  tx: Tx,
  { body, problems }: CheckedBody<BeneficialOwnerCreateRequest>,
): Promise<BeneficialOwner> {
  const kept = withoutBadFields(body, problems);
  const person = mergePersonalInfo({}, kept.personalInfo ?? {});
  const refusal = refusalFor(BeneficialOwnerCreateRequest, problems, ownerProblems(person, tx.now));
  if (refusal) throw refusal;
  // Locked, so that no submission decides on the business and its owners in between.
  const customer = await lockLiveCustomer(tx, parseId('Customer', body.customerId) ?? '');
  if (!customer) throw notFound('CUSTOMER_NOT_FOUND', 'Customer');
  if (customer.customer_type !== 'BUSINESS') {
    throw invalidFields([{ field: 'customerId', message: 'is an individual; only a business has owners' }]);
  }
  const id = tx.newId();
  const values = ownerValues(tx.vault, id, kept, person as PersonalInfo);
  return presentOwner(
    tx.vault,
    await insertOwner(tx, id, customer.id, statusAtFirst(tx, customer, values), values),
  );
}

/** The business may be decided already (customers.md §4.6.12). */
function statusAtFirst(
  tx: ReadTx,
  { status }: CustomerRow,
  { personal_info }: OwnerValues,
): CustomerRow['status'] {
  const isDecided = status === 'APPROVED' || status === 'REJECTED';
  return isDecided ? tx.ports.identity.ownerAdded(personal_info.lastName) : 'UNVERIFIED';
}

/** As it is stored: the number sealed to the owner's row, the rest open. */
export function ownerValues(
  vault: Vault,
  id: string,
  { roles, ownershipPercentage }: Pick<BeneficialOwner, 'roles' | 'ownershipPercentage'>,
  { identifier, ...person }: PersonalInfo,
): OwnerValues {
  return {
    roles: [...new Set(roles)],
    ownership_percentage: ownershipPercentage,
    personal_info: person,
    identifier: vault.seal(identifier, identifierContext(id)),
  };
}
