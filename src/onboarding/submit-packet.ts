import { audit } from '#audit/audit.ts';
import type { Tx } from '#database/tx.ts';
import type { KeyUse } from '#http/idempotency.ts';
import { publicId } from '#lib/ids.ts';
import { type FieldError, Refusal } from '#lib/refusals.ts';
import { markUsed } from '#onboarding/store.ts';
import { rememberForm } from '#onboarding/taken-form.ts';
import { lockVisit, type Visit } from '#onboarding/visit.ts';
import { findPacketErrors } from '#verification/packet.ts';
import { submitCustomer } from '#verification/submit-customer.ts';

export type Submitted =
  /** Taken: there is a record of it, and the link is used up unless something has to be put right. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'incomplete' }
  /** Refused as a whole, for what the page cannot change. */
  | { readonly kind: 'refused'; readonly problems: readonly FieldError[] }
  /** The link was used, or the customer moved on, in the meantime. */
  | { readonly kind: 'late' };

/** What is sent with a request, for its audit row. */
export interface Sender {
  readonly requestId: string;
  readonly remoteAddress: string;
}

/**
 * A complete packet is submitted as POST /verifications would; an incomplete one leaves nothing (customers.md §6.8).
 */
export async function submitPacket(tx: Tx, visit: Visit, form: KeyUse, sender: Sender): Promise<Submitted> {
  const now = await lockVisit(tx, visit);
  if (!now || now.stage === 'status') return { kind: 'late' };
  const { customer, link, stage } = now;
  if (stage === 'form' && (await findPacketErrors(tx, customer)).length > 0) return { kind: 'incomplete' };
  try {
    const { verificationStatus } = await submitCustomer(tx, customer.id);
    if (verificationStatus !== 'RESOLVE_ERRORS') {
      await markUsed(tx, link.id);
      await rememberForm(tx, form);
    }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'INVALID_INPUT') throw error;
    return { kind: 'refused', problems: error.details?.errors as FieldError[] };
  }
  audit(tx, { action: 'onboarding form submitted', resource: publicId('Customer', customer.id), ...sender });
  return { kind: 'taken' };
}
