import { CARDS, type CardRow, type StoredCard } from '#capabilities/cards/card-row.ts';
import { hashPlatformCardId, openCards } from '#capabilities/cards/sealed-card.ts';
import type { KeyedHash } from '#foundation/crypto/keyed-hashes.ts';
import { inLockOrder, type Writer } from '#foundation/database/changes.ts';
import { allVersionsOf } from '#foundation/database/known-hashes.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { Changes, ReadTx, Tx } from '#foundation/database/tx.ts';
import { keysetPage, type Page, type PageRequest } from '#foundation/http/paging.ts';

const COLUMNS = CARDS.columns('t');

export async function findCard(tx: ReadTx, id: CardId): Promise<CardRow | undefined> {
  const rows = await tx.query<StoredCard>(sql`
    select ${COLUMNS} from cards t where t.platform_id = ${tx.platformId} and t.id = ${id}`);
  return (await openCards(tx, rows))[0];
}

/** Locked until the end of the transaction. */
export async function lockCard(tx: Tx, id: CardId): Promise<CardRow | undefined> {
  const rows = await tx.query<StoredCard>(sql`
    select ${COLUMNS} from cards t where t.platform_id = ${tx.platformId} and t.id = ${id}
       for no key update`);
  return (await openCards(tx, rows))[0];
}

type CardVersion = Pick<CardRow, 'platform_id' | 'id' | 'version'>;

/**
 * Raises the card's version in this commit, so that decisions made meanwhile on the old version are repeated. The commit
 * itself fails as `stale` if the card has changed since it was read. The API shows no change.
 */
export function touchCard(changes: Changes, { platform_id, id, version }: CardVersion): void {
  changes.collect(VERSIONS, { platform_id, id, version });
}

const VERSIONS: Writer<CardVersion> = {
  name: 'card versions',
  stage: 'rows',
  exclusive: ({ platform_id, id }) => [`cards ${platform_id} ${id}`],
  write: (cards) =>
    inLockOrder(cards, ({ platform_id, id }) => `${platform_id} ${id}`).map(
      ({ platform_id, id, version }) => sql`
        with touched as (
          update cards set version = version + 1
           where platform_id = ${platform_id} and id = ${id} and version = ${version}
          returning 1)
        select refuse_commit('stale') where not exists (select from touched)`,
    ),
};

export interface CardFilters {
  readonly customerId?: CustomerId | undefined;
  readonly accountId?: AccountId | undefined;
  readonly platformCardId?: string | undefined;
  readonly status?: string | undefined;
}

export async function listCards<Item>(
  tx: ReadTx,
  request: PageRequest,
  { order, ...filters }: CardFilters & { readonly order: 'asc' | 'desc' },
  present: (row: CardRow) => Item,
): Promise<Page<Item>> {
  const where = conditions(tx, filters);
  const query = { columns: COLUMNS, from: sql`cards t`, where, order };
  const found = await keysetPage(tx, request, query, (row: StoredCard) => row);
  return { ...found, data: (await openCards(tx, found.data)).map(present) };
}

function conditions(tx: ReadTx, filters: CardFilters): Sql[] {
  return [
    sql`t.platform_id = ${tx.platformId}`,
    ...optionalCondition(filters.customerId, (id) => sql`t.customer_id = ${id}`),
    ...optionalCondition(filters.accountId, (id) => sql`t.funding_source = ${id}`),
    ...optionalCondition(filters.platformCardId, (text) => sql`t.id in (${withPlatformCardId(tx, text)})`),
    ...optionalCondition(filters.status, (status) => sql`t.status = ${status}`),
  ];
}

function optionalCondition(value: string | undefined, condition: (value: string) => Sql): Sql[] {
  return value === undefined ? [] : [condition(value)];
}

export async function listCardIds(tx: ReadTx, customerId: CustomerId): Promise<CardId[]> {
  const rows = await tx.sql<{ id: CardId }>`
    select id from cards where platform_id = ${tx.platformId} and customer_id = ${customerId}`;
  return rows.map(({ id }) => id);
}

export async function isPlatformCardIdUsed(tx: ReadTx, platformCardId: string): Promise<boolean> {
  return (await tx.query(withPlatformCardId(tx, platformCardId))).length > 0;
}

/** Finds the card by two indexes: one of sealed cards, and one of cards in clear text. */
function withPlatformCardId({ vault, platformId }: ReadTx, platformCardId: string): Sql {
  return sql`
    select c.id from cards c
     where c.platform_id = ${platformId} and c.reference_hash = any(${allVersionsOf(hashPlatformCardId(vault, platformCardId))})
    union all
    select c.id from cards c where c.platform_id = ${platformId} and c.platform_card_id = ${platformCardId}`;
}

/** Whether a card of any platform has, or had, this number: a number exists only once (cards.md §1.5). */
export async function isNumberUsed(tx: ReadTx, number: KeyedHash): Promise<boolean> {
  const rows = await tx.sql`select 1 from cards where pan_hash = any(${allVersionsOf(number)})`;
  return rows.length > 0;
}

/**
 * Takes a place among the live cards of this owner, the platform or one customer, and returns how many are taken then. The
 * owner's row is locked until the commit, so that parallel calls take no more places than there are (cards.md §1.2). A
 * caller that exceeds the limit refuses, and the rollback frees the place.
 */
export async function takeCardPlace(tx: Tx, ownerId: Id<'Customer' | 'Platform'>): Promise<number> {
  const [row] = await tx.sql<{ taken: number }>`
    insert into card_places as p (platform_id, owner_id, taken) values (${tx.platformId}, ${ownerId}, 1)
    on conflict (platform_id, owner_id) do update set taken = p.taken + 1
    returning taken`;
  return row?.taken ?? 0;
}

/** Called when the card is closed. */
export async function freeCardPlace(tx: Tx, ownerId: Id<'Customer' | 'Platform'>): Promise<void> {
  await tx.sql`
    update card_places set taken = taken - 1 where platform_id = ${tx.platformId} and owner_id = ${ownerId}`;
}
