import type { KeyStore, WrappedKey } from '#crypto/keyring.ts';
import type { Run } from '#database/database.ts';
import { sql } from '#database/sql.ts';

export interface DatabaseKeyStore extends KeyStore {
  /** All keys under a new master at once, if they are still the ones that were read. */
  replace(
    known: readonly WrappedKey[],
    rewrapped: readonly Pick<WrappedKey, 'id' | 'wrapped'>[],
  ): Promise<boolean>;
}

/**
 * The wrapped keys in `encryption_keys`; `created_at` is the moment from which a key seals. Every process
 * compares it with the database's clock, the only one they share.
 */
export function keyStore(database: { query: Run }): DatabaseKeyStore {
  return {
    load: () =>
      database.query<WrappedKey>(sql`
        select id, purpose, wrapped, created_at <= now() as seals from encryption_keys order by id`),
    async add(keys, sealsAfterMs) {
      await database.query(sql`
        insert into encryption_keys (id, purpose, wrapped, created_at)
        select id, purpose, wrapped, now() + ${sealsAfterMs} * interval '1 millisecond'
          from unnest(${keys.map((key) => key.id)}::int[], ${keys.map((key) => key.purpose)}::text[],
                      ${keys.map((key) => key.wrapped)}::bytea[]) as new(id, purpose, wrapped)
         order by id
        on conflict (id) do nothing`);
    },
    async replace(known, rewrapped) {
      const changed = await database.query(sql`
        update encryption_keys k set wrapped = new.wrapped
          from unnest(${rewrapped.map((key) => key.id)}::int[],
                      ${rewrapped.map((key) => key.wrapped)}::bytea[]) as new(id, wrapped)
         where k.id = new.id
           and (select array_agg(wrapped order by id) from encryption_keys) = ${known.map((key) => key.wrapped)}::bytea[]
        returning k.id`);
      return changed.length > 0;
    },
  };
}
