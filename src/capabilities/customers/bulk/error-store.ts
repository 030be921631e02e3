import type { RowError } from '#capabilities/customers/bulk/read-row.ts';
import { hashCustomer } from '#capabilities/customers/sealed-customer.ts';
import type { KeyedHash } from '#foundation/crypto/keyed-hashes.ts';
import { type PersonId, readReferences } from '#foundation/crypto/person-seal.ts';
import { allVersionsOf } from '#foundation/database/known-hashes.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { strangersOf } from '#foundation/person-keys/people.ts';

export interface NumberedError extends RowError {
  readonly row: number;
}

/**
 * Stores errors of rows. The platform's reference is sealed for the customer who has it, if there is one, and otherwise
 * for the strangers of the month.
 */
export async function insertErrors(tx: Tx, id: Id<'Job'>, errors: readonly NumberedError[]): Promise<void> {
  if (errors.length === 0) return;
  const stored = await sealReferences(tx, id, errors);
  await tx.sql`
    insert into customer_import_errors
      (platform_id, import_id, row_number, correlation_id, reference, reference_hash, code, message, details)
    select ${tx.platformId}, ${id}, t.row_number, t.correlation_id, t.reference, t.reference_hash, t.code, t.message,
           t.details
      from unnest(
        ${errors.map(({ row }) => row)}::integer[],
        ${stored.map(({ clear }) => clear)}::text[],
        ${stored.map(({ sealed }) => sealed)}::bytea[],
        ${stored.map(({ hash }) => hash)}::bytea[],
        ${errors.map(({ code }) => code)}::text[],
        ${errors.map(({ message }) => message)}::text[],
        ${errors.map(({ details }) => (details ? JSON.stringify(details) : null))}::jsonb[]
      ) as t(row_number, correlation_id, reference, reference_hash, code, message, details)`;
}

/** A row without a reference is named by its number, which says nothing about anybody. */
function nameOfRow(row: number): string {
  return `row_${row}`;
}

async function sealReferences(tx: Tx, id: Id<'Job'>, errors: readonly NumberedError[]) {
  const hashes = errors.map(({ row, correlationId }) =>
    correlationId === nameOfRow(row) ? null : hashCustomer(tx.vault, 'reference', correlationId),
  );
  const owners = await findOwners(tx, hashes);
  const strangers = strangersOf(tx.vault, tx.platformId, tx.now);
  const people = hashes.map((hash) => ownerOf(hash, owners) ?? strangers);
  if (hashes.some((hash) => hash !== null)) tx.runtime.personKeys.requireHeld(people);
  return errors.map(({ row, correlationId }, i) => {
    const hash = hashes[i] ?? null;
    if (hash === null) return { clear: correlationId, sealed: null, hash };
    const person = people[i] ?? strangers;
    return {
      ...{ clear: null, hash: hash.toStore },
      sealed: tx.vault.sealFor([person], correlationId, referenceContext(id, row)),
    };
  });
}

/** Finds the customers with these references, by the hexadecimal digits of the hashes. */
async function findOwners(
  tx: Tx,
  hashes: readonly (KeyedHash | null)[],
): Promise<ReadonlyMap<string, CustomerId>> {
  const wanted = hashes.filter((hash) => hash !== null);
  if (wanted.length === 0) return new Map();
  const rows = await tx.sql<{ id: CustomerId; reference_hash: Buffer }>`
    select id, reference_hash from customers
     where platform_id = ${tx.platformId} and reference_hash = any(${allVersionsOf(...wanted)}) and deleted_at is null`;
  const kept = rows.filter(({ id }) => !tx.runtime.personKeys.isErased(id));
  return new Map(kept.map(({ id, reference_hash: hash }) => [hash.toString('hex'), id]));
}

function ownerOf(hash: KeyedHash | null, owners: ReadonlyMap<string, CustomerId>): CustomerId | undefined {
  const found = hash?.toFind.find((one) => owners.has(one.toString('hex')));
  return found && owners.get(found.toString('hex'));
}

function referenceContext(id: Id<'Job'>, row: number): string {
  return `customer_import_errors.reference:${id}:${row}`;
}

/** Erasing the customer replaces its reference in import errors by the row number. */
export async function eraseReference(tx: Tx, reference: string): Promise<void> {
  await tx.sql`
    update customer_import_errors
       set correlation_id = 'row_' || row_number, reference = null, reference_hash = null
     where platform_id = ${tx.platformId}
       and (reference_hash = any(${allVersionsOf(hashCustomer(tx.vault, 'reference', reference))})
            or correlation_id = ${reference})`;
}

export interface ErrorRow {
  readonly correlationId: string;
  /** The people whom the reference names. */
  readonly people: readonly PersonId[];
  readonly code: string;
  readonly message: string;
  readonly details: Record<string, unknown> | null;
}

interface StoredError extends Pick<ErrorRow, 'code' | 'message' | 'details'> {
  readonly row_number: number;
  readonly correlation_id: string | null;
  readonly reference: Buffer | null;
}

export async function findErrors(tx: ReadTx, id: Id<'Job'>): Promise<ErrorRow[]> {
  const rows = await tx.sql<StoredError>`
    select row_number, correlation_id, reference, code, message, details from customer_import_errors
     where platform_id = ${tx.platformId} and import_id = ${id}
     order by row_number`;
  await tx.runtime.personKeys.loadFor(rows.map(({ reference }) => reference));
  return rows.map(({ row_number: row, correlation_id, reference, code, message, details }) => {
    const opened =
      reference === null ? correlation_id : tx.vault.openKept(reference, referenceContext(id, row));
    const people = reference === null ? [] : readReferences(reference).map(({ person }) => person);
    return { correlationId: opened ?? nameOfRow(row), people, code, message, details };
  });
}
