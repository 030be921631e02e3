import { type AddressUpdate, readAddress } from '#customers/field-schemas.ts';
import type { PersonalInfo, PersonalInfoUpdate } from '#customers/owners/schemas.ts';
import { readName } from '#customers/profile-rules.ts';

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
