import { isIP } from 'node:net';
import type { TSchema } from 'typebox';
import type { Profile } from '#customers/profile.ts';
import {
  dateProblem,
  identificationProblems,
  nameProblem,
  otherProblems,
  problem,
  taxIdProblem,
} from '#customers/profile-rules.ts';
import type {
  CustomerCreateRequest,
  CustomerUpdateRequest,
  EndUserTermsConsent,
} from '#customers/schemas.ts';
import { inDocumentOrder } from '#http/validate.ts';
import { parseDateTime } from '#lib/dates.ts';
import { type FieldError, invalidFields, type Refusal } from '#lib/refusals.ts';

/** What a request says of single fields, beyond the form that the schema has checked (customers.md §2.1.10). */
export function checkSent(sent: CustomerCreateRequest | CustomerUpdateRequest, now: Date): FieldError[] {
  const consent = sent.endUserTermsConsent;
  const found = consent ? consentProblems(consent, now) : [];
  if (sent.customerType === 'INDIVIDUAL') {
    const { fullName, birthDate } = sent;
    found.push(isGiven(fullName) && nameProblem('fullName', fullName));
    found.push(isGiven(birthDate) && dateProblem('birthDate', birthDate, now));
  } else {
    const { incorporatedOn } = sent.businessInfo ?? {};
    found.push(isGiven(incorporatedOn) && dateProblem('businessInfo.incorporatedOn', incorporatedOn, now));
  }
  return found.filter((error) => typeof error === 'object');
}

type Found = (FieldError | false | undefined)[];

function isGiven(value: string | null | undefined): value is string {
  return typeof value === 'string';
}

const AHEAD_MAX_MS = 5 * 60_000;

function consentProblems({ acceptedAt, ipAddress }: Partial<EndUserTermsConsent>, now: Date): Found {
  const field = 'endUserTermsConsent';
  return [
    acceptedAt !== undefined &&
      parseDateTime(acceptedAt).getTime() > now.getTime() + AHEAD_MAX_MS &&
      problem(`${field}.acceptedAt`, 'must not be more than 5 minutes in the future', {
        format: 'date-time',
      }),
    ipAddress !== undefined &&
      // Node takes a zone for part of an address; it means something on one machine only.
      (isIP(ipAddress) === 0 || ipAddress.includes('%')) &&
      problem(`${field}.ipAddress`, 'must be an IPv4 or IPv6 address'),
  ];
}

/** What holds of the record as a whole, after merging. */
export function checkProfile({ customerType, person, business }: Profile): FieldError[] {
  if (customerType === 'INDIVIDUAL') return [...identificationProblems(person), ...otherProblems(person)];
  const taxId = business.taxId === undefined ? undefined : taxIdProblem(business.taxId, business.country);
  return [...(taxId ? [taxId] : []), ...otherProblems(business, 'businessInfo.')];
}

/** Contacts that have to be verified have to be there (customers.md §2.1.10, last row). */
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

/** USDB accounts are reached by mail (customers.md §2.1.13). */
export function checkWalletContact(currencies: readonly string[], profile: Profile): FieldError[] {
  return currencies.includes('USDB') && profile.email === undefined
    ? [problem('email', 'is required for USDB')]
    : [];
}

export interface CurrencyRules {
  readonly supported: readonly string[];
  /** Already the customer's own: they stay usable when the platform drops them. */
  readonly held: readonly string[];
  /** Sets of currencies that one customer cannot hold together (customers.md §2.1.13). */
  readonly separate: readonly (readonly string[])[];
}

/** As they were sent: an entry that is no text is the schema's to name, the others are judged all the same. */
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
 * The fields that pass the schema. Rules read these, so that a field that is bad already is neither judged
 * again nor stumbled over.
 */
export function withoutBadFields<Body extends object>(body: Body, problems: readonly FieldError[]): Body {
  if (problems.length === 0) return body;
  const copy = structuredClone(body);
  for (const { field } of problems) dropField(copy as Record<string, unknown>, field.split('.'));
  return copy;
}

/** An entry of an array takes the array with it: what is left would be another list. */
function dropField(holder: Record<string, unknown>, [name = '', ...rest]: string[]): void {
  const member = holder[name];
  const isGroup = member !== null && typeof member === 'object' && !Array.isArray(member);
  if (rest.length > 0 && isGroup) dropField(member as Record<string, unknown>, rest);
  else delete holder[name];
}

/** One refusal for all bad fields, each named once: what the schema found comes before what a rule found. */
export function refusalFor(
  schema: TSchema,
  problems: readonly FieldError[],
  found: readonly FieldError[],
): Refusal | undefined {
  const errors = [...problems];
  for (const error of found)
    if (!errors.some((known) => overlaps(known.field, error.field))) errors.push(error);
  if (errors.length === 0) return undefined;
  // A UMA address has a code of its own, unless it is one bad field among others (customers.md §2.1.10).
  const onlyUma = errors.every((error) => error.field === 'umaAddress');
  return invalidFields(inDocumentOrder(schema, errors), onlyUma ? 'INVALID_UMA_ADDRESS' : 'INVALID_INPUT');
}

function overlaps(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);
}
