import {
  type BeneficialOwner,
  BeneficialOwnerCreateRequest,
  BeneficialOwnerUpdateRequest,
} from '#capabilities/customers/owner-schemas.ts';
import { createOwner } from '#capabilities/customers/owners/create-owner.ts';
import { updateOwner } from '#capabilities/customers/owners/update-owner.ts';
import { loadOwners } from '#capabilities/customers/present-owner.ts';
import { lockLiveCustomer } from '#capabilities/customers/store.ts';
import {
  type Body,
  buildBody,
  fieldErrors,
  saveValidFields,
  schemaProblems,
} from '#capabilities/onboarding/form/body.ts';
import { OWNER } from '#capabilities/onboarding/form/fields-table.ts';
import { type Block, firstValue, PEOPLE_MAX, type Values } from '#capabilities/onboarding/form/values.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import type { Validator } from '#foundation/http/read/validate.ts';
import { bareId } from '#foundation/lib/ids.ts';
import { type FieldError, invalidFields } from '#foundation/lib/refusals.ts';

export interface SavedOwner {
  /** Absent if the owner could not be added. */
  readonly id: BeneficialOwner['id'] | undefined;
  readonly problems: readonly FieldError[];
}

/** Updates an owner that the business already has, else adds one. */
export async function saveOwner(
  work: Work,
  customerId: BeneficialOwner['customerId'],
  known: readonly BeneficialOwner[],
  { values }: Block,
  validate: Validator,
): Promise<SavedOwner> {
  const same = known.find((owner) => isSamePerson(owner, values));
  return same ? change(work, same.id, values, validate) : add(work, customerId, values, validate);
}

/** True if the empty block for one more person was left blank. */
export function isBlankBlock({ values, documents }: Block): boolean {
  const isFilled = [...values].some(([name]) => name !== 'id' && firstValue(values, name) !== '');
  return !isFilled && firstValue(values, 'id') === '' && documents.every(({ file }) => file === undefined);
}

/** Matches by id, else by name and date of birth, so that a form that is sent twice adds no person twice. */
function isSamePerson({ id, personalInfo }: BeneficialOwner, values: Values): boolean {
  if (firstValue(values, 'id') !== '') return firstValue(values, 'id') === id;
  return (['firstName', 'lastName', 'birthDate'] as const).every(
    (name) => personalInfo[name] === firstValue(values, `personalInfo.${name}`),
  );
}

async function change(
  work: Work,
  id: BeneficialOwner['id'],
  values: Values,
  validate: Validator,
): Promise<SavedOwner> {
  const { body, problems } = buildBody(OWNER, values, 'change');
  const refused = await saveValidFields(body, (rest) => {
    const found = schemaProblems(validate, BeneficialOwnerUpdateRequest, rest);
    const uuid = bareId(id);
    return work.write((tx) => updateOwner(tx, uuid, { body: rest, problems: found }));
  });
  return { id, problems: [...problems, ...refused] };
}

async function add(
  work: Work,
  customerId: BeneficialOwner['customerId'],
  values: Values,
  validate: Validator,
): Promise<SavedOwner> {
  const { body } = buildBody(OWNER, values, 'new');
  const sent: Body = { customerId, personalInfo: {}, ...body };
  const problems = schemaProblems(validate, BeneficialOwnerCreateRequest, sent);
  try {
    const { owner, isNew } = await work.write(async (tx) => {
      // Searched again under the lock of the business, so that two concurrent requests do not add the same person.
      const owners = await lockOwners(tx, customerId);
      const same = owners.find((owner) => isSamePerson(owner, values));
      if (same) return { owner: same, isNew: false };
      if (owners.length >= PEOPLE_MAX) throw invalidFields([TOO_MANY]);
      const added = await createOwner(tx, { body: sent as BeneficialOwnerCreateRequest, problems });
      return { owner: added, isNew: true };
    });
    return isNew ? { id: owner.id, problems: [] } : change(work, owner.id, values, validate);
  } catch (error) {
    return { id: undefined, problems: fieldErrors(error) };
  }
}

const TOO_MANY = {
  field: 'personalInfo.firstName',
  message: `This page has room for at most ${PEOPLE_MAX} people.`,
};

async function lockOwners(
  tx: Tx,
  customerId: BeneficialOwner['customerId'],
): Promise<readonly BeneficialOwner[]> {
  const uuid = bareId(customerId);
  await lockLiveCustomer(tx, uuid);
  const owners = await loadOwners(tx, [uuid]);
  return owners.get(uuid) ?? [];
}
