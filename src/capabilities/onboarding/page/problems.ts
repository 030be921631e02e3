import {
  COMPANY_PLACES,
  type DocumentPlace,
  type FormField,
  OWNER,
  OWNER_PLACES,
  PERSON_PLACES,
} from '#capabilities/onboarding/form/fields-table.ts';
import { COMPANY_FIELDS, PERSON_FIELDS } from '#capabilities/onboarding/form/save-customer.ts';
import { type SavedBlock, type SavedForm, TOO_YOUNG } from '#capabilities/onboarding/form/save-form.ts';
import { firstValue } from '#capabilities/onboarding/form/values.ts';
import type { PageData } from '#capabilities/onboarding/page/load-page.ts';
import type { OwnerCard } from '#capabilities/onboarding/page/owner-cards.ts';
import {
  describeProblem,
  documentSentence,
  FILE_AGAIN,
  NUMBER_AGAIN,
  requestAgain,
  requestText,
  withoutFullStop,
} from '#capabilities/onboarding/page/sentences.ts';
import type { VerificationError } from '#capabilities/verification/schemas.ts';
import type { FieldError } from '#foundation/lib/refusals.ts';

/** An invalid or missing value, and the name of the page's field that corrects it. */
export interface Problem {
  readonly at: string;
  readonly text: string;
}

/** Fields of one block of the page, and the person they belong to, for sentences about them. */
interface Block {
  readonly fields: readonly FormField[];
  readonly prefix: string;
  readonly whose: string;
}

/** Lists the problems found while saving, in the order of the page. */
export function savingProblems(
  saved: SavedForm,
  cards: readonly OwnerCard[],
  { isBusiness, hasIdentifier }: PageData,
): Problem[] {
  const own = { fields: isBusiness ? COMPANY_FIELDS : PERSON_FIELDS, prefix: '', whose: 'your' };
  return [
    ...blockProblems(saved, own, hasIdentifier),
    ...cards.flatMap(({ prefix, whose, id, saved: owner }) =>
      owner ? blockProblems(owner, { fields: OWNER, prefix, whose }, id !== undefined) : [],
    ),
  ];
}

function blockProblems(
  { block, problems, documents }: SavedBlock,
  at: Block,
  isNumberOnFile: boolean,
): Problem[] {
  const { fields, prefix, whose } = at;
  const secret = fields.find(({ kind }) => kind === 'secret');
  const isLost = secret && !isNumberOnFile && firstValue(block.values, secret.path) !== '';
  return withoutRepeats([
    ...problems.flatMap((error) => fieldProblems(at, error)),
    ...(isLost ? [{ at: `${prefix}${secret.path}`, text: requestAgain(requestText(secret, whose)) }] : []),
    ...documents.map(({ index, problem }) => ({
      at: `${prefix}documents.${index}.${problem.field}`,
      text: documentSentence(problem),
    })),
    // A document that was not saved must be entered again completely.
    ...documents.flatMap(({ index }) => {
      const { values, file } = block.documents[index] ?? {};
      const place = `${prefix}documents.${index}`;
      return [
        ...(firstValue(values, 'documentNumber') === ''
          ? []
          : [{ at: `${place}.documentNumber`, text: NUMBER_AGAIN }]),
        ...(file ? [{ at: `${place}.file`, text: FILE_AGAIN }] : []),
      ];
    }),
  ]);
}

/** Lists the missing data of a packet (customers.md §4.3), each at the field where it can be entered. */
export function missingProblems(
  { missing, customerId, isBusiness }: PageData,
  cards: readonly OwnerCard[],
  saved: SavedForm | undefined,
): Problem[] {
  // A person who was entered but could not be added is not also reported as missing.
  const isNamed = cards.some((card) => card.id === undefined && card.saved !== undefined);
  return missing.flatMap((error) => {
    if (isNamed && NOBODY.includes(error.type)) return [];
    const card =
      error.resourceId === customerId ? undefined : cards.find(({ id }) => id === error.resourceId);
    if (error.field === undefined)
      return [{ at: locateProblem(error, card, isBusiness), text: reasonFor(error, card) }];
    const problem = packetProblem(error, error.field, card, isBusiness);
    const entered = card ? card.saved?.block.values : saved?.block.values;
    // A value that was entered but not saved is not missing: the problem that prevented saving is shown instead.
    const isEntered = firstValue(entered, problem.at.slice(card?.prefix.length ?? 0)) !== '';
    return error.type === 'MISSING_FIELD' && isEntered ? [] : [problem];
  });
}

const NOBODY: readonly VerificationError['type'][] = ['MISSING_BENEFICIAL_OWNER', 'MISSING_CONTROL_PERSON'];

/** Keeps one problem per field: an invalid value is not also reported as missing. */
export function withoutRepeats(problems: readonly Problem[]): Problem[] {
  const kept: Problem[] = [];
  for (const problem of problems) if (!kept.some(({ at }) => at === problem.at)) kept.push(problem);
  return kept;
}

const ADDRESS = /(^|\.)address$/;
/** Required for any address; the packet check asks for a state or a city if one is needed. */
const ADDRESS_PARTS = ['line1', 'postalCode', 'country'];

function fieldProblems({ fields, prefix, whose }: Block, error: FieldError): Problem[] {
  // A problem of a list's entry is shown at the list, and that of a missing address at its parts.
  const path = error.field.replace(/\.\d+$/, '');
  const paths = ADDRESS.test(path) ? ADDRESS_PARTS.map((part) => `${path}.${part}`) : [path];
  return paths.map((at) => {
    const field = fields.find((candidate) => candidate.path === at);
    return field
      ? { at: `${prefix}${at}`, text: describeProblem(field, error, whose) }
      : { at: `${prefix}${fields[0]?.path}`, text: ELSEWHERE };
  });
}

const ELSEWHERE =
  'Something else about these details must be corrected first: please ask where you got this link';

function packetProblem(
  error: VerificationError,
  field: string,
  card: OwnerCard | undefined,
  isBusiness: boolean,
): Problem {
  const fields = card ? OWNER : isBusiness ? COMPANY_FIELDS : PERSON_FIELDS;
  const path = field.replace(/^customer\./, '').replace(ADDRESS, '$1address.line1');
  const known = fields.find((candidate) => candidate.path === path);
  if (!known) return { at: 'owners.0.ownershipPercentage', text: reasonFor(error, undefined) };
  const at = [card?.prefix, path].join('');
  if (error.type === 'MISSING_FIELD') return { at, text: requestText(known, card?.whose ?? 'your') };
  return { at, text: path === 'birthDate' ? withoutFullStop(TOO_YOUNG) : reasonFor(error, card) };
}

/** Several people on the page may each have a passport, so the text names the person. */
function reasonFor({ reason }: VerificationError, card: OwnerCard | undefined): string {
  const text = withoutFullStop(reason);
  return card ? `${card.title}: ${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
}

function locateProblem(error: VerificationError, card: OwnerCard | undefined, isBusiness: boolean): string {
  if (error.type === 'MISSING_CONTROL_PERSON') return 'owners.0.roles';
  if (error.type === 'MISSING_BENEFICIAL_OWNER') return 'owners.0.personalInfo.firstName';
  const places = card ? OWNER_PLACES : isBusiness ? COMPANY_PLACES : PERSON_PLACES;
  const accepted = error.acceptedDocumentTypes ?? [];
  const fitting = places.findIndex(
    (place) =>
      place.type === error.type &&
      (accepted.length === 0 || place.accepted.some((type) => accepted.some((other) => other === type))),
  );
  // An error about one side of a card belongs to the slot that has a back.
  const place = fitting < 0 ? places.findIndex(({ hasBack }) => hasBack) : fitting;
  return [card?.prefix, `documents.${blockIndex(places, Math.max(place, 0))}.file`].join('');
}

/** Each slot is one block of the form, or two if it has a back. */
export function blockIndex(places: readonly DocumentPlace[], place: number): number {
  return places.slice(0, place).reduce((sum, { hasBack }) => sum + (hasBack ? 2 : 1), 0);
}
