import type { TSchema } from 'typebox';
import type { Profile } from '#capabilities/customers/profile/profile.ts';
import {
  checkDate,
  checkIdentification,
  checkOtherExplained,
  checkPersonName,
  checkTaxId,
  problem,
} from '#capabilities/customers/profile/profile-rules.ts';
import type {
  CustomerCreateRequest,
  CustomerUpdateRequest,
  EndUserTermsConsent,
} from '#capabilities/customers/schemas.ts';
import { inDocumentOrder } from '#foundation/http/read/validate.ts';
import { parseDateTime } from '#foundation/lib/dates.ts';
import { isIpAddress } from '#foundation/lib/ip-address.ts';
import { type FieldError, invalidFields, type Refusal } from '#foundation/lib/refusals.ts';

/** Rules for single fields that the schema cannot express (customers.md §2.1.10). */
export function checkCustomerFields(
  sent: CustomerCreateRequest | CustomerUpdateRequest,
  now: Date,
): FieldError[] {
  const consent = sent.endUserTermsConsent;
  const found = consent ? checkConsent(consent, now) : [];
  if (sent.customerType === 'INDIVIDUAL') {
    const { fullName, birthDate } = sent;
    found.push(isText(fullName) && checkPersonName('fullName', fullName));
    found.push(isText(birthDate) && checkDate('birthDate', birthDate, now));
  } else {
    const { incorporatedOn } = sent.businessInfo ?? {};
    found.push(isText(incorporatedOn) && checkDate('businessInfo.incorporatedOn', incorporatedOn, now));
  }
  return found.filter((error) => typeof error === 'object');
}

type PossibleErrors = (FieldError | false | undefined)[];

function isText(value: string | null | undefined): value is string {
  return typeof value === 'string';
}

const AHEAD_MAX_MS = 5 * 60_000;

function checkConsent({ acceptedAt, ipAddress }: Partial<EndUserTermsConsent>, now: Date): PossibleErrors {
  const field = 'endUserTermsConsent';
  return [
    acceptedAt !== undefined &&
      parseDateTime(acceptedAt).getTime() > now.getTime() + AHEAD_MAX_MS &&
      problem(`${field}.acceptedAt`, 'must not be more than 5 minutes in the future', {
        format: 'date-time',
      }),
    ipAddress !== undefined &&
      !isIpAddress(ipAddress) &&
      problem(`${field}.ipAddress`, 'must be an IPv4 or IPv6 address'),
  ];
}

/** Rules for the record as a whole, after merging. */
export function checkProfile({ customerType, person, business }: Profile): FieldError[] {
  if (customerType === 'INDIVIDUAL') return [...checkIdentification(person), ...checkOtherExplained(person)];
  const taxId = business.taxId === undefined ? undefined : checkTaxId(business.taxId, business.country);
  return [...(taxId ? [taxId] : []), ...checkOtherExplained(business, 'businessInfo.')];
}

/** Contacts that must be verified are required (customers.md §2.1.10, last row). */
export function checkContacts({ customerType, email, phoneNumber, business }: Profile): FieldError[] {
  const needed: [string, string | undefined][] = [
    ['email', email],
    ['phoneNumber', phoneNumber],
  ];
  if (customerType === 'BUSINESS') {
    needed.push(['businessInfo.primaryContactFirstName', business.primaryContactFirstName]);
    needed.push(['businessInfo.primaryContactLastName', business.primaryContactLastName]);
  }
  return needed
    .filter(([, value]) => value === undefined)
    .map(([field]) => problem(field, 'is required in this region'));
}

/** The wallet of a USDB account needs an e-mail address (customers.md §2.1.13). */
export function checkWalletContact(currencies: readonly string[], profile: Profile): FieldError[] {
  return currencies.includes('USDB') && profile.email === undefined
    ? [problem('email', 'is required for USDB')]
    : [];
}

export interface CurrencyRules {
  readonly supported: readonly string[];
  /** The customer's current currencies, which stay valid even if the platform drops them. */
  readonly held: readonly string[];
  /** Sets of currencies that one customer cannot hold together (customers.md §2.1.13). */
  readonly separate: readonly (readonly string[])[];
}

/** Takes the unvalidated list: the schema reports entries that are not text, and the others are still checked. */
export function checkCurrencies(list: unknown, rules: CurrencyRules): FieldError[] {
  const { supported, held, separate } = rules;
  const sent: readonly unknown[] = Array.isArray(list) ? list : [];
  const unknown = sent.flatMap((code, i) =>
    typeof code !== 'string' || supported.includes(code) || held.includes(code)
      ? []
      : [problem(`currencies.${i}`, 'is not a currency that the platform supports', { enum: supported })],
  );
  const clash = separate.find((set) => set.every((code) => sent.includes(code)));
  if (!clash) return unknown;
  return [...unknown, problem('currencies', `${clash.join(' and ')} need separate customers`)];
}

/**
 * Returns only the fields that pass the schema. Rules therefore see no invalid values, and no field is reported twice.
 */
export function withoutInvalidFields<Body extends object>(body: Body, problems: readonly FieldError[]): Body {
  if (problems.length === 0) return body;
  const copy = structuredClone(body);
  for (const { field } of problems) dropField(copy as Record<string, unknown>, field.split('.'));
  return copy;
}

/** An invalid entry removes its whole array, because the remaining entries would be a different list. */
function dropField(holder: Record<string, unknown>, [name = '', ...rest]: string[]): void {
  const member = holder[name];
  const isGroup = member !== null && typeof member === 'object' && !Array.isArray(member);
  if (rest.length > 0 && isGroup) dropField(member as Record<string, unknown>, rest);
  else delete holder[name];
}

/** Builds one refusal that names each invalid field once; the schema's problem takes precedence over a rule's. */
export function fieldsRefusal(
  schema: TSchema,
  problems: readonly FieldError[],
  found: readonly FieldError[],
): Refusal | undefined {
  const errors = [...problems];
  for (const error of found)
    if (!errors.some((known) => overlaps(known.field, error.field))) errors.push(error);
  if (errors.length === 0) return undefined;
  // An invalid UMA address has its own code, unless other fields are invalid as well (customers.md §2.1.10).
  const onlyUma = errors.every((error) => error.field === 'umaAddress');
  return invalidFields(inDocumentOrder(schema, errors), onlyUma ? 'INVALID_UMA_ADDRESS' : 'INVALID_INPUT');
}

function overlaps(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);
}
