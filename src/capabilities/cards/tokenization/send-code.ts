import type { CardRow } from '#capabilities/cards/card-row.ts';
import { findCard, listCardIds, lockCard } from '#capabilities/cards/card-store.ts';
import { isPastExpiry } from '#capabilities/cards/machine/decide.ts';
import { composeMessage } from '#capabilities/cards/tokenization/message.ts';
import { findLiveCustomer } from '#capabilities/customers/store.ts';
import { loadConfig } from '#capabilities/platform/store.ts';
import { audit } from '#foundation/audit/audit.ts';
import { codeJobs, storeCode } from '#foundation/codes/codes.ts';
import { deleteAttempts } from '#foundation/codes/limit-store.ts';
import { takeAttempt } from '#foundation/codes/limits.ts';
import { codesDue, deleteCodes } from '#foundation/codes/store.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { DueSource } from '#foundation/jobs/due.ts';
import { concerning } from '#foundation/jobs/handlers.ts';
import { CODE_KINDS } from '#foundation/lib/code-kinds.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { invalidFields, notFound, refuse } from '#foundation/lib/refusals.ts';
import { type MessageChannel, requireChannel } from '#foundation/ports/messages.ts';

/**
 * The network requests a code, because the card is being added to a phone (cards.md §10.3). The new code voids the
 * previous one and is sent after the commit. The codes of a card are limited, because anyone with the number can cause
 * such requests.
 */
export async function issueTokenizationCode(tx: Tx, cardId: CardId, channel: MessageChannel): Promise<void> {
  const card = await lockActiveCard(tx, cardId);
  requireChannel(tx.ports.messages, channel);
  if ((await findRecipient(tx, card, channel)) === undefined) {
    const what = channel === 'EMAIL' ? 'e-mail address' : 'phone number';
    throw invalidFields([{ field: 'channel', message: `cannot be used: the cardholder has no ${what}` }]);
  }
  const issued = tx.ports.messages.issueCode('CARD');
  const { lifeMs, limits } = CODE_KINDS.CARD;
  const sends = [
    { ...limits.pause, withinMs: issued.resendAfterMs },
    { ...limits.sends, max: tx.platform.settings.cards.codesPerDay },
  ];
  const attempted = { kind: 'CARD_SEND', ownerId: card.id } as const;
  const reasonFor = (seconds: number) => `A new code for this card can be sent in ${seconds} seconds.`;
  await takeAttempt(tx, attempted, sends, reasonFor);
  const place = { kind: 'CARD', ownerId: card.id } as const;
  await storeCode(tx, place, { ...issued, channel, lifeMs, customerId: card.customer_id });
  audit(tx, { action: 'card code issued', resource: publicId('Card', card.id), details: { channel } });
}

/** Refuses a card that is frozen, closed, not issued yet or expired: it cannot be added to a phone. */
export async function lockActiveCard(tx: Tx, cardId: CardId): Promise<CardRow> {
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

const sendingDue = concerning(
  'Card',
  (id) => `The service sends the code for adding ${id} to a phone.`,
  'ownerId',
);

export const tokenizationJobs = codeJobs(
  'CARD',
  sendingDue,
  async (tx, cardId: CardId, { channel, code }) => {
    const card = await findCard(tx, cardId);
    if (!card) return undefined;
    const recipient = await findRecipient(tx, card, channel);
    if (recipient === undefined) return undefined;
    const { cardTokenization2faConfig: config } = await loadConfig(tx);
    const content = composeMessage(channel, { platformName: tx.platform.name, config }, code);
    return { customerId: card.customer_id, recipient, ...content };
  },
);

/** A code expires without a job: the service refuses it when the network sends it back too late. */
export const tokenizationExpiries: readonly DueSource[] = [
  codesDue('CARD', (cardId) => {
    const resourceId = publicId('Card', cardId);
    return { resourceId, sentence: `The code for adding ${resourceId} to a phone expires.` };
  }),
];

/** Called when a customer is erased. */
export async function eraseTokenizations(tx: Tx, customerId: CustomerId): Promise<void> {
  const cardIds = await listCardIds(tx, customerId);
  await deleteCodes(tx, ['CARD'], cardIds);
  await deleteAttempts(tx, ['CARD_SEND'], cardIds);
}
