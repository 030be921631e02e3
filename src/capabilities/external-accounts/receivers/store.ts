import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { strangersOf } from '#foundation/person-keys/people.ts';
import type { PayerDataField } from '#foundation/ports/counterparties.ts';

/** The result of a look-up, which a quote may use for an hour (accounts.md §6.2). Ids are bare UUIDs. */
export interface Lookup {
  readonly receiver:
    | { readonly kind: 'UMA'; readonly address: string; readonly customerId?: CustomerId | undefined }
    | { readonly kind: 'EXTERNAL_ACCOUNT'; readonly accountId: ExternalAccountId };
  /** Undefined if the platform is the sender. */
  readonly senderCustomerId?: CustomerId | undefined;
  readonly currencies: readonly LookupCurrency[];
  readonly requiredPayerData: readonly PayerDataField[];
}

export interface LookupCurrency {
  readonly code: string;
  /** In the currency's smallest unit. */
  readonly min: bigint;
  readonly max: bigint;
}

/** The job that deletes expired look-ups. */
export const PURGE_LOOKUPS = 'external-accounts.purge-lookups';

const VALID_MS = 60 * 60_000;
const PURGE_ROWS = 1_000;

/** Stores a look-up and returns its bare UUID. */
export async function insertLookup(tx: Tx, lookup: Lookup): Promise<string> {
  const id = tx.newId('Lookup');
  const expiresAt = new Date(tx.now.getTime() + VALID_MS);
  await tx.sql`
    insert into lookups (platform_id, id, facts, created_at, expires_at)
    values (${tx.platformId}, ${id}, ${sealFacts(tx, id, lookup)}, ${tx.now}, ${expiresAt})`;
  schedule(tx, { kind: PURGE_LOOKUPS, key: 'lookups', afterMs: VALID_MS });
  return id;
}

/** Returns undefined if this platform has no such look-up, its hour has passed, or it names an erased customer. */
export async function findLookup(tx: ReadTx, id: Id<'Lookup'>): Promise<Lookup | undefined> {
  const [row] = await tx.sql<{ facts: Buffer }>`
    select facts from lookups
     where platform_id = ${tx.platformId} and id = ${id} and expires_at > ${tx.now}`;
  if (!row) return undefined;
  await tx.runtime.personKeys.loadFor([row.facts]);
  const facts = tx.vault.openKept(row.facts, factsContext(id));
  return facts === undefined ? undefined : read(facts);
}

/**
 * Seals a look-up with the keys of the customers whom it names. If it names none, the key of the month's strangers
 * seals it.
 */
function sealFacts(tx: ReadTx, id: Id<'Lookup'>, lookup: Lookup): Buffer {
  const { receiver, senderCustomerId } = lookup;
  const customers = [senderCustomerId, 'customerId' in receiver ? receiver.customerId : undefined];
  const known = customers.filter((customer) => customer !== undefined);
  const people = known.length > 0 ? known : [strangersOf(tx.vault, tx.platformId, tx.now)];
  return tx.vault.sealFor(people, write(lookup), factsContext(id));
}

export async function purgeLookups(tx: Tx): Promise<void> {
  await tx.sql`
    delete from lookups
     where platform_id = ${tx.platformId} and id in (
       select id from lookups where platform_id = ${tx.platformId} and expires_at <= ${tx.now}
        order by expires_at limit ${PURGE_ROWS} for update skip locked)`;
  const [next] = await tx.sql<{ expires_at: Date }>`
    select expires_at from lookups where platform_id = ${tx.platformId} order by expires_at limit 1`;
  if (next) schedule(tx, { kind: PURGE_LOOKUPS, key: 'lookups', dueAt: next.expires_at });
}

/** JSON has no bigint. */
function write(lookup: Lookup): string {
  return JSON.stringify(lookup, (_key, value) => (typeof value === 'bigint' ? value.toString() : value));
}

function read(text: string): Lookup {
  const stored = JSON.parse(text) as Lookup;
  const currencies = stored.currencies.map(({ code, min, max }) => ({
    code,
    min: BigInt(min),
    max: BigInt(max),
  }));
  return { ...stored, currencies };
}

function factsContext(id: Id<'Lookup'>): string {
  return `lookups.facts:${id}`;
}
