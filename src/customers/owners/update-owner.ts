import { refusalFor, withoutBadFields } from '#customers/check-request.ts';
import type { CheckedBody } from '#customers/create-customer.ts';
import { ownerValues } from '#customers/owners/create-owner.ts';
import { openPersonalInfo, presentOwner } from '#customers/owners/present.ts';
import { mergePersonalInfo, ownerProblems } from '#customers/owners/rules.ts';
import {
  type BeneficialOwner,
  BeneficialOwnerUpdateRequest,
  type PersonalInfo,
} from '#customers/owners/schemas.ts';
import { lockOwner, storeOwner } from '#customers/owners/store.ts';
import type { Tx } from '#database/tx.ts';
import { notFound } from '#lib/refusals.ts';

/** PATCH /beneficial-owners/{id}: merges, and never touches the status (customers.md §4.6.13). */
export async function updateOwner(
  tx: Tx,
  id: string,
  { body, problems }: CheckedBody<BeneficialOwnerUpdateRequest>,
): Promise<BeneficialOwner> {
  const kept = withoutBadFields(body, problems);
  const changes = kept.personalInfo ?? {};
  const row = await lockOwner(tx, id);
  // Judged once, on the merged record. Of an owner who is not there, what is wrong by itself still comes first
  // (platform.md §1.1.5).
  const person = mergePersonalInfo(row ? openPersonalInfo(tx.vault, row) : {}, changes);
  const refusal = refusalFor(BeneficialOwnerUpdateRequest, problems, ownerProblems(person, tx.now));
  if (refusal) throw refusal;
  if (!row) throw notFound('NOT_FOUND', 'BeneficialOwner');
  const { roles = row.roles, ownershipPercentage = row.ownership_percentage } = kept;
  const values = ownerValues(tx.vault, id, { roles, ownershipPercentage }, person as PersonalInfo);
  return presentOwner(tx.vault, await storeOwner(tx, id, values));
}
