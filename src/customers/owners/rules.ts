import { type AddressUpdate, readAddress } from '#customers/field-schemas.ts';
import type { PersonalInfo, PersonalInfoUpdate } from '#customers/owners/schemas.ts';
import {
  dateProblem,
  identificationProblems,
  identifierProblem,
  nameProblem,
  readName,
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

const PLAIN = [
  'birthDate',
  'nationality',
  'email',
  'phoneNumber',
  'idType',
  'identifier',
  'countryOfIssuance',
] as const satisfies (keyof PersonalInfo)[];

const NAMES = ['firstName', 'middleName', 'lastName'] as const;

/** Known fields merge one by one, `null` clears, the address replaces whole (customers.md §4.6.13). */
export function mergePersonalInfo(
  stored: Partial<PersonalInfo>,
  sent: PersonalInfo | PersonalInfoUpdate,
): Partial<PersonalInfo> {
  const merged: Record<string, unknown> = { ...stored };
  for (const name of NAMES)
    set(merged, name, typeof sent[name] === 'string' ? readName(sent[name]) : sent[name]);
  for (const name of PLAIN) set(merged, name, sent[name]);
  if (sent.address) merged.address = readAddress(sent.address as AddressUpdate);
  return merged as Partial<PersonalInfo>;
}

function set(target: Record<string, unknown>, name: string, value: unknown): void {
  if (value === null) delete target[name];
  else if (value !== undefined) target[name] = value;
}
