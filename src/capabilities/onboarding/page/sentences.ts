import type { FormField } from '#capabilities/onboarding/form/fields-table.ts';
import type { Constraint, FieldError } from '#foundation/lib/refusals.ts';

/**
 * Returns a message for people as a whole sentence, because the API's messages continue the name of a field, which the
 * page does not show. The messages are list items, so they have no full stop.
 */
export function describeProblem(field: FormField, error: FieldError, whose: string): string {
  const { message, constraint = {} } = error;
  // A message that was written for this page.
  if (message.endsWith('.')) return withoutFullStop(message);
  if (message.startsWith('is required')) return requestText(field, whose);
  if (constraint.maxLength !== undefined) return tooLong(field.label, constraint.maxLength);
  const special = SPECIAL[field.path.slice(field.path.lastIndexOf('.') + 1)];
  if (special) return special(constraint);
  switch (field.kind) {
    case 'date':
      return dateSentence(field, message, whose);
    case 'country':
    case 'countries':
    case 'choice':
    case 'choices':
      return `${requestText(field, whose)} from the list`;
    case 'percent':
      return 'Enter the share as a whole number from 0 to 100';
    default:
      return `Check what you entered for “${field.label}”`;
  }
}

export function requestText({ ask }: FormField, whose: string): string {
  return ask.replaceAll('{whose}', whose);
}

/** For values that must be typed again because the page never shows them. */
export function requestAgain(ask: string): string {
  return `${ask} again: it is never shown`;
}

export function tooLong(label: string, maxLength: number): string {
  return `Use at most ${maxLength} characters for “${label}”`;
}

export function withoutFullStop(text: string): string {
  return text.replace(/\.$/, '');
}

function dateSentence(field: FormField, message: string, whose: string): string {
  const date = `The ${field.label.toLowerCase()}`;
  if (message.includes('future')) return `${date} cannot be in the future`;
  if (message.includes('after')) return `${date} must be after 1 January 1900`;
  return `${requestText(field, whose)} as a real date`;
}

const NAME = () => "Use only letters, digits, single spaces and ' ’ - . , in a name";
const OTHER_NUMBER = 'Enter the number with 4 to 30 letters, digits, dots, dashes or slashes, without spaces';

/** By the last part of the field's path. */
const SPECIAL: Readonly<Record<string, (constraint: Constraint) => string>> = {
  fullName: NAME,
  firstName: NAME,
  middleName: NAME,
  lastName: NAME,
  identifier: ({ format, pattern }) => {
    if (format === 'us-ssn') return 'Write the social security number like 123-45-6789';
    return pattern?.startsWith('^9') ? 'Write the ITIN like 912-34-5678; it begins with 9' : OTHER_NUMBER;
  },
  taxId: ({ pattern }) =>
    pattern?.includes('EIN') ? 'Enter the nine digits of the US tax number' : OTHER_NUMBER,
  countryOfIssuance: ({ enum: allowed, format }) => {
    if (format !== undefined) return 'Choose the country that issued the number from the list';
    return allowed
      ? 'An SSN or ITIN is issued by the United States: choose that, or leave the country empty'
      : 'For a number of the United States choose SSN or ITIN as the kind of number';
  },
};

const DOCUMENT_FIELDS: Readonly<Record<string, { readonly label: string; readonly ask: string }>> = {
  documentType: { label: 'Kind of document', ask: 'Choose the kind of document' },
  country: { label: 'Country that issued it', ask: 'Choose the country that issued the document' },
  documentNumber: { label: 'Number of the document', ask: 'Enter the number of the document' },
  issuingAuthority: { label: 'Issued by', ask: 'Enter who issued the document' },
};

export function documentSentence({ field, message, constraint }: FieldError): string {
  if (message.endsWith('.')) return withoutFullStop(message);
  if (field === 'file') return `The file ${message}`;
  const known = DOCUMENT_FIELDS[field];
  if (known && constraint?.maxLength !== undefined) return tooLong(known.label, constraint.maxLength);
  return known?.ask ?? 'Check what you entered for this document';
}

export const NUMBER_AGAIN = requestAgain('Enter the number of the document');
export const FILE_AGAIN = 'Choose the file again';
