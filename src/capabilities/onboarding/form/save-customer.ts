import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { prepareUpdate } from '#capabilities/customers/lifecycle/update-customer.ts';
import { CustomerUpdateRequest } from '#capabilities/customers/schemas.ts';
import type { CustomerPolicy } from '#capabilities/customers/terms/policy.ts';
import { buildBody, saveValidFields, schemaProblems } from '#capabilities/onboarding/form/body.ts';
import {
  ACTIVITY,
  COMPANY,
  COMPANY_ADDRESS,
  COMPANY_CONTACT,
  type FormField,
  PERSON_ABOUT,
  PERSON_ADDRESS,
  PERSON_NUMBER,
} from '#capabilities/onboarding/form/fields-table.ts';
import type { Values } from '#capabilities/onboarding/form/values.ts';
import type { Work } from '#foundation/database/work.ts';
import type { Validator } from '#foundation/http/read/validate.ts';
import type { FieldError } from '#foundation/lib/refusals.ts';

/** Further dependencies of saving. */
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

/** Saves the customer's own fields like PATCH /customers/{id}, and returns the refused ones. */
export async function saveCustomer(
  work: Work,
  { id, customer_type }: CustomerRow,
  values: Values,
  { policy, validate }: SaveParts,
): Promise<FieldError[]> {
  const fields = customer_type === 'INDIVIDUAL' ? PERSON_FIELDS : COMPANY_FIELDS;
  const { body, problems } = buildBody(fields, values, 'change');
  const refused = await saveValidFields(body, (rest) => {
    const sent = { customerType: customer_type, ...rest } as CustomerUpdateRequest;
    const found = schemaProblems(validate, CustomerUpdateRequest, sent);
    return work.write(async (tx) => {
      // Gates (decision 0017) are skipped, because the form cannot change contacts.
      const { commit } = await prepareUpdate(tx, id, { body: sent, problems: found }, policy);
      return commit(tx);
    });
  });
  return [...problems, ...refused];
}
