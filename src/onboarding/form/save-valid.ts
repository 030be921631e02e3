import type { FieldError } from '#lib/refusals.ts';
import { type Body, fieldErrors, isEmpty, withoutField } from '#onboarding/form/body.ts';

/** Fields that are judged together: what makes the first bad may be any of the others. */
const JUDGED_WITH: Readonly<Record<string, readonly string[]>> = {
  identifier: ['idType', 'countryOfIssuance'],
  countryOfIssuance: ['idType'],
  idType: ['identifier', 'countryOfIssuance'],
  'businessInfo.taxId': ['businessInfo.country'],
  'businessInfo.purposeOfAccountOtherDescription': ['businessInfo.purposeOfAccount'],
  'personalInfo.identifier': ['personalInfo.idType', 'personalInfo.countryOfIssuance'],
  'personalInfo.countryOfIssuance': ['personalInfo.idType'],
  'personalInfo.idType': ['personalInfo.identifier', 'personalInfo.countryOfIssuance'],
};

/**
 * Saves as much of a body as the API's own rules let through: what is refused is taken out, and the rest is
 * tried again. `save` refuses before it writes anything. The answer is every bad field, each once.
 */
export async function saveValid(body: Body, save: (body: Body) => Promise<unknown>): Promise<FieldError[]> {
  const found: FieldError[] = [];
  for (let rest = body; !isEmpty(rest); ) {
    try {
      await save(rest);
      return found;
    } catch (error) {
      const errors = fieldErrors(error);
      found.push(...errors.filter(({ field }) => !found.some((known) => known.field === field)));
      const next = takeOut(
        rest,
        errors.map(({ field }) => field),
      );
      // It is about what is stored already: nothing here makes it better.
      if (isSame(next, rest)) return found;
      rest = next;
    }
  }
  return found;
}

function takeOut(body: Body, fields: readonly string[]): Body {
  const without = fields.reduce(withoutField, body);
  if (!isSame(without, body)) return without;
  return fields.flatMap((field) => JUDGED_WITH[field] ?? []).reduce(withoutField, body);
}

function isSame(a: Body, b: Body): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
