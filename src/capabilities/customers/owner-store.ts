import type { BeneficialOwner, PersonalInfo } from '#capabilities/customers/owner-schemas.ts';
import { requireRow } from '#foundation/database/rows.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { KeysetQuery } from '#foundation/http/paging.ts';
import type { IdentityStatus } from '#foundation/ports/identity.ts';

/** One row of `beneficial_owners`. The identification number is sealed. */
export interface OwnerRow {
  id: Id<'BeneficialOwner'>;
  customer_id: CustomerId;
  roles: BeneficialOwner['roles'];
  ownership_percentage: number;
  personal_info: Omit<PersonalInfo, 'identifier'>;
  identifier: Buffer;
  status: IdentityStatus;
  created_at: Date;
  updated_at: Date;
}

export type OwnerValues = Omit<OwnerRow, 'id' | 'customer_id' | 'status' | 'created_at' | 'updated_at'>;

/**
 * An owner as it is stored: the person is sealed with the customer's key. Rows of an earlier version are in clear text
 * until a job has sealed them.
 */
export type StoredOwner = Omit<OwnerRow, 'personal_info'> & {
  readonly personal_info: OwnerRow['personal_info'] | null;
  readonly person: Buffer | null;
};

function contextOf(id: Id<'BeneficialOwner'>): string {
  return `beneficial_owners.person:${id}`;
}

/** Opens the owners of one read. The keys of several people are fetched in one trip. */
export async function openOwners(
  { vault, runtime }: Pick<ReadTx, 'vault' | 'runtime'>,
  rows: readonly StoredOwner[],
): Promise<OwnerRow[]> {
  if (rows.length > 1) await runtime.personKeys.loadFor(rows.map(({ person }) => person));
  return rows.map(({ person, ...row }) =>
    person === null
      ? (row as OwnerRow)
      : { ...row, personal_info: JSON.parse(vault.openText(person, contextOf(row.id))) },
  );
}

const COLUMNS: Sql = sql`t.id, t.customer_id, t.roles, t.ownership_percentage, t.personal_info, t.person, t.identifier,
  t.status, t.created_at, t.updated_at`;

export async function findOwners(tx: ReadTx, customerIds: readonly CustomerId[]): Promise<OwnerRow[]> {
  const rows = await tx.sql<StoredOwner>`
    select ${COLUMNS} from beneficial_owners t
     where t.platform_id = ${tx.platformId} and t.customer_id = any(${customerIds}::uuid[])
     order by t.created_at, t.id`;
  return openOwners(tx, rows);
}

/** Owners of a deleted customer are not found, like the customer itself. */
export async function findOwner(tx: ReadTx, id: Id<'BeneficialOwner'>): Promise<OwnerRow | undefined> {
  const rows = await tx.sql<StoredOwner>`
    select ${COLUMNS} from beneficial_owners t
     where t.platform_id = ${tx.platformId} and t.id = ${id} and t.withdrawn_at is null`;
  return (await openOwners(tx, rows))[0];
}

export async function lockOwner(tx: Tx, id: Id<'BeneficialOwner'>): Promise<OwnerRow | undefined> {
  const rows = await tx.sql<StoredOwner>`
    select ${COLUMNS} from beneficial_owners t
     where t.platform_id = ${tx.platformId} and t.id = ${id} and t.withdrawn_at is null
       for no key update`;
  return (await openOwners(tx, rows))[0];
}

export function ownerPage(tx: ReadTx, customerId: CustomerId): KeysetQuery {
  return {
    columns: COLUMNS,
    from: sql`beneficial_owners t`,
    where: [
      sql`t.platform_id = ${tx.platformId}`,
      sql`t.customer_id = ${customerId}`,
      sql`t.withdrawn_at is null`,
    ],
  };
}

export async function insertOwner(
  tx: Tx,
  id: Id<'BeneficialOwner'>,
  customerId: CustomerId,
  status: IdentityStatus,
  values: OwnerValues,
): Promise<OwnerRow> {
  const rows = await tx.sql<StoredOwner>`
      insert into beneficial_owners as t (platform_id, id, customer_id, roles, ownership_percentage, person,
        identifier, status, created_at, updated_at)
      values (${tx.platformId}, ${id}, ${customerId}, ${values.roles}, ${values.ownership_percentage},
        ${sealPerson(tx, id, customerId, values)}, ${values.identifier}, ${status}, ${tx.now}, ${tx.now})
      returning ${COLUMNS}`;
  return requireRow(await openOwners(tx, rows));
}

function sealPerson(
  { vault }: Tx,
  id: Id<'BeneficialOwner'>,
  customerId: CustomerId,
  { personal_info }: OwnerValues,
): Buffer {
  return vault.sealFor([customerId], JSON.stringify(personal_info), contextOf(id));
}

export async function updateOwnerRow(
  tx: Tx,
  { id, customer_id: customerId }: Pick<OwnerRow, 'id' | 'customer_id'>,
  values: OwnerValues,
): Promise<OwnerRow> {
  const rows = await tx.sql<StoredOwner>`
      update beneficial_owners t
         set roles = ${values.roles}, ownership_percentage = ${values.ownership_percentage},
             personal_info = null, person = ${sealPerson(tx, id, customerId, values)},
             identifier = ${values.identifier},
             updated_at = ${tx.now}
       where t.platform_id = ${tx.platformId} and t.id = ${id}
      returning ${COLUMNS}`;
  return requireRow(await openOwners(tx, rows));
}

/** Changes the status of the business's owners whose status is `from`. */
export async function changeOwnerStatus(
  tx: Tx,
  customerId: CustomerId,
  from: IdentityStatus,
  to: IdentityStatus,
): Promise<void> {
  await tx.sql`
    update beneficial_owners set status = ${to}, updated_at = ${tx.now}
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and status = ${from}`;
}

export async function setOwnerStatuses(
  tx: ReadTx,
  statuses: readonly { readonly id: Id<'BeneficialOwner'>; readonly status: IdentityStatus }[],
): Promise<void> {
  await tx.sql`
    update beneficial_owners t set status = s.status, updated_at = ${tx.now}
      from unnest(${statuses.map(({ id }) => id)}::uuid[], ${statuses.map(({ status }) => status)}::text[])
        as s(id, status)
     where t.platform_id = ${tx.platformId} and t.id = s.id and t.status <> s.status`;
}

/** Called when the customer is deleted. */
export async function withdrawOwners(tx: Tx, customerId: CustomerId): Promise<void> {
  await tx.sql`
    update beneficial_owners set withdrawn_at = ${tx.now}
     where platform_id = ${tx.platformId} and customer_id = ${customerId} and withdrawn_at is null`;
}

/** Called when the customer is erased; the owners' documents must already be deleted. */
export async function eraseOwners(tx: Tx, customerId: CustomerId): Promise<void> {
  await tx.sql`
    delete from beneficial_owners where platform_id = ${tx.platformId} and customer_id = ${customerId}`;
}

/** Locks owners that are still in clear text. */
export async function findClearOwners(tx: Tx, limit: number): Promise<OwnerRow[]> {
  const rows = await tx.sql<StoredOwner>`
    select ${COLUMNS} from beneficial_owners t
     where t.platform_id = ${tx.platformId} and t.person is null
     limit ${limit}
       for no key update`;
  return openOwners(tx, rows);
}

export async function sealStoredOwner(tx: Tx, { id, customer_id, personal_info }: OwnerRow): Promise<void> {
  const person = tx.vault.sealFor([customer_id], JSON.stringify(personal_info), contextOf(id));
  await tx.sql`
    update beneficial_owners set person = ${person}, personal_info = null
     where platform_id = ${tx.platformId} and id = ${id} and person is null`;
}
