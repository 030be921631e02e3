import { type CoinRow, outsideAccountOf } from '#capabilities/stablecoins/coin-row.ts';
import { OPEN } from '#capabilities/stablecoins/open-operations-store.ts';
import {
  OPERATIONS,
  type OperationRow,
  type OperationType,
  type StoredOperation,
} from '#capabilities/stablecoins/operations/row.ts';
import { openOperations } from '#capabilities/stablecoins/operations/sealed-operation.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { keysetPage, type Page, type PageRequest } from '#foundation/http/paging.ts';
import { loadSum } from '#foundation/ledger/store.ts';
import type { AccountRole } from '#foundation/ports/stablecoins.ts';

const COLUMNS = OPERATIONS.columns('t');

/** A burn of coins in external wallets, or at the provider. */
const FROM_OUTSIDE = sql`t.operation_type = 'BURN' and t.source_internal is null`;
/** The provider was given the coins, or already had them, whether or not we know its answer. */
const FUNDED = sql`(t.status in ('PENDING_PROVIDER', 'PROCESSING')
  or t.status = 'CREATED' and t.source_type = 'PROVIDER_INTERNAL_BALANCE')`;

export async function findOperation(
  tx: ReadTx,
  id: Id<'StablecoinOperation'>,
): Promise<OperationRow | undefined> {
  return openOne(tx, await tx.query<StoredOperation>(operationById(tx, id)));
}

/** Locks the row until the transaction ends. Lock its coin first. */
export async function lockOperation(
  tx: Tx,
  id: Id<'StablecoinOperation'>,
): Promise<OperationRow | undefined> {
  return openOne(tx, await tx.query<StoredOperation>(sql`${operationById(tx, id)} for no key update of t`));
}

async function openOne(tx: ReadTx, rows: readonly StoredOperation[]): Promise<OperationRow | undefined> {
  const [row] = await openOperations(tx, rows);
  return row;
}

function operationById({ platformId }: ReadTx, id: Id<'StablecoinOperation'>): Sql {
  return sql`select ${COLUMNS} from stablecoin_operations t where t.platform_id = ${platformId} and t.id = ${id}`;
}

export interface OperationFilters {
  readonly coinId?: CoinId | undefined;
  readonly operationType?: OperationType | undefined;
  readonly status?: string | undefined;
}

export async function listOperations<Item>(
  tx: ReadTx,
  request: PageRequest,
  filters: OperationFilters,
  present: (row: OperationRow) => Item,
): Promise<Page<Item>> {
  const query = { columns: COLUMNS, from: sql`stablecoin_operations t`, where: conditions(tx, filters) };
  const page = await keysetPage(tx, request, query, (row: StoredOperation) => row);
  return { ...page, data: (await openOperations(tx, page.data)).map(present) };
}

function conditions({ platformId }: ReadTx, { coinId, operationType, status }: OperationFilters): Sql[] {
  return [
    sql`t.platform_id = ${platformId}`,
    ...(coinId === undefined ? [] : [sql`t.stablecoin_id = ${coinId}`]),
    sql`t.status <> 'REFUSED'`,
    ...(operationType === undefined ? [] : [sql`t.operation_type = ${operationType}`]),
    ...(status === undefined ? [] : [sql`t.status = ${status}`]),
  ];
}

/** The open amounts in a coin, in its smallest units. Exact while the coin is locked. */
export interface OpenAmounts {
  readonly mints: bigint;
  /** The part of these that goes to one internal account. */
  readonly mintsTo: bigint;
  readonly burns: bigint;
  /** The part of these that burns coins outside, and the part of that which was given its coins. */
  readonly burnsFromOutside: bigint;
  readonly funded: bigint;
}

export async function loadOpenAmounts(
  tx: ReadTx,
  coinId: CoinId,
  {
    accountId,
    exceptId,
  }: { readonly accountId?: AccountId | null; readonly exceptId?: Id<'StablecoinOperation'> } = {},
): Promise<OpenAmounts> {
  const [row] = await tx.sql<Record<'mints' | 'mints_to' | 'burns' | 'from_outside' | 'funded', string>>`
    select coalesce(sum(t.amount) filter (where t.operation_type = 'MINT'), 0) as mints,
           coalesce(sum(t.amount) filter (
             where t.operation_type = 'MINT' and t.destination_internal = ${accountId ?? null}), 0) as mints_to,
           coalesce(sum(t.amount) filter (where t.operation_type = 'BURN'), 0) as burns,
           coalesce(sum(t.amount) filter (where ${FROM_OUTSIDE}), 0) as from_outside,
           coalesce(sum(t.amount) filter (
             where ${FROM_OUTSIDE} and ${FUNDED}), 0) as funded
      from stablecoin_operations t
     where t.platform_id = ${tx.platformId} and t.stablecoin_id = ${coinId} and ${OPEN}
       and t.id is distinct from ${exceptId ?? null}::uuid`;
  const amount = (text: string | undefined) => BigInt(text ?? 0);
  return {
    mints: amount(row?.mints),
    mintsTo: amount(row?.mints_to),
    burns: amount(row?.burns),
    burnsFromOutside: amount(row?.from_outside),
    funded: amount(row?.funded),
  };
}

/**
 * OUT: the coins in external wallets and at the provider (stablecoins.md §7). It decreases only while the coin is
 * locked.
 */
export async function loadOutside(tx: ReadTx, coin: CoinRow): Promise<bigint> {
  const { debit, credit } = await loadSum(tx, outsideAccountOf(coin));
  return credit - debit;
}

/** The provider's reference for an external account that it knows for this role (stablecoins.md §6.1). */
export async function findAccountReference(
  tx: ReadTx,
  providerAccount: string,
  { accountId, role }: Pick<AccountLink, 'accountId' | 'role'>,
): Promise<string | undefined> {
  const [row] = await tx.sql<{ reference: string }>`
    select reference from stablecoin_account_links
     where platform_id = ${tx.platformId} and provider_account = ${providerAccount}
       and external_account = ${accountId} and role = ${role}`;
  return row?.reference;
}

/** An external account that the provider knows. */
export interface AccountLink {
  readonly accountId: ExternalAccountId;
  readonly role: AccountRole;
  readonly reference: string;
}

/** Inserts each link once; another request may have linked the same account at the same moment. */
export async function insertAccountLinks(
  tx: Tx,
  providerAccount: string,
  links: readonly AccountLink[],
): Promise<void> {
  const [ids, roles] = [links.map(({ accountId }) => accountId), links.map(({ role }) => role)];
  await tx.sql`
    insert into stablecoin_account_links (platform_id, provider_account, external_account, role, reference, created_at)
    select ${tx.platformId}, ${providerAccount}, l.external_account, l.role, l.reference, ${tx.now}
      from unnest(${ids}::uuid[], ${roles}::text[], ${links.map(({ reference }) => reference)}::text[])
        as l (external_account, role, reference)
     order by l.external_account, l.role
        on conflict do nothing`;
}
