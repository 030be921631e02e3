import type { CheckedBody } from '#capabilities/customers/lifecycle/create-customer.ts';
import {
  type BeneficialOwner,
  BeneficialOwnerUpdateRequest,
  type PersonalInfo,
} from '#capabilities/customers/owner-schemas.ts';
import { lockOwner, updateOwnerRow } from '#capabilities/customers/owner-store.ts';
import { ownerValues } from '#capabilities/customers/owners/create-owner.ts';
import { checkOwner, mergePersonalInfo } from '#capabilities/customers/owners/rules.ts';
import { openPersonalInfo, presentOwner } from '#capabilities/customers/present-owner.ts';
import { fieldsRefusal, withoutInvalidFields } from '#capabilities/customers/profile/check-request.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { notFound } from '#foundation/lib/refusals.ts';

/** PATCH /beneficial-owners/{id}: merges, and never changes the status (customers.md §4.6.13). */
export async function updateOwner(
  tx: Tx,
  id: Id<'BeneficialOwner'>,
  { body, problems }: CheckedBody<BeneficialOwnerUpdateRequest>,
): Promise<BeneficialOwner> {
  const valid = withoutInvalidFields(body, problems);
  const changes = valid.personalInfo ?? {};
  const row = await lockOwner(tx, id);
  // Checked once, on the merged record. Even for an unknown owner, invalid fields are reported first (platform.md
  // §1.1.5).
  const person = mergePersonalInfo(row ? openPersonalInfo(tx.vault, row) : {}, changes);
  const refusal = fieldsRefusal(BeneficialOwnerUpdateRequest, problems, checkOwner(person, tx.now));
  if (refusal) throw refusal;
  if (!row) throw notFound('NOT_FOUND', 'BeneficialOwner');
  const { roles = row.roles, ownershipPercentage = row.ownership_percentage } = valid;
  const values = ownerValues(tx.vault, row, { roles, ownershipPercentage }, person as PersonalInfo);
  return presentOwner(tx.vault, await updateOwnerRow(tx, row, values));
}
