import { customerContactChanged } from '#capabilities/customers/announcements.ts';
import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { presentCustomer } from '#capabilities/customers/profile/present.ts';
import type { CustomerReply } from '#capabilities/customers/schemas.ts';
import {
  customerNotFound,
  findLiveCustomer,
  lockLiveCustomer,
  updateContactStatus,
  updateCustomer,
} from '#capabilities/customers/store.ts';
import { RefusedProof } from '#foundation/audit/audit.ts';
import { checkUsable, codeJobs, isRightCode, storeCode } from '#foundation/codes/codes.ts';
import { deleteAttempts } from '#foundation/codes/limit-store.ts';
import { takeAttempt } from '#foundation/codes/limits.ts';
import { codesDue, countWrongTry, deleteCodes, endCode, findCode } from '#foundation/codes/store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { announce } from '#foundation/events/reactions.ts';
import type { DueSource } from '#foundation/jobs/due.ts';
import { concerning } from '#foundation/jobs/handlers.ts';
import { CODE_KINDS } from '#foundation/lib/code-kinds.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { invalidFields, type Refusal, refuse } from '#foundation/lib/refusals.ts';
import { requireChannel } from '#foundation/ports/messages.ts';

export type Channel = 'EMAIL' | 'PHONE';

function codeOf(customerId: CustomerId, channel: Channel) {
  return { kind: `CONTACT_${channel}`, ownerId: customerId } as const;
}

/** Issues a new code and voids the previous one (customers.md §3.1). The message is sent after the commit. */
export async function issueContactCode(tx: Tx, customerId: CustomerId, channel: Channel): Promise<void> {
  await lockUnverified(tx, customerId, channel);
  const sentBy = channel === 'EMAIL' ? 'EMAIL' : 'SMS';
  requireChannel(tx.ports.messages, sentBy);
  const place = codeOf(customerId, channel);
  const issued = tx.ports.messages.issueCode(place.kind);
  const limits = [{ max: 1, withinMs: issued.resendAfterMs }];
  const sends = { kind: `${place.kind}_SEND`, ownerId: customerId } as const;
  await takeAttempt(tx, sends, limits, (seconds) => `A new code can be sent in ${seconds} seconds.`);
  await storeCode(tx, place, { ...issued, channel: sentBy, lifeMs: CODE_KINDS[place.kind].lifeMs });
}

/** The right code verifies the contact. A wrong one returns the refusal, so that the counted try is committed. */
export async function confirmContactCode(
  tx: Tx,
  customerId: CustomerId,
  channel: Channel,
  sentCode: string,
): Promise<CustomerReply | Refusal> {
  await lockUnverified(tx, customerId, channel);
  const place = codeOf(customerId, channel);
  const issued = await findCode(tx, place);
  const refusal = (reason: string) =>
    new RefusedProof(badCode(), {
      proof: `${channel}_CODE`,
      resource: publicId('Customer', customerId),
      reason,
    });
  if (!issued) throw refusal('no code was sent');
  const unusable = checkUsable(issued, tx.now);
  if (unusable === 'TOO_MANY_TRIES') throw refusal('the code is void after too many wrong tries');
  if (unusable) throw refusal('the code has expired or was used');
  if (!isRightCode(tx, place, issued, sentCode)) {
    await countWrongTry(tx, place);
    return refusal('the code is wrong');
  }
  await endCode(tx, place);
  return presentCustomer(tx, await updateContactStatus(tx, customerId, channel, 'VERIFIED'));
}

/**
 * Stores a phone number that was proved by other means than a code (customers.md §7.16). The caller has locked the
 * customer and has passed the change through the gates (`contactChange`).
 */
export async function replaceVerifiedPhone(tx: Tx, stored: CustomerRow, phoneNumber: string): Promise<void> {
  const values = { ...stored, phone_number: phoneNumber, phone_verification: 'VERIFIED' as const };
  const customer = await updateCustomer(tx, stored.id, values);
  await voidContactCode(tx, stored.id, 'PHONE');
  if (stored.phone_number === phoneNumber) return;
  const wasVerified = stored.phone_verification === 'VERIFIED';
  await announce(tx, customerContactChanged, { customer, field: 'phoneNumber', wasVerified });
}

/** Voids the code of a contact that has changed; the pause between messages still counts (customers.md §3.2). */
export async function voidContactCode(tx: Tx, customerId: CustomerId, channel: Channel): Promise<void> {
  await endCode(tx, codeOf(customerId, channel));
}

/** Called when the customer is deleted. */
export async function deleteContactCodes(tx: Tx, customerId: CustomerId): Promise<void> {
  await deleteCodes(tx, ['CONTACT_EMAIL', 'CONTACT_PHONE'], [customerId]);
  await deleteAttempts(tx, ['CONTACT_EMAIL_SEND', 'CONTACT_PHONE_SEND'], [customerId]);
}

/** The same for a wrong, an expired, a void and a missing code (customers.md §3.3). */
function badCode(): Refusal {
  return invalidFields([{ field: 'code', message: 'is wrong or has expired' }]);
}

/** Refuses if the region requires no verification, or the contact is already verified (customers.md §3.3). */
async function lockUnverified(tx: Tx, customerId: CustomerId, channel: Channel): Promise<CustomerRow> {
  const customer = await lockLiveCustomer(tx, customerId);
  if (!customer) throw customerNotFound();
  const status = channel === 'EMAIL' ? customer.email_verification : customer.phone_verification;
  const contact = channel === 'EMAIL' ? 'email' : 'phone number';
  if (status === null) refuse('CONFLICT', `This customer’s ${contact} does not need to be verified.`);
  if (status === 'VERIFIED') refuse('CONFLICT', `This customer’s ${contact} is already verified.`);
  return customer;
}

export const contactJobs = codeJobs(
  'CONTACT_EMAIL',
  concerning('Customer', (id) => `The service sends a code to a contact of ${id}.`, 'ownerId'),
  async (tx, customerId: CustomerId, { channel, code }) => {
    const customer = await findLiveCustomer(tx, customerId);
    const recipient = channel === 'EMAIL' ? customer?.email : customer?.phone_number;
    if (!recipient) return undefined;
    return {
      customerId,
      recipient,
      senderName: tx.platform.name,
      subject: 'Your verification code',
      text: `Your verification code is ${code}. It expires 10 minutes after it was requested.`,
    };
  },
);

/** Contact codes expire without a job: a later call compares the time. */
export const contactExpiries: readonly DueSource[] = (['CONTACT_EMAIL', 'CONTACT_PHONE'] as const).map(
  (kind) =>
    codesDue(kind, (customerId) => {
      const resourceId = publicId('Customer', customerId);
      const contact = kind === 'CONTACT_EMAIL' ? 'e-mail address' : 'phone number';
      return { resourceId, sentence: `The code for the ${contact} of ${resourceId} expires.` };
    }),
);
