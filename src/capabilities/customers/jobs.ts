import {
  isUsable,
  SEND_CONTACT_CODE,
  type SendContactCode,
} from '#capabilities/customers/contacts/contact-verification.ts';
import { clearCode, codeContext, findCode } from '#capabilities/customers/contacts/store.ts';
import { findLiveCustomer } from '#capabilities/customers/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { CallHandler, JobHandlers } from '#foundation/jobs/handlers.ts';
import type { Message } from '#foundation/ports/messages.ts';

const sendContactCode: CallHandler = {
  async call(work, job) {
    const { customerId, channel, codeId } = job.payload as SendContactCode;
    const pending = await work.read((tx) => pendingMessage(tx, job.payload as SendContactCode));
    if (pending) await pending.port.send(pending.message);
    return (tx) => clearCode(tx, customerId, channel, codeId);
  },
};

/** Undefined if the code was replaced, has expired or is void: the message is then useless. */
async function pendingMessage(tx: ReadTx, { customerId, channel, codeId }: SendContactCode) {
  const customer = await findLiveCustomer(tx, customerId);
  const issued = await findCode(tx, customerId, channel);
  const recipient = channel === 'EMAIL' ? customer?.email : customer?.phone_number;
  if (!recipient || issued?.id !== codeId || !issued.code || !isUsable(issued, tx.now)) return undefined;
  const code = tx.vault.openText(issued.code, codeContext(customerId, channel));
  const message: Message = {
    reference: `contact-code:${codeId}`,
    platformId: tx.platformId,
    customerId,
    channel: channel === 'EMAIL' ? 'EMAIL' : 'SMS',
    recipient,
    senderName: tx.platform.name,
    subject: 'Your verification code',
    text: `Your verification code is ${code}. It expires 10 minutes after it was requested.`,
    // The time of the request, so that messages sent at the same time keep their order.
    at: issued.issued_at,
  };
  return { port: tx.ports.messages, message };
}

export const customerJobs: JobHandlers = {
  [SEND_CONTACT_CODE.EMAIL]: sendContactCode,
  [SEND_CONTACT_CODE.PHONE]: sendContactCode,
};
