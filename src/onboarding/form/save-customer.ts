import type { CustomerPolicy } from '#customers/policy.ts';
import { CustomerUpdateRequest } from '#customers/schemas.ts';
import type { CustomerRow } from '#customers/store.ts';
import { prepareUpdate } from '#customers/update-customer.ts';
import type { Work } from '#database/work.ts';
import type { Validator } from '#http/validate.ts';
import type { FieldError } from '#lib/refusals.ts';
import { bodyOf, saveValidFields, schemaProblems } from '#onboarding/form/body.ts';
import {
  ACTIVITY,
  COMPANY,
  COMPANY_ADDRESS,
  COMPANY_CONTACT,
  type FormField,
  PERSON_ABOUT,
  PERSON_ADDRESS,
  PERSON_NUMBER,
} from '#onboarding/form/fields-table.ts';
import type { Values } from '#onboarding/form/values.ts';

/** What saving needs besides the work. */
export interface SaveParts {
  readonly policy: CustomerPolicy;
  readonly validate: Validator;
}

export const PERSON_FIELDS: readonly FormField[] = [...PERSON_ABOUT, ...PERSON_ADDRESS, ...PERSON_NUMBER];
export const COMPANY_FIELDS: readonly FormField[] = [
  ...COMPANY,
  ...COMPANY_CONTACT,
  ...COMPANY_ADDRESS,
  ...ACTIVITY,
];

/** Saves the customer's own fields as PATCH /customers/{id} would, and returns what was refused. */
export async function saveCustomer(
  work: Work,
  { id, customer_type }: CustomerRow,
  values: Values,
  { policy, validate }: SaveParts,
): Promise<FieldError[]> {
  const fields = customer_type === 'INDIVIDUAL' ? PERSON_FIELDS : COMPANY_FIELDS;
  const { body, problems } = bodyOf(fields, values, 'change');
  const refused = await saveValidFields(body, (rest) => {
    const sent = { customerType: customer_type, ...rest } as CustomerUpdateRequest;
    const found = schemaProblems(validate, CustomerUpdateRequest, sent);
    return work.write(async (tx) => {
      // Gates (decision 0017) are not asked: the form cannot change contacts.
      const { commit } = await prepareUpdate(tx, id, { body: sent, problems: found }, policy);
      return commit(tx);
    });
  });
  return [...problems, ...refused];
}
