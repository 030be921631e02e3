import type { CustomerPolicy } from '#capabilities/customers/terms/policy.ts';
import { termsToAccept } from '#capabilities/customers/terms/terms.ts';
import { type PostedConsent, recordConsent } from '#capabilities/onboarding/form/consent.ts';
import { type LinkRow, markUsed } from '#capabilities/onboarding/store.ts';
import { lockVisit, type Visit } from '#capabilities/onboarding/visit.ts';
import { findPacketErrors, submitCustomer } from '#capabilities/verification/submit-customer.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import { bodyHash, claimKey, type KeyUse } from '#foundation/http/idempotency/idempotency.ts';
import { findKey } from '#foundation/http/idempotency/store.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { type FieldError, Refusal } from '#foundation/lib/refusals.ts';

export type SubmitOutcome =
  /** A verification record was created; the link is used up unless something must be corrected. */
  | { readonly kind: 'accepted' }
  | { readonly kind: 'incomplete' }
  /** Refused for a reason that cannot be resolved on the page. */
  | { readonly kind: 'refused'; readonly problems: readonly FieldError[] }
  /** The link was used, or the customer's status changed meanwhile. */
  | { readonly kind: 'late' };

/** Where a request came from, for its audit row. */
export interface RequestOrigin {
  readonly requestId: string;
  readonly remoteAddress: string;
}

/** A submission: the form, its origin, and the terms that it accepts. */
export interface Submission {
  readonly form: KeyUse;
  readonly sender: RequestOrigin;
  readonly consent: PostedConsent | undefined;
}

/** Submits a complete packet like POST /verifications; an incomplete one creates no record (customers.md §6.8). */
export async function submitPacket(
  tx: Tx,
  visit: Visit,
  { form, sender, consent }: Submission,
  policy: CustomerPolicy,
): Promise<SubmitOutcome> {
  const now = await lockVisit(tx, visit);
  if (!now || now.stage === 'status') return { kind: 'late' };
  const { customer, link } = now;
  try {
    if (!(await isComplete(tx, now, consent, policy))) return { kind: 'incomplete' };
    const { verificationStatus } = await submitCustomer(tx, customer.id);
    if (verificationStatus !== 'RESOLVE_ERRORS') {
      await markUsed(tx, link.id);
      await recordForm(tx, form);
    }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'INVALID_INPUT') throw error;
    return { kind: 'refused', problems: error.details?.errors as FieldError[] };
  }
  audit(tx, { action: 'onboarding form submitted', resource: publicId('Customer', customer.id), ...sender });
  return { kind: 'accepted' };
}

/**
 * For a whole form, saving has already recorded the acceptance of the terms (customers.md §6.6a). For a customer who
 * only confirms (customers.md §6.6), the single button accepts them together with the submission.
 */
async function isComplete(
  tx: Tx,
  { customer, stage }: Omit<Visit, 'work'>,
  consent: PostedConsent | undefined,
  policy: CustomerPolicy,
): Promise<boolean> {
  if (stage === 'confirm') return !consent || recordConsent(tx, customer.id, consent, policy);
  if (termsToAccept(tx.platform, customer, policy.terms)) return false;
  return (await findPacketErrors(tx, customer)).length === 0;
}

/**
 * The form that used a link up is kept for a day like an idempotency key: a visitor who clicks the button twice sends
 * the same form again and gets the same reply. The key's body hash distinguishes it from another form, which is
 * refused.
 */
export function formKey({ id }: Pick<LinkRow, 'id'>, work: Work, content: unknown): KeyUse {
  return {
    scope: 'onboarding link',
    key: id,
    bodyHash: bodyHash(work.runtime.vault, content),
    conflict: 'CONFLICT',
    // No reply is stored, because the link has the redirect URL.
    secretReply: true,
  };
}

/** Must be called in the commit that marks the link as used. */
export function recordForm(tx: Tx, form: KeyUse): Promise<void> {
  return claimKey(tx, form);
}

export async function wasSubmitted(work: Work, form: KeyUse): Promise<boolean> {
  const key = await work.read((tx) => findKey(tx, form));
  return (key?.is_alive && key.body_hash?.equals(form.bodyHash)) ?? false;
}
