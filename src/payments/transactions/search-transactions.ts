import { findIdsByReference } from '#customers/find-by-reference.ts';
import { readUmaAddress } from '#customers/uma-address.ts';
import { type Sql, sql } from '#database/sql.ts';
import type { Tx } from '#database/tx.ts';
import { readInstant } from '#http/formats.ts';
import type { KeysetQuery } from '#http/paging.ts';
import { isUuid, parseId, publicId } from '#lib/ids.ts';
import { transactionColumns } from '#payments/store.ts';
import type { TransactionQuery } from '#payments/transactions/schemas.ts';

/** One filter: conditions of which a row fulfils at most one. Each is served by an index in the list's own order. */
type Alternatives = readonly Sql[];

const NOTHING: Alternatives = [sql`false`];

/**
 * The statement behind the list (money.md §6.1 to §6.4). A filter that two columns can meet is two walks along
 * their indexes, merged, so that a page costs the same however large the table is.
 */
export async function searchTransactions(tx: Tx, query: TransactionQuery): Promise<KeysetQuery> {
  const filters: Alternatives[] = [
    ...given(query.customerId, (id) => ofCustomer(tx, id)),
    ...(await ofReference(tx, query.platformCustomerId)),
    ...given(query.accountIdentifier, eitherSide),
    ...given(query.senderAccountIdentifier, (text) => onSide('source', text)),
    ...given(query.receiverAccountIdentifier, (text) => onSide('destination', text)),
    ...given(query.status, (status) => inStatus(tx, status)),
    ...given(query.type, (type) => [sql`t.type = ${type}`]),
    ...given(query.reference, byReference),
    ...given(query.startDate, (from) => [sql`t.created_at >= ${readInstant(from)}`]),
    ...given(query.endDate, (to) => [sql`t.created_at <= ${readInstant(to)}`]),
    // Payments by card are none of these rows.
    ...given(query.cardId, () => NOTHING),
  ];
  return {
    columns: transactionColumns(sql`t`),
    from: sql`transactions t`,
    where: [sql`t.platform_id = ${tx.platformId}`],
    alternatives: combinations(filters),
    order: query.sortOrder ?? 'desc',
    ...([query.customerId, query.platformCustomerId].some((text) => isOwnId(tx, text)) && {
      nullColumn: sql`t.customer_id`,
    }),
  };
}

function given<T>(value: T | undefined, filter: (value: T) => Alternatives): Alternatives[] {
  return value === undefined ? [] : [filter(value)];
}

/** Every way to meet all filters: no row is in two. */
function combinations(filters: readonly Alternatives[]): Sql[][] {
  return filters.reduce<Sql[][]>(
    (ways, alternatives) => ways.flatMap((way) => alternatives.map((condition) => [...way, condition])),
    [[]],
  );
}

/** The platform's own id means what belongs to no customer. */
function ofCustomer(tx: Tx, text: string): Alternatives {
  if (isOwnId(tx, text)) return [sql`t.customer_id is null`];
  const id = parseId('Customer', text);
  return id === undefined ? NOTHING : [sql`t.customer_id = ${id}`];
}

async function ofReference(tx: Tx, reference: string | undefined): Promise<Alternatives[]> {
  if (reference === undefined) return [];
  if (isOwnId(tx, reference)) return [[sql`t.customer_id is null`]];
  const ids = await findIdsByReference(tx, reference);
  if (ids.length === 0) return [NOTHING];
  return [ids.map((id) => sql`t.customer_id = ${id}`)];
}

function isOwnId(tx: Tx, text: string | undefined): boolean {
  return text === publicId('Platform', tx.platformId) || text === tx.platformId;
}

type Side = 'source' | 'destination';

function onSide(side: Side, text: string): Alternatives {
  const condition = matching(side, text);
  return condition === undefined ? NOTHING : [condition];
}

function eitherSide(text: string): Alternatives {
  const [source, destination] = [matching('source', text), matching('destination', text)];
  if (source === undefined || destination === undefined) return NOTHING;
  return [source, sql`${destination} and (${source}) is not true`];
}

/** An account by its id, or a UMA address; undefined where the text is neither. */
function matching(side: Side, text: string): Sql | undefined {
  const isSource = side === 'source';
  if (text.startsWith('$')) {
    const address = readUmaAddress(text);
    return isSource ? sql`t.source_uma = ${address}` : sql`t.destination_uma = ${address}`;
  }
  const account = isSource ? sql`t.source_account` : sql`t.destination_account`;
  if (isUuid(text)) return sql`${account} = ${text}`;
  const type = isSource ? sql`t.source_type` : sql`t.destination_type`;
  const internal = parseId('InternalAccount', text, 'full');
  if (internal !== undefined) return sql`${account} = ${internal} and ${type} <> 'EXTERNAL'`;
  const external = parseId('ExternalAccount', text, 'full');
  return external === undefined ? undefined : sql`${account} = ${external} and ${type} = 'EXTERNAL'`;
}

/** As it is shown: a quote past its time reads `EXPIRED` before its timer has run (§3.1). */
function inStatus(tx: Tx, status: NonNullable<TransactionQuery['status']>): Alternatives {
  const isLate = sql`t.kind = 'QUOTE' and t.executed_at is null and t.expires_at <= ${tx.now}`;
  if (status === 'PENDING') return [sql`t.status = 'PENDING' and (${isLate}) is not true`];
  if (status === 'EXPIRED') return [sql`t.status = 'EXPIRED'`, sql`t.status = 'PENDING' and ${isLate}`];
  return [sql`t.status = ${status}`];
}

function byReference(text: string): Alternatives {
  return [
    sql`t.reference = ${text}`,
    sql`t.refund_reference = ${text} and t.reference is distinct from ${text}`,
  ];
}
