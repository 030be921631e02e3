import type { Individual } from '#capabilities/customers/schemas.ts';
import { FORMATS } from '#foundation/http/read/formats.ts';
import type { Constraint, FieldError } from '#foundation/lib/refusals.ts';

/** Pure rules for single fields (customers.md §2.1), with at most one problem per field. */

const NAME_MAX = 250;
const NAME = "^[\\p{L}\\p{M}\\p{Nd}'’\\-.,]+( [\\p{L}\\p{M}\\p{Nd}'’\\-.,]+)*$";
const NAME_EXPRESSION = new RegExp(NAME, 'u');

/** A person's name is stored without surrounding spaces. */
export function readName(sent: string): string {
  return sent.trim();
}

export function checkPersonName(field: string, sent: string): FieldError | undefined {
  const name = readName(sent);
  if (name === '') return problem(field, 'must not be empty', { minLength: 1 });
  if ([...name].length > NAME_MAX) {
    return problem(field, `must have at most ${NAME_MAX} characters`, { maxLength: NAME_MAX });
  }
  if (NAME_EXPRESSION.test(name)) return undefined;
  return problem(field, "may contain only letters, digits, single spaces and ' ’ - . ,", { pattern: NAME });
}

const DATE_MIN = '1900-01-01';

/** The schema has checked the format; the date must be after 1900-01-01 and not in the future. */
export function checkDate(field: string, sent: string, now: Date): FieldError | undefined {
  const today = now.toISOString().slice(0, 10);
  if (sent > DATE_MIN && sent <= today) return undefined;
  const message = sent > today ? 'must not be in the future' : `must be after ${DATE_MIN}`;
  return problem(field, message, { format: 'date' });
}

const INDIVIDUAL_ID_TYPES = ['SSN', 'ITIN', 'NON_US_TAX_ID'] as const;
const ITIN = '^9\\d{2}-\\d{2}-\\d{4}$';
/** Identification numbers of other countries, whose formats are unknown. */
const OTHER_NUMBER = '^[A-Za-z0-9./-]{4,30}$';

/** Checks `idType`, `identifier` and `countryOfIssuance` together, on the merged record. */
export function checkIdentification(person: Individual): FieldError[] {
  const { idType, identifier, countryOfIssuance } = person;
  if (idType === undefined) return [];
  if (!isIndividualIdType(idType)) {
    return [problem('idType', 'is not accepted for an individual', { enum: INDIVIDUAL_ID_TYPES })];
  }
  return [
    identifier === undefined ? undefined : checkIdentifier(idType, identifier),
    countryOfIssuance === undefined ? undefined : checkIssuer(idType, countryOfIssuance),
  ].filter((found) => found !== undefined);
}

type IndividualIdType = (typeof INDIVIDUAL_ID_TYPES)[number];

function isIndividualIdType(idType: string): idType is IndividualIdType {
  return INDIVIDUAL_ID_TYPES.some((known) => known === idType);
}

/** Also for owners, who have the same numbers (customers.md §4.6). */
export function checkIdentifier(idType: string, identifier: string): FieldError | undefined {
  if (idType === 'SSN') {
    const isSsn = (FORMATS['us-ssn'] as RegExp).test(identifier);
    return isSsn ? undefined : problem('identifier', 'must be an SSN: ddd-dd-dddd', { format: 'us-ssn' });
  }
  if (idType === 'ITIN') {
    const isItin = new RegExp(ITIN).test(identifier);
    return isItin ? undefined : problem('identifier', 'must be an ITIN: 9dd-dd-dddd', { pattern: ITIN });
  }
  return isOtherNumber(identifier)
    ? undefined
    : problem('identifier', 'must be 4 to 30 letters, digits and -./', { pattern: OTHER_NUMBER });
}

function checkIssuer(idType: IndividualIdType, issuer: string): FieldError | undefined {
  const isUs = idType !== 'NON_US_TAX_ID';
  if (isUs === (issuer === 'US')) return undefined;
  return isUs
    ? problem('countryOfIssuance', `must be US for ${idType}`, { enum: ['US'] })
    : problem('countryOfIssuance', 'must not be US for NON_US_TAX_ID');
}

const US_TAX_ID = '^(EIN-)?\\d{2}[- ]?\\d{7}$';

/** Checks the number by the country of the business; without a country there is no check. */
export function checkTaxId(taxId: string, country: string | undefined): FieldError | undefined {
  const field = 'businessInfo.taxId';
  if (country === 'US') {
    const digits = taxId.replace(/^EIN-/i, '').replace(/[\s.,/-]/g, '');
    return /^\d{9}$/.test(digits)
      ? undefined
      : problem(field, 'must have 9 digits for a US business', { pattern: US_TAX_ID });
  }
  if (country === undefined || isOtherNumber(taxId)) return undefined;
  return problem(field, 'must be 4 to 30 letters, digits and -./', { pattern: OTHER_NUMBER });
}

function isOtherNumber(text: string): boolean {
  return new RegExp(OTHER_NUMBER).test(text);
}

/** Choices, with the descriptions that they need if they are or include `OTHER` (customers.md §2.1.11). */
const EXPLAINED = [
  ['sourceOfFundsCategories', 'sourceOfFundsOtherDescription'],
  ['sourceOfWealthCategories', 'sourceOfWealthOtherDescription'],
  ['purposeOfAccount', 'purposeOfAccountOtherDescription'],
] as const;

type Explained = { readonly [Name in (typeof EXPLAINED)[number][number]]?: string | string[] };

export function checkOtherExplained(record: Explained, prefix = ''): FieldError[] {
  return EXPLAINED.filter(([choice, text]) => isOther(record[choice]) && record[text] === undefined).map(
    ([choice, text]) => problem(`${prefix}${text}`, `is required if ${choice} is or includes OTHER`),
  );
}

/** Drops descriptions whose choice is not `OTHER` (customers.md §2.1.11). */
export function withoutUnusedDescriptions<Record extends Explained>(record: Record): Record {
  const kept = { ...record };
  for (const [choice, text] of EXPLAINED) if (!isOther(kept[choice])) delete kept[text];
  return kept;
}

function isOther(choice: string | readonly string[] | undefined): boolean {
  return typeof choice === 'string' ? choice === 'OTHER' : (choice?.includes('OTHER') ?? false);
}

export function problem(field: string, message: string, constraint?: Constraint): FieldError {
  return { field, ...(constraint && { constraint }), message };
}
