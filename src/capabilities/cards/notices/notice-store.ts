import type { NetworkNotice, NoticeAnswer } from '#capabilities/cards/machine/notice.ts';
import { type Cardholder, openMerchant, sealMerchant } from '#capabilities/cards/sealed-purchase.ts';
import type { PersonVault } from '#foundation/crypto/vault.ts';
import { inLockOrder, type Writer } from '#foundation/database/changes.ts';
import { statementOver } from '#foundation/database/row-sets.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Changes, ReadTx, Tx } from '#foundation/database/tx.ts';
import type { Merchant } from '#foundation/ports/cards.ts';

/**
 * The network's notices, applied now or later. Stored rows keep the names from before the code called them notices: the
 * table `card_messages`, its column `message`, and in it `type` for a notice's `kind`.
 */
export interface NewNotice {
  readonly notice: NetworkNotice;
  /** Undefined: it is applied in this commit. */
  readonly dueAt?: Date | undefined;
  /** It waits for its authorization, and is dropped when it becomes due (cards.md §6.11). */
  readonly isEarly?: boolean;
  readonly answer?: NoticeAnswer | undefined;
}

/**
 * Stores a notice in this commit. A notice that was waiting is thereby finished. The commit fails as `replayed` if the
 * notice was applied before.
 */
export function keepNotice(changes: Changes, holder: Cardholder, kept: NewNotice): void {
  const { platformId, now, runtime } = changes;
  const { notice } = kept;
  const merchant =
    'merchant' in notice ? sealMerchant(runtime.vault, holder, notice.id, notice.merchant) : null;
  changes.collect(NOTICES, { ...kept, merchant, platformId, now });
}

interface NewNoticeRow extends NewNotice {
  /** Sealed for the holder of the card. */
  readonly merchant: Buffer | null;
  readonly platformId: PlatformId;
  readonly now: Date;
}

const keepNotices = statementOver<NewNoticeRow>(
  {
    platform_id: ['uuid', (each) => each.platformId],
    id: ['text', ({ notice }) => notice.id],
    card_id: ['uuid', ({ notice }) => notice.cardId],
    token: ['text', ({ notice }) => notice.token],
    message: ['jsonb', ({ notice }) => storedNotice(notice)],
    merchant: ['bytea', ({ merchant }) => merchant],
    received_at: ['timestamptz', (each) => each.now],
    due_at: ['timestamptz', (each) => each.dueAt],
    is_early: ['boolean', (each) => each.isEarly ?? false],
    answer: ['jsonb', ({ answer }) => answer && JSON.stringify(answer)],
  },
  ({ rows, count }) => `
    with kept as (
      insert into card_messages as m
        (platform_id, id, card_id, token, message, merchant, received_at, due_at, is_early, answer)
      select r.platform_id, r.id, r.card_id, r.token, r.message, r.merchant, r.received_at, r.due_at, r.is_early, r.answer
        from ${rows}
      on conflict (platform_id, id) do update
         set due_at = excluded.due_at, is_early = excluded.is_early, answer = excluded.answer
       where m.due_at is not null
      returning 1)
    select refuse_commit('replayed') where (select count(*) from kept) <> ${count}`,
);

const NOTICES: Writer<NewNoticeRow> = {
  name: 'card_messages',
  stage: 'rows',
  exclusive: ({ platformId, notice }) => [`card_messages ${platformId} ${notice.id}`],
  write: (items) => [
    keepNotices(inLockOrder(items, ({ platformId, notice }) => `${platformId} ${notice.id}`)),
  ],
};

/** Renders a notice without its merchant, which is sealed apart. */
function storedNotice({ kind: type, ...notice }: NetworkNotice): string {
  return JSON.stringify({ type, ...notice, merchant: undefined }, (_, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
}

interface StoredNotice {
  readonly message: {
    readonly type: NetworkNotice['kind'];
    readonly id: string;
    readonly amount?: string;
    /** Only in notices of an earlier version that no job has sealed yet. */
    readonly merchant?: Merchant;
  };
  readonly merchant: Buffer | null;
}

function noticeFrom(vault: PersonVault, { message, merchant: sealed }: StoredNotice): NetworkNotice {
  const { type: kind, amount, merchant, ...notice } = message;
  return {
    kind,
    ...notice,
    ...(amount !== undefined && { amount: BigInt(amount) }),
    ...(HAVE_MERCHANTS.has(kind) && { merchant: merchant ?? openMerchant(vault, notice.id, sealed) }),
  } as NetworkNotice;
}

const HAVE_MERCHANTS: ReadonlySet<NetworkNotice['kind']> = new Set([
  ...(['authorization', 'increment', 'clearing', 'return', 'return_reversal'] as const),
] satisfies Extract<NetworkNotice, { merchant: Merchant }>['kind'][]);

export interface NoticeSnapshot {
  readonly isDue: boolean;
  readonly answer: NoticeAnswer | undefined;
}

export async function findNotice(tx: ReadTx, id: string): Promise<NoticeSnapshot | undefined> {
  const [row] = await tx.sql<{ is_due: boolean; answer: NoticeAnswer | null }>`
    select due_at is not null as is_due, answer
      from card_messages where platform_id = ${tx.platformId} and id = ${id}`;
  return row && { isDue: row.is_due, answer: row.answer ?? undefined };
}

/** Stores the answer that the network got in the end, if it differs from the decision. */
export async function correctAnswer(tx: Tx, id: string, answer: NoticeAnswer): Promise<void> {
  await tx.sql`
    update card_messages set answer = ${JSON.stringify(answer)}::jsonb
     where platform_id = ${tx.platformId} and id = ${id}`;
}

/** The card's first notice that is due. */
export async function findDueNotice(tx: ReadTx, cardId: CardId): Promise<NetworkNotice | undefined> {
  const [row] = await tx.sql<StoredNotice>`
    select message, merchant from card_messages
     where platform_id = ${tx.platformId} and card_id = ${cardId} and due_at <= ${tx.now}
     order by seq limit 1`;
  return row && noticeFrom(tx.vault, row);
}

/** The card's notices that are not applied yet, in the order they were accepted. */
export async function listPending(tx: ReadTx, cardId: CardId): Promise<NetworkNotice[]> {
  const rows = await tx.sql<StoredNotice>`
    select message, merchant from card_messages
     where platform_id = ${tx.platformId} and card_id = ${cardId} and due_at is not null and not is_early
     order by seq`;
  return rows.map((row) => noticeFrom(tx.vault, row));
}

/** The authorization has arrived: notices that came before it become due now, in their order of arrival. */
export function releaseEarly(
  changes: Changes,
  { cardId, token }: Pick<NetworkNotice, 'cardId' | 'token'>,
): void {
  const { platformId, now } = changes;
  changes.collect(RELEASED, { platformId, cardId, token, now });
}

interface ReleasedToken {
  readonly platformId: PlatformId;
  readonly cardId: CardId;
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
