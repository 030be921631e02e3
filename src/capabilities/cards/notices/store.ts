import { CARDS, type CardRow, type StoredCard } from '#capabilities/cards/card-row.ts';
import type { NetworkNotice, NoticeAnswer } from '#capabilities/cards/machine/notice.ts';
import { isErasedCard } from '#capabilities/cards/sealed-card.ts';
import type { CardTransactionRow } from '#capabilities/cards/transaction-row.ts';
import { openReference } from '#capabilities/customers/sealed-customer.ts';
import { dayPeriod } from '#foundation/counters/count.ts';
import type { Vault } from '#foundation/crypto/vault.ts';
import { inLockOrder, type Writer } from '#foundation/database/changes.ts';
import { statementOver } from '#foundation/database/row-sets.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { Changes, ReadTx } from '#foundation/database/tx.ts';

/** All facts for the decision on an authorization, from one snapshot. */
export interface LoadedAuthorization {
  /** Without the values that only the platform's replies need. */
  readonly card: Omit<CardRow, 'platform_card_id' | 'last4'>;
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

interface AuthorizationRow extends StoredCard {
  /** The platform's reference of the customer, sealed or in clear text. */
  customer_reference: readonly [sealed: string | null, clear: string | null];
  /** Status, type, currency, and the available balance. */
  account: readonly [status: string, type: string, currency: string, available: string | null];
  has_key: boolean;
  spent: string | null;
  purchases: string | null;
  uncovered: string;
  /** Whether the same notice is still due, and the answer to it as JSON. */
  known: readonly [isDue: 'true' | 'false', answer: string | null] | null;
  token_row: readonly [CardId, TokenRow['status'], TokenRow['direction'], authorized: string] | null;
  has_early: boolean;
}

/**
 * Returns undefined if there is no such card. `isBounded`: also loads the account's uncovered amount. Each look-up is a
 * subquery by key, as before an execution (src/capabilities/payments/execution/store.ts).
 */
export async function findAuthorization(
  tx: ReadTx,
  { cardId, id, token }: Pick<NetworkNotice, 'cardId' | 'id' | 'token'>,
  isBounded: boolean,
): Promise<LoadedAuthorization | undefined> {
  const [row] = await tx.sql<AuthorizationRow>`
    select ${CARD},
           (select array[encode(h.reference, 'base64'), h.platform_customer_id] from customers h
             where h.platform_id = c.platform_id and h.id = c.customer_id) as customer_reference,
           (select array[a.status, a.type, a.currency, (
                     select b.balance::text from ledger_balances b
                      where b.platform_id = a.platform_id and b.account = 'AVAIL:' || a.id and b.currency = a.currency)]
              from internal_accounts a where a.platform_id = c.platform_id and a.id = c.funding_source) as account,
           exists (select from delegated_keys k
                    where k.platform_id = c.platform_id and k.binding_id = c.binding_id and k.status = 'ACTIVE') as has_key,
           ${usedToday('CARD_SPEND:', tx)} as spent, ${usedToday('CARD_PURCHASES:', tx)} as purchases,
           ${isBounded ? sql`card_uncovered(c.platform_id, c.funding_source)` : sql`0`} as uncovered,
           (select array[(m.due_at is not null)::text, m.answer::text] from card_messages m
             where m.platform_id = c.platform_id and m.id = ${id}) as known,
           (select array[t.card_id::text, t.status, t.direction, t.authorized_amount::text] from card_transactions t
             where t.platform_id = c.platform_id and t.token = ${token}) as token_row,
           exists (select from card_messages e
                    where e.platform_id = c.platform_id and e.token = ${token} and e.is_early
                      and e.card_id = c.id) as has_early
      from cards c where c.platform_id = ${tx.platformId} and c.id = ${cardId}`;
  return row && authorizationFrom(tx.vault, row);
}

const CARD = CARDS.columns('c');

/** The part of a card's daily limit that is used, by the name of the counter. */
function usedToday(counter: 'CARD_SPEND:' | 'CARD_PURCHASES:', tx: ReadTx): Sql {
  return sql`(
    select u.numerator from counters u
     where u.platform_id = c.platform_id and u.name = ${counter} || c.id and u.period = ${dayPeriod(tx)}::date)`;
}

function authorizationFrom(vault: Vault, row: AuthorizationRow): LoadedAuthorization {
  const {
    customer_reference: [sealed, clear],
    account,
    has_key,
    spent,
    purchases,
    uncovered,
    known,
    token_row,
    has_early,
    ...card
  } = row;
  const [status, type, currency, available] = account;
  return {
    card: { ...card, is_erased: isErasedCard(card) },
    platformCustomerId: openReference(vault, {
      id: card.customer_id,
      reference: sealed === null ? null : Buffer.from(sealed, 'base64'),
      platform_customer_id: clear,
    }),
    account: { id: card.funding_source, status, type, currency },
    available: BigInt(available ?? 0),
    hasKey: has_key,
    today: { spent: BigInt(spent ?? 0), count: BigInt(purchases ?? 0) },
    uncovered: BigInt(uncovered),
    answer: known?.[0] === 'false' ? answerFrom(known[1]) : undefined,
    row: token_row ? tokenRowFrom(token_row) : undefined,
    hasEarly: has_early,
  };
}

/** An earlier notice that had no effect was stored without an answer. */
function answerFrom(stored: string | null): NoticeAnswer {
  return stored === null ? { isApplied: false } : (JSON.parse(stored) as NoticeAnswer);
}

function tokenRowFrom([card_id, status, direction, authorized]: NonNullable<
  AuthorizationRow['token_row']
>): TokenRow {
  return { card_id, status, direction, authorized_amount: BigInt(authorized) };
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
  write: (items) => [lockCards(inLockOrder(items, ({ platformId, id }) => `${platformId} ${id}`))],
};

const lockCards = statementOver<UnchangedCard>(
  {
    platform_id: ['uuid', (card) => card.platformId],
    id: ['uuid', (card) => card.id],
    seen: ['bigint', (card) => card.version],
  },
  ({ rows }) => `
    with locked as materialized (
      select r.seen, card.version
        from ${rows}
       cross join lateral (
          select c.version from cards c where c.platform_id = r.platform_id and c.id = r.id for share) card)
    select refuse_commit('stale') from locked where locked.version <> locked.seen`,
);

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
