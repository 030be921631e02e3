import { CARDS, type CardRow } from '#capabilities/cards/card-row.ts';
import type { NetworkNotice, NoticeAnswer } from '#capabilities/cards/machine/notice.ts';
import { CARD_TRANSACTIONS, type CardTransactionRow } from '#capabilities/cards/transaction-row.ts';
import { dayPeriod } from '#foundation/counters/count.ts';
import { inLockOrder, type Writer } from '#foundation/database/changes.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Changes, ReadTx } from '#foundation/database/tx.ts';

/** All facts for the decision on an authorization, from one snapshot. */
export interface LoadedAuthorization {
  readonly card: CardRow;
  readonly platformCustomerId: string;
  readonly account: {
    readonly id: AccountId;
    readonly status: string;
    readonly type: string;
    readonly currency: string;
  };
  /** In the smallest unit of the account's currency. */
  readonly available: bigint;
  /** A delegated key signs for the card (wallets.md §6.8.45). */
  readonly hasKey: boolean;
  readonly today: { readonly spent: bigint; readonly count: bigint };
  readonly uncovered: bigint;
  /** The earlier answer to the same notice. */
  readonly answer: NoticeAnswer | undefined;
  /** The row that already has the token, possibly another card's. */
  readonly row: TokenRow | undefined;
  /** A notice about it arrived before it (cards.md §6.11). */
  readonly hasEarly: boolean;
}

type TokenRow = Pick<CardTransactionRow, 'card_id' | 'status' | 'direction' | 'authorized_amount'>;

interface AuthorizationRow extends CardRow {
  platform_customer_id: string;
  account_status: string;
  account_type: string;
  account_currency: string;
  available: bigint | null;
  has_key: boolean;
  spent: string;
  purchases: string;
  uncovered: string;
  is_known: boolean;
  is_due: boolean;
  answer: NoticeAnswer | null;
  row_card_id: CardId | null;
  row_status: TokenRow['status'];
  row_direction: TokenRow['direction'];
  row_authorized: bigint;
  has_early: boolean;
}

/** Returns undefined if there is no such card. `isBounded`: also loads the account's uncovered amount. */
export async function findAuthorization(
  tx: ReadTx,
  { cardId, id, token }: Pick<NetworkNotice, 'cardId' | 'id' | 'token'>,
  isBounded: boolean,
): Promise<LoadedAuthorization | undefined> {
  const [row] = await tx.query<AuthorizationRow>(sql`
    select ${CARDS.columns('(f.card)')}, f.platform_customer_id, f.account_status, f.account_type, f.account_currency,
           f.available, f.has_key, f.spent, f.purchases, f.uncovered, f.is_known, f.is_due, f.answer,
           f.row_card_id, f.row_status, f.row_direction, f.row_authorized, f.has_early
      from card_authorization(${tx.platformId}, ${cardId}, ${id}, ${token}, ${dayPeriod(tx)}, ${isBounded}) f`);
  return row && authorizationFrom(row);
}

function authorizationFrom(row: AuthorizationRow): LoadedAuthorization {
  const {
    platform_customer_id,
    account_status,
    account_type,
    account_currency,
    row_card_id,
    row_status: status,
    row_direction: direction,
    row_authorized: authorized_amount,
    has_early,
    ...rest
  } = row;
  const { available, has_key, spent, purchases, uncovered, is_known, is_due, answer, ...card } = rest;
  return {
    card,
    platformCustomerId: platform_customer_id,
    account: {
      id: card.funding_source,
      status: account_status,
      type: account_type,
      currency: account_currency,
    },
    available: available ?? 0n,
    hasKey: has_key,
    today: { spent: BigInt(spent), count: BigInt(purchases) },
    uncovered: BigInt(uncovered),
    answer: is_known && !is_due ? (answer ?? { isApplied: false }) : undefined,
    row: row_card_id === null ? undefined : { card_id: row_card_id, status, direction, authorized_amount },
    hasEarly: has_early,
  };
}

const ROW = CARD_TRANSACTIONS.columns('t');

/** The row with this token of the issuer. The caller has locked the card, so no other process changes its rows. */
export async function findRowByToken(tx: ReadTx, token: string): Promise<CardTransactionRow | undefined> {
  const [row] = await tx.query<CardTransactionRow>(sql`
    select ${ROW} from card_transactions t where t.platform_id = ${tx.platformId} and t.token = ${token}`);
  return row;
}

/**
 * The account behind a row, and whether a delegated key signs for this card and that account together
 * (wallets.md §6.8.45).
 */
export interface RowAccount {
  readonly status: string;
  readonly type: string;
  readonly currency: string;
  readonly has_key: boolean;
}

export async function loadRowAccount(
  tx: ReadTx,
  card: Pick<CardRow, 'id'>,
  accountId: AccountId,
): Promise<RowAccount> {
  const [account] = await tx.sql<RowAccount>`
    select a.status, a.type, a.currency,
           exists (select 1 from delegated_keys k
                    where k.platform_id = c.platform_id and k.binding_id = c.binding_id and k.status = 'ACTIVE'
                      and c.funding_source = a.id) as has_key
      from cards c
      join internal_accounts a on a.platform_id = c.platform_id and a.id = ${accountId}
     where c.platform_id = ${tx.platformId} and c.id = ${card.id}`;
  if (!account) throw new Error('the account behind a card transaction is there');
  return account;
}

/** Fails the commit as `stale` if the card has changed since it was read, and locks it until the commit ends. */
export function requireCard(changes: Changes, { id, version }: Pick<CardRow, 'id' | 'version'>): void {
  changes.collect(UNCHANGED_CARDS, { platformId: changes.platformId, id, version });
}

interface UnchangedCard {
  readonly platformId: PlatformId;
  readonly id: CardId;
  readonly version: bigint;
}

const UNCHANGED_CARDS: Writer<UnchangedCard> = {
  // Its name sorts before the other writers of its stage, because the card is locked before its rows.
  name: 'a card',
  stage: 'rows',
  write(items) {
    const wanted = inLockOrder(items, ({ platformId, id }) => `${platformId} ${id}`);
    return [
      sql`
        with locked as materialized (
          select w.version as seen, card.version
            from unnest(${wanted.map((each) => each.platformId)}::uuid[], ${wanted.map(({ id }) => id)}::uuid[],
                        ${wanted.map(({ version }) => version)}::bigint[]) as w (platform_id, id, version)
           cross join lateral (
              select c.version from cards c where c.platform_id = w.platform_id and c.id = w.id for share) card)
        select refuse_commit('stale') from locked where locked.version <> locked.seen`,
    ];
  },
};

/**
 * Fails the commit as `uncovered` if the account's uncovered amount exceeds this (cards.md §6.8). The account must be
 * active.
 */
export function boundUncovered(changes: Changes, accountId: AccountId, max: bigint): void {
  changes.collect(UNCOVERED, { platformId: changes.platformId, accountId, max });
}

interface BoundedAccount {
  readonly platformId: PlatformId;
  readonly accountId: AccountId;
  readonly max: bigint;
}

const UNCOVERED: Writer<BoundedAccount> = {
  // Sorts before `locked accounts`, which takes shared locks: two commits that upgraded them afterwards would deadlock.
  name: 'bounded accounts',
  stage: 'accounts',
  write: (items) =>
    inLockOrder(items, ({ platformId, accountId }) => `${platformId} ${accountId}`).map(
      ({ platformId, accountId, max }) =>
        sql`select card_check_uncovered(${platformId}, ${accountId}, ${max})`,
    ),
};
