import { type NewRequestLog, type SealedColumn, sealContext } from '#edge/request-log/store.ts';
import type { PersonId } from '#foundation/crypto/person-seal.ts';
import type { PersonVault } from '#foundation/crypto/vault.ts';
import type { PersonKeySource } from '#foundation/database/person-key-source.ts';
import { strangersOf } from '#foundation/person-keys/people.ts';

interface Keys {
  readonly vault: PersonVault;
  readonly personKeys: PersonKeySource;
}

/** A row with its content sealed, or without it if it could not be sealed. */
export type SealedRequestLog = NewRequestLog & { readonly [Column in SealedColumn]: Buffer | null };

/**
 * Seals the content of a batch of requests: each with the keys of the customers whom it names, or else with the key of
 * the month's strangers. The keys of a batch are fetched in one trip. While their database is away, requests are stored
 * without content (platform.md §11.4).
 */
export async function sealContents(keys: Keys, rows: readonly NewRequestLog[]): Promise<SealedRequestLog[]> {
  const people = await findPeople(keys, rows.filter(hasContent)).catch(() => undefined);
  return rows.map((row) => {
    const own = people?.get(row);
    const { bodies, unknown_fields } = own ? sealRow(keys.vault, row, own) : NOTHING;
    return { ...row, bodies, unknown_fields };
  });
}

const NOTHING = { bodies: null, unknown_fields: null };

function hasContent({ content }: NewRequestLog): boolean {
  return content.bodies !== undefined || content.unknownFields !== undefined;
}

/**
 * Finds the people for whom each row is sealed. A request may name any id, so no customer gets a first key here: a
 * customer without a key does not exist, or has not been sealed yet after an upgrade.
 */
async function findPeople(
  { vault, personKeys }: Keys,
  rows: readonly NewRequestLog[],
): Promise<ReadonlyMap<NewRequestLog, readonly PersonId[]>> {
  const monthOf = ({ platformId, createdAt }: NewRequestLog) => strangersOf(vault, platformId, createdAt);
  const unknown = new Set(await personKeys.load(rows.flatMap((row) => [...row.customers, monthOf(row)])));
  const people = new Map<NewRequestLog, readonly PersonId[]>();
  for (const row of rows) {
    const known = row.customers.filter((id) => !unknown.has(id) && !personKeys.isErased(id));
    people.set(row, known.length > 0 ? known : [monthOf(row)]);
  }
  for (const row of rows) {
    const month = people.get(row)?.filter((id) => unknown.has(id)) ?? [];
    if (month.length > 0) await personKeys.ensure(row.platformId, month);
  }
  return people;
}

function sealRow(vault: PersonVault, row: NewRequestLog, people: readonly PersonId[]) {
  const { bodies, unknownFields } = row.content;
  const seal = (column: SealedColumn, json: string | undefined) =>
    json === undefined ? null : vault.sealFor(people, json, sealContext(column, row.platformId, row.id));
  try {
    return { bodies: seal('bodies', bodies), unknown_fields: seal('unknown_fields', unknownFields) };
  } catch {
    // The key was dropped after it had been fetched, for example because the customer was erased.
    return NOTHING;
  }
}
