import { timingSafeEqual } from 'node:crypto';
import {
  type CodePlace,
  clearCode,
  contactOf,
  findCode,
  replaceCode,
  type StoredCode,
  type StoredKind,
} from '#foundation/codes/store.ts';
import type { KeyPair } from '#foundation/crypto/p256.ts';
import type { Vault } from '#foundation/crypto/vault.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { CallHandler, JobDeclarations, JobMeaning } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { CODE_KINDS, type CodeKind } from '#foundation/lib/code-kinds.ts';
import type { IssuedCode, Message, MessageChannel } from '#foundation/ports/messages.ts';

/**
 * Hashes a code with a key, because six digits are easily recovered from a plain hash. The values in `boundTo` are
 * hashed with it, so that a code is accepted only together with them.
 */
export function hashCode(
  vault: Vault,
  kind: Exclude<CodeKind, 'INVITATION'>,
  boundTo: readonly string[],
  code: string,
): Buffer {
  return vault.fingerprint([...boundTo, code].join(':'), CODE_KINDS[kind].hashedAs);
}

/** Compares in constant time. */
export function isSameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

/** A code to be stored and sent. */
export interface CodeToSend extends Pick<IssuedCode, 'code' | 'wrongTriesMax'> {
  readonly channel: MessageChannel;
  readonly lifeMs: number;
  readonly target?: KeyPair;
  /** The customer who gets the code, if the owner is a credential or a card. */
  readonly customerId?: CustomerId;
}

/** Stores a new code, which voids the previous one. Its message is sent after the commit. */
export async function storeCode(tx: Tx, place: CodePlace, sent: CodeToSend): Promise<void> {
  const { code, wrongTriesMax, channel, lifeMs, target, customerId } = sent;
  const id = tx.newId<'Code'>();
  const expiresAt = new Date(tx.now.getTime() + lifeMs);
  const codeHash = hashStored(tx, place, id, code);
  const issued = { id, channel, code, codeHash, expiresAt, wrongTriesMax, target, customerId };
  await replaceCode(tx, place, issued);
  const payload: SendCode = { ...place, codeId: id };
  schedule(tx, { kind: queueOf(place.kind, channel), afterMs: 0, payload });
}

/** Why a correct code is no longer accepted; undefined: it is accepted. */
export function checkUsable(
  { usedAt, expiresAt, wrongTries, wrongTriesMax }: StoredCode,
  now: Date,
): 'USED' | 'EXPIRED' | 'TOO_MANY_TRIES' | undefined {
  if (usedAt !== null) return 'USED';
  if (now >= expiresAt) return 'EXPIRED';
  return wrongTriesMax !== null && wrongTries >= wrongTriesMax ? 'TOO_MANY_TRIES' : undefined;
}

export function isRightCode(tx: ReadTx, place: CodePlace, issued: StoredCode, typed: string): boolean {
  return isSameHash(issued.codeHash, hashStored(tx, place, issued.id, typed));
}

/** A wallet's code is bound to its credential. Letter case does not matter (wallets.md §1). */
function hashStored({ vault }: ReadTx, place: CodePlace, id: Id<'Code'>, code: string): Buffer {
  const boundTo = place.kind === 'WALLET' ? place.ownerId : (contactOf(place) ?? id);
  return hashCode(vault, place.kind, [boundTo], code.toUpperCase());
}

/** The job that sends a kind's codes, and the first part of its messages' references. */
const SENDING: Readonly<Record<StoredKind, { readonly job: string; readonly reference: string }>> = {
  CONTACT_EMAIL: { job: 'customers.send-contact-code', reference: 'contact-code' },
  CONTACT_PHONE: { job: 'customers.send-contact-code', reference: 'contact-code' },
  WALLET: { job: 'wallet-auth.send-otp', reference: 'wallet-otp' },
  CARD: { job: 'cards.send-tokenization-code', reference: 'card-code' },
};

/** Each channel has its own queue, so that an unresponsive provider does not delay the other channel's messages. */
function queueOf(kind: StoredKind, channel: MessageChannel): string {
  return channel === 'SMS' ? `${SENDING[kind].job}-by-phone` : SENDING[kind].job;
}

interface SendCode extends CodePlace {
  readonly codeId: Id<'Code'>;
}

/** A code's message, without the parts that are the same for all kinds. Undefined: nobody can receive it. */
type ComposeMessage<Owner extends Id> = (
  tx: ReadTx,
  ownerId: Owner,
  issued: StoredCode & { readonly code: string },
) => Promise<Omit<Message, 'reference' | 'platformId' | 'channel' | 'at'> | undefined>;

/** `due` says for whom a code is sent: the payload of its job has the owner's id as `ownerId`. */
export function codeJobs<Owner extends Id>(
  kind: StoredKind,
  due: JobMeaning,
  compose: ComposeMessage<Owner>,
): JobDeclarations {
  const sending = messageHandler<SendCode>(
    (tx, payload) => pendingMessage(tx, payload, compose),
    (tx, { codeId, ...place }) => clearCode(tx, place, codeId),
  );
  const handler = { ...sending, due };
  return { [queueOf(kind, 'EMAIL')]: handler, [queueOf(kind, 'SMS')]: handler };
}

/** Sends a message if it is still needed, and then clears its text. */
export function messageHandler<Payload>(
  find: (tx: ReadTx, payload: Payload) => Promise<Message | undefined>,
  clear: (tx: Tx, payload: Payload) => Promise<void>,
): CallHandler {
  return {
    async call(work, job) {
      const payload = job.payload as Payload;
      const pending = await work.read(async (tx) => {
        const message = await find(tx, payload);
        return message && { port: tx.ports.messages, message };
      });
      if (pending) await pending.port.send(pending.message);
      return (tx) => clear(tx, payload);
    },
  };
}

/** Undefined if the code was replaced or used, is void or has expired: the message is then useless. */
async function pendingMessage<Owner extends Id>(
  tx: ReadTx,
  { codeId, ...place }: SendCode,
  compose: ComposeMessage<Owner>,
): Promise<Message | undefined> {
  const issued = await findCode(tx, place);
  if (issued?.id !== codeId || issued.code === undefined || checkUsable(issued, tx.now)) return undefined;
  const composed = await compose(tx, place.ownerId as Owner, { ...issued, code: issued.code });
  return (
    composed && {
      ...composed,
      reference: `${SENDING[place.kind].reference}:${codeId}`,
      platformId: tx.platformId,
      channel: issued.channel,
      // The time of the request, so that messages sent at the same time keep their order.
      at: issued.issuedAt,
    }
  );
}
