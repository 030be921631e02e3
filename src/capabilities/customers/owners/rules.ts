import { type AddressUpdate, readAddress } from '#capabilities/customers/field-schemas.ts';
import type { PersonalInfo, PersonalInfoUpdate } from '#capabilities/customers/owner-schemas.ts';
import {
  checkDate,
  checkIdentification,
  checkIdentifier,
  checkPersonName,
  readName,
} from '#capabilities/customers/profile/profile-rules.ts';
import type { FieldError } from '#foundation/lib/refusals.ts';

/** Checks the rules that the schema cannot express: customers.md §2.1 for names, dates and numbers. */
export function checkOwner(person: Partial<PersonalInfo>, now: Date): FieldError[] {
  const { firstName, middleName, lastName, birthDate } = person;
  const names = Object.entries({ firstName, middleName, lastName }).map(([field, name]) =>
    name === undefined ? undefined : checkPersonName(field, name),
  );
  const born = birthDate === undefined ? undefined : checkDate('birthDate', birthDate, now);
  return [...names, born, ...checkNumbers(person)]
    .filter((problem) => problem !== undefined)
    .map((problem) => ({ ...problem, field: `personalInfo.${problem.field}` }));
}

/** Unlike an individual customer, an owner may have any kind of number, even an EIN (customers.md §4.6.11). */
function checkNumbers({ idType, identifier, countryOfIssuance }: Partial<PersonalInfo>) {
  if (idType === 'EIN') return identifier === undefined ? [] : [checkIdentifier(idType, identifier)];
  return checkIdentification({
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

/** Merges known fields one by one; `null` clears, and an address is replaced entirely (customers.md §4.6.13). */
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
