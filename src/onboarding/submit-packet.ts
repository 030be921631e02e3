import { audit } from '#audit/audit.ts';
import type { Tx } from '#database/tx.ts';
import type { Work } from '#database/work.ts';
import { bodyHash, claimKey, type KeyUse } from '#http/idempotency.ts';
import { findKey } from '#http/idempotency-store.ts';
import { publicId } from '#lib/ids.ts';
import { type FieldError, Refusal } from '#lib/refusals.ts';
import { type LinkRow, markUsed } from '#onboarding/store.ts';
import { lockVisit, type Visit } from '#onboarding/visit.ts';
import { findPacketErrors, submitCustomer } from '#verification/submit-customer.ts';

export type SubmitOutcome =
  /** A verification record was made; the link is used up unless something has to be corrected. */
  | { readonly kind: 'accepted' }
  | { readonly kind: 'incomplete' }
  /** Refused for a reason that cannot be changed on the page. */
  | { readonly kind: 'refused'; readonly problems: readonly FieldError[] }
  /** Meanwhile the link was used, or the customer got another status. */
  | { readonly kind: 'late' };

/** Where a request came from, for its audit row. */
export interface RequestOrigin {
  readonly requestId: string;
  readonly remoteAddress: string;
}

/** Submits a complete packet as POST /verifications would; an incomplete one leaves no record (customers.md §6.8). */
export async function submitPacket(
  tx: Tx,
  visit: Visit,
  form: KeyUse,
  sender: RequestOrigin,
): Promise<SubmitOutcome> {
  const now = await lockVisit(tx, visit);
  if (!now || now.stage === 'status') return { kind: 'late' };
  const { customer, link, stage } = now;
  if (stage === 'form' && (await findPacketErrors(tx, customer)).length > 0) return { kind: 'incomplete' };
  try {
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
 * The form that used a link up is kept for a day like an idempotency key: somebody who presses the button twice sends
 * the same form again and gets the same reply. The key's body hash tells it from another form, which is not accepted.
 */
export function formKey({ id }: Pick<LinkRow, 'id'>, work: Work, content: unknown): KeyUse {
  return {
    scope: 'onboarding link',
    key: id,
    bodyHash: bodyHash(work.runtime.vault, content),
    conflict: 'CONFLICT',
    // No reply is stored: the link has the address to redirect to.
    secretReply: true,
  };
}

/** Call it in the commit that marks the link as used. */
export function recordForm(tx: Tx, form: KeyUse): Promise<void> {
  return claimKey(tx, form);
}

export async function wasSubmitted(work: Work, form: KeyUse): Promise<boolean> {
  const key = await work.read((tx) => findKey(tx, form));
  return (key?.is_alive && key.body_hash?.equals(form.bodyHash)) ?? false;
}
