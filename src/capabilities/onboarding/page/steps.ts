import { CONSENT_FIELD } from '#capabilities/onboarding/form/consent.ts';
import {
  ACTIVITY,
  COMPANY,
  COMPANY_ADDRESS,
  COMPANY_CONTACT,
  COMPANY_PLACES,
  type FormField,
  PERSON_ABOUT,
  PERSON_ADDRESS,
  PERSON_NUMBER,
  PERSON_PLACES,
} from '#capabilities/onboarding/form/fields-table.ts';
import type { SavedForm } from '#capabilities/onboarding/form/save-form.ts';
import { renderDocuments } from '#capabilities/onboarding/page/documents.ts';
import { renderFields } from '#capabilities/onboarding/page/field.ts';
import type { PageData } from '#capabilities/onboarding/page/load-page.ts';
import type { OwnerCard } from '#capabilities/onboarding/page/owner-cards.ts';
import { renderPeople } from '#capabilities/onboarding/page/people.ts';
import type { Problem } from '#capabilities/onboarding/page/problems.ts';
import { renderConsent } from '#capabilities/onboarding/page/terms.ts';
import type { Html } from '#foundation/http/html-page.ts';

export interface FormStep {
  readonly id: string;
  readonly title: string;
  readonly intro: string;
  readonly body: Html;
  /** Whether a field of this name belongs to this step. */
  includes(name: string): boolean;
}

/** The data from which the steps are rendered. */
export interface FormView {
  readonly data: PageData;
  readonly saved: SavedForm | undefined;
  readonly cards: readonly OwnerCard[];
  /** Problems that are shown at their fields. */
  readonly shown: readonly Problem[];
  /** All problems, whether they are shown or not. */
  readonly all: readonly Problem[];
}

/** customers.md §6.5 and §6.6a. */
export function buildSteps(view: FormView): FormStep[] {
  return [...packetSteps(view), ...termsSteps(view)];
}

function packetSteps(view: FormView): FormStep[] {
  const { data } = view;
  if (!data.isBusiness) {
    return [
      fieldStep('about', 'About you', 'As in your identity document.', PERSON_ABOUT, view),
      fieldStep('address', 'Home address', 'Where you live, not a post box.', PERSON_ADDRESS, view),
      fieldStep('number', 'Tax number', 'It is stored encrypted and never shown again.', PERSON_NUMBER, view),
      documentStep(view),
    ];
  }
  const company = data.needsContact ? [...COMPANY, ...COMPANY_CONTACT] : COMPANY;
  return [
    fieldStep('company', 'Company', 'As in the company register.', company, view),
    fieldStep('address', 'Address', 'Where the business is.', COMPANY_ADDRESS, view),
    fieldStep('activity', 'Activity', 'What you plan to do with the account.', ACTIVITY, view),
    documentStep(view),
    peopleStep(view),
  ];
}

function fieldStep(
  id: string,
  title: string,
  intro: string,
  fields: readonly FormField[],
  { data, saved, shown }: FormView,
): FormStep {
  const { stored, hasIdentifier: hasNumber } = data;
  const posted = saved?.block.values;
  return {
    id,
    title,
    intro,
    body: renderFields(fields, { prefix: '', stored, posted, problems: indexByPlace(shown), hasNumber }),
    includes: (name) => fields.some(({ path }) => path === name),
  };
}

function documentStep({ data, saved, shown, all }: FormView): FormStep {
  const { isBusiness, customerId } = data;
  return {
    id: 'documents',
    title: isBusiness ? 'Documents' : 'Identity document',
    intro: isBusiness ? 'One of each kind.' : 'A clear photo or scan, with all four corners in view.',
    body: renderDocuments({
      prefix: '',
      places: isBusiness ? COMPANY_PLACES : PERSON_PLACES,
      documents: data.documents.filter(({ documentHolder }) => documentHolder === customerId),
      posted: saved?.block.documents ?? [],
      problems: indexByPlace(shown),
      open: places(all),
    }),
    includes: (name) => name.startsWith('documents.'),
  };
}

function peopleStep({ data, cards, shown, all }: FormView): FormStep {
  return {
    id: 'people',
    title: 'People',
    intro:
      'Add everyone who owns 25 percent or more, and at least one person who controls the business, such ' +
      'as a director or an officer. One person can be both.',
    body: renderPeople({
      cards,
      peopleCount: data.owners.length,
      documents: data.documents,
      problems: indexByPlace(shown),
      open: places(all),
    }),
    includes: (name) => name.startsWith('owners.'),
  };
}

function termsSteps({ data, saved, shown }: FormView): FormStep[] {
  const { terms } = data;
  if (!terms) return [];
  return [
    {
      id: 'terms',
      title: 'Terms',
      intro: 'Payments are possible once you have accepted them.',
      body: renderConsent(terms, data, saved, indexByPlace(shown).get(CONSENT_FIELD)),
      includes: (name) => name === CONSENT_FIELD,
    },
  ];
}

function indexByPlace(problems: readonly Problem[]): ReadonlyMap<string, string> {
  return new Map(problems.map(({ at, text }) => [at, text]));
}

function places(problems: readonly Problem[]): ReadonlySet<string> {
  return new Set(problems.map(({ at }) => at));
}
