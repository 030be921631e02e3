import type { FieldError } from '#lib/refusals.ts';
import {
  COMPANY_PLACES,
  type DocumentPlace,
  type FormField,
  OWNER,
  OWNER_PLACES,
  PERSON_PLACES,
} from '#onboarding/form/fields-table.ts';
import { COMPANY_FIELDS, PERSON_FIELDS } from '#onboarding/form/save-customer.ts';
import type { DocumentProblem } from '#onboarding/form/save-documents.ts';
import type { SavedForm } from '#onboarding/form/save-form.ts';
import { firstOf } from '#onboarding/form/values.ts';
import type { PageData } from '#onboarding/page/load-page.ts';
import type { OwnerCard } from '#onboarding/page/owner-cards.ts';
import type { VerificationError } from '#verification/schemas.ts';

/** One thing that is wrong or missing, and the name of the field on the page where it is put right. */
export interface Problem {
  readonly at: string;
  readonly text: string;
}

/** What saving refused, in the order of the page. */
export function savingProblems(
  saved: SavedForm,
  cards: readonly OwnerCard[],
  isBusiness: boolean,
): Problem[] {
  const fields = isBusiness ? COMPANY_FIELDS : PERSON_FIELDS;
  return [
    ...saved.problems.map((error) => fieldProblem(fields, '', error)),
    ...saved.documents.map((error) => documentProblem('', error)),
    ...cards.flatMap(({ prefix, saved: owner }) =>
      owner
        ? [
            ...owner.problems.map((error) => fieldProblem(OWNER, prefix, error)),
            ...owner.documents.map((error) => documentProblem(prefix, error)),
          ]
        : [],
    ),
  ];
}

/** What a packet still lacks (§4.3), each at the field that would supply it. */
export function missingProblems(
  { missing, customerId, isBusiness }: PageData,
  cards: readonly OwnerCard[],
  saved: SavedForm | undefined,
): Problem[] {
  // Somebody who was entered but could not be added is not also missing.
  const isNamed = cards.some((card) => card.id === undefined && card.saved !== undefined);
  return missing.flatMap((error) => {
    if (isNamed && NOBODY.includes(error.type)) return [];
    const card =
      error.resourceId === customerId ? undefined : cards.find(({ id }) => id === error.resourceId);
    if (error.field === undefined)
      return [{ at: placeOf(error, card, isBusiness), text: withoutStop(error.reason) }];
    const problem = missingField(error, error.field, card, isBusiness);
    const entered = card ? card.saved?.block.values : saved?.block.values;
    // What was entered but not kept stands beside something that was refused: that is what has to change.
    const isEntered = firstOf(entered, problem.at.slice(card?.prefix.length ?? 0)) !== '';
    return error.type === 'MISSING_FIELD' && isEntered ? [] : [problem];
  });
}

const NOBODY: readonly VerificationError['type'][] = ['MISSING_BENEFICIAL_OWNER', 'MISSING_CONTROL_PERSON'];

/** What is bad is not also missing; each place says one thing. */
export function withoutRepeats(problems: readonly Problem[]): Problem[] {
  const kept: Problem[] = [];
  for (const problem of problems) if (!kept.some(({ at }) => at === problem.at)) kept.push(problem);
  return kept;
}

function fieldProblem(fields: readonly FormField[], prefix: string, { field, message }: FieldError): Problem {
  // An entry of a list is shown at the list.
  const path = field.replace(/\.\d+$/, '');
  const known = fields.find((candidate) => candidate.path === path);
  return { at: `${prefix}${path}`, text: sentence(known?.label ?? path, known, message) };
}

function sentence(label: string, field: FormField | undefined, message: string): string {
  if (message === 'is required') return `${label} is missing`;
  if (field?.kind === 'date' && message.includes('valid date')) return `${label} must be a real date`;
  if (message.startsWith('must be a valid') || message === 'is not one of the accepted values') {
    return `${label}: choose one from the list`;
  }
  return `${label} ${message}`;
}

const DOCUMENT_WORDS: Readonly<Record<string, string>> = {
  documentType: 'Kind of document',
  country: 'Country that issued it',
  documentNumber: 'Number of the document',
  issuingAuthority: 'Issued by',
  file: 'The file',
};

function documentProblem(prefix: string, { index, problem }: DocumentProblem): Problem {
  const { field, message } = problem;
  const isSentence = message.endsWith('.');
  const required = message.startsWith('is required') ? 'is missing' : message;
  const words = DOCUMENT_WORDS[field] ?? field;
  return {
    at: `${prefix}documents.${index}.${field}`,
    text: isSentence ? message.slice(0, -1) : `${words} ${required}`,
  };
}

function missingField(
  error: VerificationError,
  field: string,
  card: OwnerCard | undefined,
  isBusiness: boolean,
): Problem {
  const isMissing = error.type === 'MISSING_FIELD';
  if (card) {
    const path = field === 'personalInfo.address' ? 'personalInfo.address.line1' : field;
    const label = OWNER.find((known) => known.path === path)?.label ?? path;
    return {
      at: `${card.prefix}${path}`,
      text: isMissing ? `${card.title}: ${label} is missing` : withoutStop(error.reason),
    };
  }
  const path = field.replace(/^customer\./, '');
  if (path.startsWith('beneficialOwners'))
    return { at: 'owners.0.ownershipPercentage', text: withoutStop(error.reason) };
  const fields = isBusiness ? COMPANY_FIELDS : PERSON_FIELDS;
  const label = fields.find((known) => known.path === path)?.label ?? path;
  return { at: path, text: isMissing ? `${label} is missing` : withoutStop(error.reason) };
}

/** Lines of a list end without one. */
function withoutStop(text: string): string {
  return text.replace(/\.$/, '');
}

function placeOf(error: VerificationError, card: OwnerCard | undefined, isBusiness: boolean): string {
  if (error.type === 'MISSING_CONTROL_PERSON') return 'owners.0.roles';
  if (error.type === 'MISSING_BENEFICIAL_OWNER') return 'owners.0.personalInfo.firstName';
  const places = card ? OWNER_PLACES : isBusiness ? COMPANY_PLACES : PERSON_PLACES;
  const accepted = error.acceptedDocumentTypes ?? [];
  const fitting = places.findIndex(
    (place) =>
      place.type === error.type &&
      (accepted.length === 0 || place.accepted.some((type) => accepted.some((other) => other === type))),
  );
  // One side only: the place that has a back.
  const place = fitting < 0 ? places.findIndex(({ hasBack }) => hasBack) : fitting;
  return `${card?.prefix ?? ''}documents.${blockIndex(places, Math.max(place, 0))}.file`;
}

/** Each place is one block of the form, and one more for the back of a card. */
export function blockIndex(places: readonly DocumentPlace[], place: number): number {
  return places.slice(0, place).reduce((sum, { hasBack }) => sum + (hasBack ? 2 : 1), 0);
}
