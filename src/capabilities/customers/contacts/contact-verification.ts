import { timingSafeEqual } from 'node:crypto';
import { customerContactChanged } from '#capabilities/customers/announcements.ts';
import {
  type Channel,
  type ContactCode,
  codeContext,
  countWrongTry,
  findCode,
  replaceCode,
  voidCode,
} from '#capabilities/customers/contacts/store.ts';
import { presentCustomer } from '#capabilities/customers/profile/present.ts';
import type { CustomerReply } from '#capabilities/customers/schemas.ts';
import {
  type CustomerRow,
  customerNotFound,
  lockLiveCustomer,
  updateContactStatus,
  updateCustomer,
} from '#capabilities/customers/store.ts';
import { RefusedProof } from '#foundation/audit/audit.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { announce } from '#foundation/events/reactions.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { invalidFields, type Refusal, rateLimited, refuse } from '#foundation/lib/refusals.ts';
import { requireChannel } from '#foundation/ports/messages.ts';

const CODE_LIFE_MS = 10 * 60_000;

/**
 * The jobs that send a code's message. Each channel has its own queue, so that an unresponsive provider does not delay
 * the other channel's messages.
 */
export const SEND_CONTACT_CODE: Readonly<Record<Channel, string>> = {
  EMAIL: 'customers.send-contact-code',
  PHONE: 'customers.send-contact-code-by-phone',
};

export interface SendContactCode {
  readonly customerId: string;
  readonly channel: Channel;
  readonly codeId: string;
}

/** Issues a new code and voids the previous one (customers.md §3.1). The message is sent after the commit. */
export async function issueContactCode(tx: Tx, customerId: string, channel: Channel): Promise<void> {
  await lockUnverified(tx, customerId, channel);
  requireChannel(tx.ports.messages, channel === 'EMAIL' ? 'EMAIL' : 'SMS');
  const { code, resendAfterMs, wrongTriesMax } = tx.ports.messages.issueCode();
  requireResendPause(tx, await findCode(tx, customerId, channel), resendAfterMs);
  const id = tx.newId();
  await replaceCode(tx, customerId, channel, {
    id,
    code_hash: hashCode(tx, customerId, channel, code),
    code: tx.vault.seal(code, codeContext(customerId, channel)),
    expires_at: new Date(tx.now.getTime() + CODE_LIFE_MS),
    wrong_tries_max: wrongTriesMax,
  });
  const payload: SendContactCode = { customerId, channel, codeId: id };
  schedule(tx, { kind: SEND_CONTACT_CODE[channel], afterMs: 0, payload });
}

/** The right code verifies the contact. A wrong one returns the refusal, so that the counted try is committed. */
export async function confirmContactCode(
  tx: Tx,
  customerId: string,
  channel: Channel,
  sentCode: string,
): Promise<CustomerReply | Refusal> {
  await lockUnverified(tx, customerId, channel);
  const issued = await findCode(tx, customerId, channel);
  const refusal = (reason: string) =>
    new RefusedProof(badCode(), {
      proof: `${channel}_CODE`,
      resource: publicId('Customer', customerId),
      reason,
    });
  if (!issued) throw refusal('no code was sent');
  const unusable = unusableReason(issued, tx.now);
  if (unusable !== undefined) throw refusal(unusable);
  if (!timingSafeEqual(issued.code_hash, hashCode(tx, customerId, channel, sentCode))) {
    await countWrongTry(tx, customerId, channel);
    return refusal('the code is wrong');
  }
  await voidCode(tx, customerId, channel);
  return presentCustomer(tx, await updateContactStatus(tx, customerId, channel, 'VERIFIED'));
}

/**
 * Stores a phone number that was proved by other means than a code (customers.md §7.16). The caller has locked the
 * customer and has passed the change through the gates (`contactChange`).
 */
export async function replaceVerifiedPhone(tx: Tx, stored: CustomerRow, phoneNumber: string): Promise<void> {
  const values = { ...stored, phone_number: phoneNumber, phone_verification: 'VERIFIED' as const };
  const customer = await updateCustomer(tx, stored.id, values);
  await voidCode(tx, stored.id, 'PHONE');
  if (stored.phone_number === phoneNumber) return;
  const wasVerified = stored.phone_verification === 'VERIFIED';
  await announce(tx, customerContactChanged, { customer, field: 'phoneNumber', wasVerified });
}

export function isUsable(issued: ContactCode, now: Date): boolean {
  return unusableReason(issued, now) === undefined;
}

/** Returns why a code is no longer accepted, even if it is correct. */
function unusableReason(
  { expires_at, wrong_tries, wrong_tries_max }: ContactCode,
  now: Date,
): string | undefined {
  if (now >= expires_at) return 'the code has expired or was used';
  const isVoid = wrong_tries_max !== null && wrong_tries >= wrong_tries_max;
  return isVoid ? 'the code is void after too many wrong tries' : undefined;
}

/** The same for a wrong, an expired, a void and a missing code (customers.md §3.3). */
function badCode(): Refusal {
  return invalidFields([{ field: 'code', message: 'is wrong or has expired' }]);
}

/** Refuses if the region requires no verification, or the contact is already verified (customers.md §3.3). */
async function lockUnverified(tx: Tx, customerId: string, channel: Channel): Promise<CustomerRow> {
  const customer = await lockLiveCustomer(tx, customerId);
  if (!customer) throw customerNotFound();
  const status = channel === 'EMAIL' ? customer.email_verification : customer.phone_verification;
  const contact = channel === 'EMAIL' ? 'email' : 'phone number';
  if (status === null) refuse('CONFLICT', `This customer’s ${contact} does not need to be verified.`);
  if (status === 'VERIFIED') refuse('CONFLICT', `This customer’s ${contact} is already verified.`);
  return customer;
}

function requireResendPause(tx: ReadTx, last: ContactCode | undefined, resendAfterMs: number): void {
  const waitMs = last ? last.issued_at.getTime() + resendAfterMs - tx.now.getTime() : 0;
  if (waitMs <= 0) return;
  throw rateLimited(waitMs, (seconds) => `A new code can be sent in ${seconds} seconds.`);
}

/** Keyed, because six digits are easily recovered from a plain hash. */
function hashCode(tx: ReadTx, customerId: string, channel: Channel, code: string): Buffer {
  return tx.vault.fingerprint(`${customerId}:${channel}:${code}`, 'contact_codes.code');
}
