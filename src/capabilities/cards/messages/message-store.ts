import {
  type CardMessage,
  type MessageAnswer,
  messageFrom,
  storedMessage,
} from '#capabilities/cards/messages/message.ts';
import { inLockOrder, type Writer } from '#foundation/database/changes.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Changes, ReadTx, Tx } from '#foundation/database/tx.ts';

/** A message of the network, applied now or later. */
export interface NewMessage {
  readonly message: CardMessage;
  /** Undefined: it is applied in this commit. */
  readonly dueAt?: Date | undefined;
  /** It waits for its authorization, and is dropped when it becomes due (cards.md §6.11). */
  readonly isEarly?: boolean;
  readonly answer?: MessageAnswer | undefined;
}

/**
 * Stores a message in this commit. A message that was waiting is thereby finished. The commit fails as `replayed` if the
 * message was applied before.
 */
export function keepMessage(changes: Changes, kept: NewMessage): void {
  changes.collect(MESSAGES, { ...kept, platformId: changes.platformId, now: changes.now });
}

interface NewMessageRow extends NewMessage {
  readonly platformId: string;
  readonly now: Date;
}

const MESSAGES: Writer<NewMessageRow> = {
  name: 'card_messages',
  stage: 'rows',
  exclusive: ({ platformId, message }) => [`card_messages ${platformId} ${message.id}`],
  write(items) {
    const kept = inLockOrder(items, ({ platformId, message }) => `${platformId} ${message.id}`);
    return [
      sql`
        with kept as (
          insert into card_messages as m
            (platform_id, id, card_id, token, message, received_at, due_at, is_early, answer)
          select s.platform_id, s.id, s.card_id, s.token, s.message, s.received_at, s.due_at, s.is_early, s.answer
            from unnest(${kept.map((each) => each.platformId)}::uuid[], ${kept.map(({ message }) => message.id)}::text[],
                        ${kept.map(({ message }) => message.cardId)}::uuid[],
                        ${kept.map(({ message }) => message.token)}::text[],
                        ${kept.map(({ message }) => storedMessage(message))}::jsonb[],
                        ${kept.map((each) => each.now)}::timestamptz[],
                        ${kept.map((each) => each.dueAt ?? null)}::timestamptz[],
                        ${kept.map((each) => each.isEarly ?? false)}::boolean[],
                        ${kept.map(({ answer }) => (answer ? JSON.stringify(answer) : null))}::jsonb[])
                 as s (platform_id, id, card_id, token, message, received_at, due_at, is_early, answer)
          on conflict (platform_id, id) do update
             set due_at = excluded.due_at, is_early = excluded.is_early, answer = excluded.answer
           where m.due_at is not null
          returning 1)
        select refuse_commit('replayed') where (select count(*) from kept) <> ${kept.length}::integer`,
    ];
  },
};

export interface MessageSnapshot {
  readonly isDue: boolean;
  readonly answer: MessageAnswer | undefined;
}

export async function findMessage(tx: ReadTx, id: string): Promise<MessageSnapshot | undefined> {
  const [row] = await tx.sql<{ is_due: boolean; answer: MessageAnswer | null }>`
    select due_at is not null as is_due, answer
      from card_messages where platform_id = ${tx.platformId} and id = ${id}`;
  return row && { isDue: row.is_due, answer: row.answer ?? undefined };
}

/** Stores the answer that the network got in the end, if it differs from the decision. */
export async function correctAnswer(tx: Tx, id: string, answer: MessageAnswer): Promise<void> {
  await tx.sql`
    update card_messages set answer = ${JSON.stringify(answer)}::jsonb
     where platform_id = ${tx.platformId} and id = ${id}`;
}

/** The card's first message that is due. */
export async function findDueMessage(tx: ReadTx, cardId: string): Promise<CardMessage | undefined> {
  const [row] = await tx.sql<{ message: unknown }>`
    select message from card_messages
     where platform_id = ${tx.platformId} and card_id = ${cardId} and due_at <= ${tx.now}
     order by seq limit 1`;
  return row && messageFrom(row.message);
}

/** The card's messages that are not applied yet, in the order they were accepted. */
export async function listPending(tx: ReadTx, cardId: string): Promise<CardMessage[]> {
  const rows = await tx.sql<{ message: unknown }>`
    select message from card_messages
     where platform_id = ${tx.platformId} and card_id = ${cardId} and due_at is not null and not is_early
     order by seq`;
  return rows.map(({ message }) => messageFrom(message));
}

/** The authorization has arrived: messages that came before it become due now, in their order of arrival. */
export function releaseEarly(
  changes: Changes,
  { cardId, token }: Pick<CardMessage, 'cardId' | 'token'>,
): void {
  const { platformId, now } = changes;
  changes.collect(RELEASED, { platformId, cardId, token, now });
}

interface ReleasedToken {
  readonly platformId: string;
  readonly cardId: string;
  readonly token: string;
  readonly now: Date;
}

const RELEASED: Writer<ReleasedToken> = {
  name: 'card_messages released',
  stage: 'rows',
  write: (items) => [
    sql`
      update card_messages m set due_at = s.now, is_early = false
        from unnest(${items.map((each) => each.platformId)}::uuid[], ${items.map((each) => each.cardId)}::uuid[],
                    ${items.map((each) => each.token)}::text[], ${items.map((each) => each.now)}::timestamptz[])
             as s (platform_id, card_id, token, now)
       where m.platform_id = s.platform_id and m.card_id = s.card_id and m.token = s.token and m.is_early`,
  ],
};
