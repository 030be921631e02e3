import type { OperatorRow } from '#capabilities/operators/row.ts';
import type { RegisteredPasskey } from '#foundation/crypto/webauthn.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';

/** operator.md §1.3; the table has the same number. */
export const PASSKEYS_MAX = 10;

/** A passkey, and the operator to whom it belongs. */
export interface OperatorPasskey extends RegisteredPasskey {
  readonly id: string;
  readonly operatorId: Id<'Operator'>;
  readonly status: OperatorRow['status'];
}

export async function findPasskey(tx: ReadTx, credentialId: string): Promise<OperatorPasskey | undefined> {
  const [row] = await tx.query<Omit<OperatorPasskey, 'counter'> & { counter: bigint | string | number }>(sql`
    select p.id, p.operator_id as "operatorId", p.credential_id as "credentialId", p.rp_id as "rpId",
           p.cose_key as "publicKey", p.counter, o.status
      from operator_passkeys p join operators o on o.id = p.operator_id
     where p.credential_id = ${credentialId}`);
  return row && { ...row, counter: Number(row.counter) };
}

export interface ListedPasskey {
  readonly id: string;
  readonly credentialId: string;
  readonly createdAt: Date;
  readonly usedAt: Date | null;
}

export function listPasskeys(tx: ReadTx, operatorId: Id<'Operator'>): Promise<ListedPasskey[]> {
  return tx.sql<ListedPasskey>`
    select id, credential_id as "credentialId", created_at as "createdAt", used_at as "usedAt"
      from operator_passkeys where operator_id = ${operatorId} order by created_at, id`;
}

/** Why a passkey cannot be added; undefined: it was added. The caller has locked the operator. */
export async function insertPasskey(
  tx: Tx,
  operatorId: Id<'Operator'>,
  { credentialId, rpId, publicKey, counter }: RegisteredPasskey,
): Promise<'full' | 'known' | undefined> {
  const [free] = await tx.sql<{ place: number }>`
    select place from generate_series(1, ${PASSKEYS_MAX}) as place
     where not exists (select from operator_passkeys p where p.operator_id = ${operatorId} and p.place = place.place)
     order by place limit 1`;
  if (!free) return 'full';
  const rows = await tx.sql`
    insert into operator_passkeys (id, operator_id, place, credential_id, rp_id, cose_key, counter, created_at)
    values (${tx.newId()}, ${operatorId}, ${free.place}, ${credentialId}, ${rpId}, ${Buffer.from(publicKey)},
            ${counter}, ${new Date(tx.runtime.clock.now())})
    on conflict (credential_id) do nothing returning 1`;
  return rows.length > 0 ? undefined : 'known';
}

/** Notes a use; false if the counter is not above the stored one any more, so that of two uses one counts. */
export async function usePasskey(tx: Tx, id: string, counter: number): Promise<boolean> {
  const rows = await tx.sql`
    update operator_passkeys set counter = ${counter}, used_at = ${new Date(tx.runtime.clock.now())}
     where id = ${id} and (counter < ${counter} or counter = 0 and ${counter}::bigint = 0)
    returning 1`;
  return rows.length > 0;
}

/** Deletes the passkeys of an operator, all of them or one; returns how many. */
export async function deletePasskeys(tx: Tx, operatorId: Id<'Operator'>, id?: string): Promise<number> {
  const rows = await tx.query(sql`
    delete from operator_passkeys
     where operator_id = ${operatorId} ${id === undefined ? sql`` : sql`and id = ${id}`} returning 1`);
  return rows.length;
}
