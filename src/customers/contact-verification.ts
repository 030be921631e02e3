import { timingSafeEqual } from 'node:crypto';
import { RefusedProof } from '#audit/failed-proof.ts';
import {
  type Channel,
  type ContactCode,
  codeContext,
  countWrongTry,
  findCode,
  replaceCode,
  voidCode,
} from '#customers/contact-store.ts';
import { presentCustomer } from '#customers/present.ts';
import type { CustomerReply } from '#customers/schemas.ts';
import {
  type CustomerRow,
  changeContactStatus,
  customerNotFound,
  lockLiveCustomer,
} from '#customers/store.ts';
import type { ReadTx, Tx } from '#database/tx.ts';
import { schedule } from '#jobs/schedule.ts';
import { publicId } from '#lib/ids.ts';
import { invalidFields, Refusal, refuse } from '#lib/refusals.ts';
import { requireChannel } from '#rails/messages.ts';

const CODE_LIFE_MS = 10 * 60_000;

/**
 * The scheduled work that hands a code's message over. Each channel has a queue of its own, so that a provider that does
 * not answer holds up no message of the other.
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

/** A new code, which voids the one before (customers.md §3.1); its message goes out after the commit. */
export async function issueContactCode(tx: Tx, customerId: string, channel: Channel): Promise<void> {
  await lockUnproven(tx, customerId, channel);
  requireChannel(tx.ports.messages, channel === 'EMAIL' ? 'EMAIL' : 'SMS');
  const { code, resendAfterMs, wrongTriesMax } = tx.ports.messages.issueCode();
  checkPause(tx, await findCode(tx, customerId, channel), resendAfterMs);
  const id = tx.newId();
  await replaceCode(tx, customerId, channel, {
    id,
    code_hash: hashOf(tx, customerId, channel, code),
    code: tx.vault.seal(code, codeContext(customerId, channel)),
    expires_at: new Date(tx.now.getTime() + CODE_LIFE_MS),
    wrong_tries_max: wrongTriesMax,
  });
  const payload: SendContactCode = { customerId, channel, codeId: id };
  schedule(tx, { kind: SEND_CONTACT_CODE[channel], afterMs: 0, payload });
}

/** The right code proves the contact. A wrong one is refused by returning, so that the count of tries stays. */
export async function confirmContactCode(
  tx: Tx,
  customerId: string,
  channel: Channel,
  given: string,
): Promise<CustomerReply | Refusal> {
  await lockUnproven(tx, customerId, channel);
  const issued = await findCode(tx, customerId, channel);
  const refused = (reason: string) =>
    new RefusedProof(badCode(), {
      proof: `${channel}_CODE`,
      resource: publicId('Customer', customerId),
      reason,
    });
  if (!issued) throw refused('no code was sent');
  const fault = faultOf(issued, tx.now);
  if (fault !== undefined) throw refused(fault);
  if (!timingSafeEqual(issued.code_hash, hashOf(tx, customerId, channel, given))) {
    await countWrongTry(tx, customerId, channel);
    return refused('the code is wrong');
  }
  await voidCode(tx, customerId, channel);
  return presentCustomer(tx, await changeContactStatus(tx, customerId, channel, 'VERIFIED'));
}

export function isUsable(issued: ContactCode, now: Date): boolean {
  return faultOf(issued, now) === undefined;
}

/** Why a code no longer counts, whatever is tried. */
function faultOf({ expires_at, wrong_tries, wrong_tries_max }: ContactCode, now: Date): string | undefined {
  if (now >= expires_at) return 'the code has expired or was used';
  const isVoid = wrong_tries_max !== null && wrong_tries >= wrong_tries_max;
  return isVoid ? 'the code is void after too many wrong tries' : undefined;
}

/** Wrong, expired, voided and never issued look alike (customers.md §3.3). */
function badCode(): Refusal {
  return invalidFields([{ field: 'code', message: 'is wrong or has expired' }]);
}

/** Only where the region asks for it, and only until it is done (customers.md §3.3). */
async function lockUnproven(tx: Tx, customerId: string, channel: Channel): Promise<CustomerRow> {
  const customer = await lockLiveCustomer(tx, customerId);
  if (!customer) throw customerNotFound();
  const status = channel === 'EMAIL' ? customer.email_verification : customer.phone_verification;
  const contact = channel === 'EMAIL' ? 'email' : 'phone number';
  if (status === null) refuse('CONFLICT', `This customer’s ${contact} does not need to be verified.`);
  if (status === 'VERIFIED') refuse('CONFLICT', `This customer’s ${contact} is already verified.`);
  return customer;
}

function checkPause(tx: ReadTx, last: ContactCode | undefined, resendAfterMs: number): void {
  const waitMs = last ? last.issued_at.getTime() + resendAfterMs - tx.now.getTime() : 0;
  if (waitMs <= 0) return;
  const seconds = Math.ceil(waitMs / 1000);
  const reason = `A new code can be sent in ${seconds} seconds.`;
  throw new Refusal('RATE_LIMITED', reason, undefined, { 'retry-after': String(seconds) });
}

/** Keyed, since six digits could be guessed back from a plain hash. */
function hashOf(tx: ReadTx, customerId: string, channel: Channel, code: string): Buffer {
  return tx.vault.fingerprint(`${customerId}:${channel}:${code}`, 'contact_codes.code');
}
