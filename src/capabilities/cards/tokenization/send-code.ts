import type { CardRow } from '#capabilities/cards/card-row.ts';
import { findCard, lockCard } from '#capabilities/cards/card-store.ts';
import { isPastExpiry } from '#capabilities/cards/machine/decide.ts';
import { composeMessage } from '#capabilities/cards/tokenization/message.ts';
import {
  clearCode,
  findTokenization,
  replaceTokenization,
  type Tokenization,
} from '#capabilities/cards/tokenization/store.ts';
import { findLiveCustomer } from '#capabilities/customers/store.ts';
import { loadConfig } from '#capabilities/platform/store.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { CallHandler, JobHandlers } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { publicId } from '#foundation/lib/ids.ts';
import {
  invalidFields,
  notFound,
  type Refusal,
  rateLimited,
  refuse,
  refuseIf,
} from '#foundation/lib/refusals.ts';
import { type Message, type MessageChannel, requireChannel } from '#foundation/ports/messages.ts';

const CODE_LIFE_MS = 10 * 60_000;
const WRONG_TRIES_MAX = 5;
const DAY_MS = 24 * 60 * 60_000;

/** Scheduled work: sends a code's message. Each channel has its own queue, so that one does not delay the other. */
const SEND_CODE: Readonly<Record<MessageChannel, string>> = {
  EMAIL: 'cards.send-tokenization-code',
  SMS: 'cards.send-tokenization-code-by-phone',
};

interface SendCode {
  readonly cardId: string;
  readonly tokenizationId: string;
}

/**
 * The network requests a code, because the card is being added to a phone (cards.md §10.3). The new code voids the
 * previous one and is sent after the commit. The codes of a card are limited, because anyone with the number can cause
 * such requests.
 */
export async function issueTokenizationCode(tx: Tx, cardId: string, channel: MessageChannel): Promise<void> {
  const card = await lockActiveCard(tx, cardId);
  requireChannel(tx.ports.messages, channel);
  if ((await findRecipient(tx, card, channel)) === undefined) {
    const what = channel === 'EMAIL' ? 'e-mail address' : 'phone number';
    throw invalidFields([{ field: 'channel', message: `cannot be used: the cardholder has no ${what}` }]);
  }
  const { code, resendAfterMs } = tx.ports.messages.issueCode();
  const last = await findTokenization(tx, card.id);
  refuseIf(last && checkLimits(last, { now: tx.now, resendAfterMs, ...tx.platform.settings.cards }));
  const id = tx.newId();
  await replaceTokenization(tx, card.id, {
    id,
    channel,
    code,
    codeHash: codeHash(tx, id, code),
    expiresAt: new Date(tx.now.getTime() + CODE_LIFE_MS),
    issuedThatDay: last && isSameDay(last.issuedAt, tx.now) ? last.issuedThatDay + 1 : 1,
  });
  const payload: SendCode = { cardId: card.id, tokenizationId: id };
  schedule(tx, { kind: SEND_CODE[channel], afterMs: 0, payload: { ...payload } });
  audit(tx, { action: 'card code issued', resource: publicId('Card', card.id), details: { channel } });
}

/** Refuses a card that is frozen, closed, not issued yet or expired: it cannot be added to a phone. */
export async function lockActiveCard(tx: Tx, cardId: string): Promise<CardRow> {
  const card = await lockCard(tx, cardId);
  if (!card) throw notFound('NOT_FOUND', 'Card');
  const { status } = card;
  if (status !== 'ACTIVE') refuse('CONFLICT', `The card is ${status}, and must be ACTIVE.`, { status });
  if (isPastExpiry(card, tx.now)) refuse('CONFLICT', 'The card has expired.', { status });
  return card;
}

async function findRecipient(
  tx: ReadTx,
  { customer_id }: CardRow,
  channel: MessageChannel,
): Promise<string | undefined> {
  const customer = await findLiveCustomer(tx, customer_id);
  return (channel === 'EMAIL' ? customer?.email : customer?.phone_number) ?? undefined;
}

/** How often a card's codes may be sent. */
interface SendLimits {
  readonly now: Date;
  readonly resendAfterMs: number;
  /** On one UTC day; 0: any number. */
  readonly codesPerDay: number;
}

function checkLimits(
  { issuedAt, issuedThatDay }: Tokenization,
  { now, resendAfterMs, codesPerDay }: SendLimits,
): Refusal | undefined {
  const isSpent = codesPerDay > 0 && issuedThatDay >= codesPerDay && isSameDay(issuedAt, now);
  const pauseMs = issuedAt.getTime() + resendAfterMs - now.getTime();
  const waitMs = isSpent ? DAY_MS - (now.getTime() % DAY_MS) : pauseMs;
  if (waitMs <= 0) return undefined;
  return rateLimited(waitMs, (seconds) => `A new code for this card can be sent in ${seconds} seconds.`);
}

function isSameDay(one: Date, other: Date): boolean {
  return Math.floor(one.getTime() / DAY_MS) === Math.floor(other.getTime() / DAY_MS);
}

/** A keyed hash, because six digits are easily guessed from a plain one. */
export function codeHash(tx: ReadTx, tokenizationId: string, code: string): Buffer {
  return tx.vault.fingerprint(`${tokenizationId}:${code}`, 'card_tokenizations.code');
}

/** Why a correct code is no longer accepted; undefined: it is. */
export function checkUsable(
  { usedAt, expiresAt, wrongTries }: Tokenization,
  now: Date,
): 'USED' | 'EXPIRED' | 'TOO_MANY_TRIES' | undefined {
  if (usedAt !== null) return 'USED';
  if (now >= expiresAt) return 'EXPIRED';
  return wrongTries >= WRONG_TRIES_MAX ? 'TOO_MANY_TRIES' : undefined;
}

const sendHandler: CallHandler = {
  async call(work, job) {
    const payload = job.payload as unknown as SendCode;
    const pending = await work.read((tx) => pendingMessage(tx, payload));
    if (pending) await pending.port.send(pending.message);
    return (tx) => clearCode(tx, payload.cardId, payload.tokenizationId);
  },
};

/** Returns undefined if the code was replaced, used or has expired, so that the message is not needed. */
async function pendingMessage(tx: ReadTx, { cardId, tokenizationId }: SendCode) {
  const card = await findCard(tx, cardId);
  const issued = await findTokenization(tx, cardId);
  if (!card || issued?.id !== tokenizationId || issued.code === undefined) return undefined;
  const recipient = await findRecipient(tx, card, issued.channel);
  if (recipient === undefined || checkUsable(issued, tx.now) !== undefined) return undefined;
  const { cardTokenization2faConfig: config } = await loadConfig(tx);
  const message: Message = {
    reference: `card-code:${tokenizationId}`,
    platformId: tx.platformId,
    customerId: card.customer_id,
    channel: issued.channel,
    recipient,
    ...composeMessage(issued.channel, { platformName: tx.platform.name, config }, issued.code),
    at: issued.issuedAt,
  };
  return { port: tx.ports.messages, message };
}

export const tokenizationJobs: JobHandlers = { [SEND_CODE.EMAIL]: sendHandler, [SEND_CODE.SMS]: sendHandler };
