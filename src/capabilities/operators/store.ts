import type { OperatorRow, OperatorStatus } from '#capabilities/operators/row.ts';
import { joinSql, type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { OperatorRole } from '#foundation/http/operator-rule.ts';
import { keysetPage, type Page, type PageRequest } from '#foundation/http/paging.ts';

const COLUMNS = sql`
  t.id, t.name, t.email, t.roles, t.status, t.invited_by as "invitedBy", t.address_by as "addressBy", t.created_at,
  t.created_at as "createdAt", t.digits, t.approves_from as "approvesFrom", t.last_seen_at as "lastSeenAt",
  t.issuer, t.subject`;

interface StoredOperator extends OperatorRow {
  created_at: Date;
}

export interface OperatorFilter {
  readonly status?: OperatorStatus | undefined;
  readonly role?: OperatorRole | undefined;
}

export function listOperators<Item>(
  tx: ReadTx,
  request: PageRequest,
  { status, role }: OperatorFilter,
  present: (row: OperatorRow) => Item,
): Promise<Page<Item>> {
  const where = [
    sql`true`,
    ...(status === undefined ? [] : [sql`t.status = ${status}`]),
    ...(role === undefined ? [] : [sql`${role} = any(t.roles)`]),
  ];
  return keysetPage<StoredOperator, Item>(
    tx,
    request,
    { columns: COLUMNS, from: sql`operators t`, where },
    present,
  );
}

async function find(tx: ReadTx, where: Sql, lock = sql``): Promise<OperatorRow | undefined> {
  const [row] = await tx.query<OperatorRow>(sql`select ${COLUMNS} from operators t where ${where} ${lock}`);
  return row;
}

export function findOperator(tx: ReadTx, id: Id<'Operator'>): Promise<OperatorRow | undefined> {
  return find(tx, sql`t.id = ${id}`);
}

export function findOperatorByEmail(tx: ReadTx, email: string): Promise<OperatorRow | undefined> {
  return find(tx, sql`lower(t.email) = lower(${email}::text)`);
}

/** The operator who is tied to an account of the issuer. */
export function findOperatorBySubject(
  tx: ReadTx,
  { issuer, subject }: { readonly issuer: string; readonly subject: string },
): Promise<OperatorRow | undefined> {
  return find(tx, sql`t.issuer = ${issuer} and t.subject = ${subject}`);
}

/** All people, also those who were removed, by name. */
export async function listAllOperators(tx: ReadTx): Promise<OperatorRow[]> {
  return tx.sql<OperatorRow>`select ${COLUMNS} from operators t order by lower(t.name), t.id`;
}

/** The names of all people, also of those who were removed. */
export async function listOperatorNames(tx: ReadTx): Promise<Pick<OperatorRow, 'id' | 'name'>[]> {
  return tx.sql<Pick<OperatorRow, 'id' | 'name'>>`select id, name from operators order by id`;
}

/** The e-mail addresses of the active operators with a role. */
export async function listActiveAddresses(tx: ReadTx, role: OperatorRole): Promise<string[]> {
  const rows = await tx.sql<{ email: string }>`
    select email from operators where status = 'ACTIVE' and ${role} = any(roles) order by email`;
  return rows.map(({ email }) => email);
}

/** All active operators. */
export function listActive(tx: ReadTx): Promise<OperatorRow[]> {
  return tx.query<OperatorRow>(sql`
    select ${COLUMNS} from operators t where t.status = 'ACTIVE' order by t.email`);
}

/** Locks several operators in the order of their ids, so that two who change each other do not wait for each other. */
export async function lockOperators(
  tx: Tx,
  ids: readonly Id<'Operator'>[],
): Promise<ReadonlyMap<string, OperatorRow>> {
  const rows = await tx.query<OperatorRow>(sql`
    select ${COLUMNS} from operators t where t.id = any(${ids}::uuid[]) order by t.id for no key update of t`);
  return new Map(rows.map((row) => [row.id, row]));
}

export interface NewOperator
  extends Pick<OperatorRow, 'id' | 'name' | 'email' | 'roles' | 'status' | 'invitedBy' | 'createdAt'> {}

/** False if an operator has this e-mail address already. */
export async function insertOperator(tx: Tx, operator: NewOperator): Promise<boolean> {
  const { id, name, email, roles, status, invitedBy, createdAt } = operator;
  const rows = await tx.sql`
    insert into operators (id, name, email, roles, status, invited_by, address_by, created_at)
    values (${id}, ${name}, ${email}, ${roles}::text[], ${status}, ${invitedBy}, ${invitedBy}, ${createdAt})
    on conflict ((lower(email))) do nothing
    returning 1`;
  return rows.length > 0;
}

/** What a change of an operator may set; the trigger of the table checks the transition. */
export type OperatorChange = {
  readonly [Key in
    | 'name'
    | 'roles'
    | 'status'
    | 'addressBy'
    | 'digits'
    | 'approvesFrom'
    | 'issuer'
    | 'subject']?: OperatorRow[Key];
} & { readonly activeSince?: Date };

export async function updateOperator(
  tx: Tx,
  id: Id<'Operator'>,
  change: OperatorChange,
): Promise<OperatorRow> {
  const { name, roles, status, addressBy, digits, approvesFrom, activeSince, issuer, subject } = change;
  const set = [
    ...(name === undefined ? [] : [sql`name = ${name}`]),
    ...(roles === undefined ? [] : [sql`roles = ${roles}::text[]`]),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(addressBy === undefined ? [] : [sql`address_by = ${addressBy}`]),
    ...(digits === undefined ? [] : [sql`digits = ${digits}`]),
    ...(approvesFrom === undefined ? [] : [sql`approves_from = ${approvesFrom}`]),
    ...(issuer === undefined ? [] : [sql`issuer = ${issuer}`]),
    ...(subject === undefined ? [] : [sql`subject = ${subject}`]),
    ...(activeSince === undefined ? [] : [sql`active_since = coalesce(t.active_since, ${activeSince})`]),
  ];
  const [row] = await tx.query<OperatorRow>(sql`
    update operators t set ${joinSql(set, ', ')} where t.id = ${id} returning ${COLUMNS}`);
  if (!row) throw new Error('an operator is never deleted');
  return row;
}

/** The command line may end the last admin; nobody else may (operator.md §1.4). */
export async function allowLastAdmin(tx: Tx): Promise<void> {
  await tx.sql`select set_config('corridor.may_end_last_admin', 'yes', true)`;
}

/** Whether another operator is an active admin. Of two who ask at once, the second one waits for the first to commit. */
export async function hasOtherAdmin(tx: Tx, id: Id<'Operator'>): Promise<boolean> {
  await tx.sql`select pg_advisory_xact_lock(hashtextextended('operators.last-admin', 0))`;
  const [row] = await tx.sql<{ found: boolean }>`
    select exists (select from operators
                    where status = 'ACTIVE' and 'admin' = any(roles) and id <> ${id}) as found`;
  return row?.found === true;
}

/** Whether anybody but these two was ever active: then a second person is there, or was. */
export async function wasAnybodyActive(tx: ReadTx, but: readonly Id<'Operator'>[]): Promise<boolean> {
  const [row] = await tx.sql<{ found: boolean }>`
    select exists (select from operators
                    where active_since is not null and id <> all(${but}::uuid[])) as found`;
  return row?.found === true;
}

export async function replaceAddress(
  tx: Tx,
  operatorId: Id<'Operator'>,
  address: { readonly hash: Buffer; readonly createdAt: Date; readonly expiresAt: Date },
): Promise<void> {
  const { hash, createdAt, expiresAt } = address;
  await tx.sql`
    insert into operator_addresses (operator_id, hash, created_at, expires_at)
    values (${operatorId}, ${hash}, ${createdAt}, ${expiresAt})
    on conflict (operator_id) do update
       set hash = excluded.hash, created_at = excluded.created_at, expires_at = excluded.expires_at`;
}

/** Finds the person who may join with an address. */
export function findInvited(tx: ReadTx, hash: Buffer, now: Date): Promise<OperatorRow | undefined> {
  return find(
    tx,
    sql`t.status = 'INVITED' and t.id = (
      select a.operator_id from operator_addresses a where a.hash = ${hash} and a.expires_at > ${now})`,
  );
}

/** False if it has been used or replaced meanwhile. */
export async function useAddress(tx: Tx, hash: Buffer): Promise<boolean> {
  const rows = await tx.sql`delete from operator_addresses where hash = ${hash} returning 1`;
  return rows.length > 0;
}

/** Uses an operator's invitation up; false if there is none that still counts. */
export async function useInvitation(tx: Tx, operatorId: Id<'Operator'>, now: Date): Promise<boolean> {
  const rows = await tx.sql`
    delete from operator_addresses where operator_id = ${operatorId} and expires_at > ${now} returning 1`;
  return rows.length > 0;
}

export async function deleteAddress(tx: Tx, operatorId: Id<'Operator'>): Promise<void> {
  await tx.sql`delete from operator_addresses where operator_id = ${operatorId}`;
}

/** Locks the active operators who were not seen since a time, or never and were confirmed before it. */
export async function lockUnseen(tx: Tx, since: Date): Promise<OperatorRow[]> {
  return tx.query<OperatorRow>(sql`
    select ${COLUMNS} from operators t
     where t.status in ('ACTIVE', 'JOINED') and coalesce(t.last_seen_at, t.created_at) < ${since}
     order by t.id for no key update of t skip locked`);
}

/** Suspends an operator unless that would end the last active admin; two jobs at once are decided by the table's trigger. */
export async function endIdle(tx: Tx, id: Id<'Operator'>): Promise<boolean> {
  const rows = await tx.sql`
    update operators t set status = 'SUSPENDED', digits = null
     where t.id = ${id}
       and (t.status <> 'ACTIVE' or not 'admin' = any(t.roles)
            or exists (select from operators o
                        where o.status = 'ACTIVE' and 'admin' = any(o.roles) and o.id <> t.id))
    returning 1`;
  return rows.length > 0;
}
