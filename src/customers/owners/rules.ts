import type { PersonalInfo } from '#customers/owners/schemas.ts';
import {
  dateProblem,
  identificationProblems,
  identifierProblem,
  nameProblem,
} from '#customers/profile-rules.ts';
import type { FieldError } from '#lib/refusals.ts';

/** What a schema cannot say about an owner: the rules of customers.md §2.1 for names, dates and numbers. */
export function ownerProblems(person: Partial<PersonalInfo>, now: Date): FieldError[] {
  const { firstName, middleName, lastName, birthDate } = person;
  const names = Object.entries({ firstName, middleName, lastName }).map(([field, name]) =>
    name === undefined ? undefined : nameProblem(field, name),
  );
  const born = birthDate === undefined ? undefined : dateProblem('birthDate', birthDate, now);
  return [...names, born, ...numberProblems(person)]
    .filter((problem) => problem !== undefined)
    .map((problem) => ({ ...problem, field: `personalInfo.${problem.field}` }));
}

/**
 * Every kind of number is accepted, that of a business too (customers.md §4.6.11); a customer itself may not have that
 * one.
 */
function numberProblems({ idType, identifier, countryOfIssuance }: Partial<PersonalInfo>) {
  if (idType === 'EIN') return identifier === undefined ? [] : [identifierProblem(idType, identifier)];
  return identificationProblems({
    ...(idType !== undefined && { idType }),
    ...(identifier !== undefined && { identifier }),
    ...(countryOfIssuance !== undefined && { countryOfIssuance }),
  });
}
