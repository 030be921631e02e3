import type { CustomerRow, OpenPerson } from '#capabilities/customers/customer-row.ts';
import type { BeneficialOwner } from '#capabilities/customers/owner-schemas.ts';
import { loadOwners } from '#capabilities/customers/present-owner.ts';
import { checkDate } from '#capabilities/customers/profile/profile-rules.ts';
import { type PostedConsent, saveConsent } from '#capabilities/onboarding/form/consent.ts';
import { type SaveParts, saveCustomer } from '#capabilities/onboarding/form/save-customer.ts';
import { type DocumentProblem, saveDocuments } from '#capabilities/onboarding/form/save-documents.ts';
import { isBlankBlock, saveOwner } from '#capabilities/onboarding/form/save-owner.ts';
import {
  type Block,
  firstValue,
  type PostedForm,
  type Values,
} from '#capabilities/onboarding/form/values.ts';
import { isTooYoung } from '#capabilities/verification/rules.ts';
import type { Work } from '#foundation/database/work.ts';
import { isDate } from '#foundation/lib/dates.ts';
import { publicId } from '#foundation/lib/ids.ts';
import type { FieldError } from '#foundation/lib/refusals.ts';

/** The result of saving one block of the form. */
export interface SavedBlock {
  readonly block: Block;
  readonly problems: readonly FieldError[];
  readonly documents: readonly DocumentProblem[];
}

export interface SavedForm extends SavedBlock {
  /** Why the visitor's acceptance of the terms was not recorded. */
  readonly termsProblem: string | undefined;
  /** Owners that could not be added have no id. */
  readonly owners: readonly (SavedBlock & { readonly id: BeneficialOwner['id'] | undefined })[];
}

/** Saves every valid value of a form like the API (customers.md §6.8), and returns the others as problems. */
export async function saveForm(
  work: Work,
  customer: CustomerRow,
  form: PostedForm,
  parts: SaveParts & { readonly consent?: PostedConsent | undefined },
): Promise<SavedForm> {
  if (await work.read(async (tx) => isUnderage(customer, form.values, tx.now))) {
    const problems = [{ field: 'birthDate', message: `${TOO_YOUNG} Your entries were not saved.` }];
    return { block: form, problems, documents: unsavedFiles(form), owners: [], termsProblem: undefined };
  }
  const holder = publicId('Customer', customer.id);
  const problems = await saveCustomer(work, customer, form.values, parts);
  const documents = await saveDocuments(work, customer.id, holder, form.documents, parts.validate);
  const owners: SavedForm['owners'][number][] = [];
  if (customer.customer_type === 'BUSINESS') {
    for (const block of form.owners.filter((owner) => !isBlankBlock(owner))) {
      owners.push(await saveOwnerBlock(work, customer, block, parts));
    }
  }
  const { consent, policy } = parts;
  const termsProblem = consent && (await saveConsent(work, customer.id, consent, policy));
  return { block: form, problems, documents, owners, termsProblem };
}

export function hasProblems({ problems, documents, owners, termsProblem }: SavedForm): boolean {
  if (termsProblem !== undefined) return true;
  return [{ problems, documents }, ...owners].some(
    (saved) => saved.problems.length + saved.documents.length > 0,
  );
}

async function saveOwnerBlock(work: Work, customer: CustomerRow, block: Block, { validate }: SaveParts) {
  const known = await work.read((tx) => loadOwners(tx, [customer.id]));
  const customerId = publicId('Customer', customer.id);
  const { id, problems } = await saveOwner(work, customerId, known.get(customer.id) ?? [], block, validate);
  const documents =
    id === undefined
      ? unsavedFiles(block)
      : await saveDocuments(work, customer.id, id, block.documents, validate);
  return { id, block, problems, documents };
}

/** Files are not saved if their holder could not or must not be saved. */
function unsavedFiles({ documents }: Block): DocumentProblem[] {
  const message = 'Choose this file again once everything else is correct.';
  return documents.flatMap(({ file }, index) =>
    file ? [{ index, problem: { field: 'file', message } }] : [],
  );
}

export const TOO_YOUNG = 'You must be at least 18 years old.';

/**
 * Minors cannot be onboarded (customers.md §4.3), so no part of a minor's form may be stored. If the date of birth in
 * the form is invalid, the stored one counts.
 */
export function isUnderage({ customer_type, profile }: CustomerRow, values: Values, now: Date): boolean {
  if (customer_type !== 'INDIVIDUAL') return false;
  const typed = firstValue(values, 'birthDate');
  const isReal = isDate(typed) && checkDate('birthDate', typed, now) === undefined;
  const isCleared = typed === '' && values.has('birthDate');
  const birthDate = isReal ? typed : isCleared ? undefined : (profile as OpenPerson).birthDate;
  return birthDate !== undefined && isTooYoung(birthDate, now);
}
