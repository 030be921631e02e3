import { fieldsRefusal, withoutInvalidFields } from '#customers/check-request.ts';
import type { CheckedBody } from '#customers/create-customer.ts';
import {
  type BeneficialOwner,
  BeneficialOwnerUpdateRequest,
  type PersonalInfo,
} from '#customers/owner-schemas.ts';
import { lockOwner, updateOwnerRow } from '#customers/owner-store.ts';
import { ownerValues } from '#customers/owners/create-owner.ts';
import { checkOwner, mergePersonalInfo } from '#customers/owners/rules.ts';
import { openPersonalInfo, presentOwner } from '#customers/present-owner.ts';
import type { Tx } from '#database/tx.ts';
import { notFound } from '#lib/refusals.ts';

/** PATCH /beneficial-owners/{id}: merges, and never changes the status (customers.md §4.6.13). */
export async function updateOwner(
  tx: Tx,
  id: string,
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
  const values = ownerValues(tx.vault, id, { roles, ownershipPercentage }, person as PersonalInfo);
  return presentOwner(tx.vault, await updateOwnerRow(tx, id, values));
}
