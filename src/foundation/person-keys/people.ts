import type { PersonId } from '#foundation/crypto/person-seal.ts';
import type { Vault } from '#foundation/crypto/vault.ts';
import type { Changes } from '#foundation/database/tx.ts';
import { isUuid, NIL_ID } from '#foundation/lib/ids.ts';
import { isObject } from '#foundation/lib/is-object.ts';

/**
 * Finds the customers whom a JSON text names: a stored reply, an event or a logged request. Only members that hold ids
 * count, because any caller can write the id of a customer into a memo.
 */
export function peopleIn(text: string): PersonId[] {
  const people = new Set<PersonId>();
  for (let at = text.indexOf(BEFORE_ID); at !== -1; at = text.indexOf(BEFORE_ID, at + 1)) {
    const start = at + BEFORE_ID.length;
    const name = text.slice(text.lastIndexOf('"', at - 1) + 1, at);
    const id = text.slice(start, start + UUID_LENGTH);
    if (HOLDS_ID.test(name) && isUuid(id) && text[start + UUID_LENGTH] === '"') people.add(id.toLowerCase());
  }
  return [...people];
}

/** The end of a member's name and the beginning of its value. Inside a text, JSON escapes the quotation marks. */
const BEFORE_ID = '":"Customer:';
const UUID_LENGTH = 36;
/** The names of members that hold our ids. References of the platform are left out, because they may be any text. */
const HOLDS_ID = /^(?!platform)\w*[iI]d$|^documentHolder$/;

const DESCRIBES = Symbol('the people whom a value describes');

/** Marks presented data that describes people without naming them by their ids. JSON omits the mark. */
export function describing<Data extends object>(
  data: Data,
  people: readonly (PersonId | null | undefined)[],
): Data {
  const known = people.filter((person) => person !== null && person !== undefined);
  return Object.assign(data, { [DESCRIBES]: known });
}

/** Returns the people with whom `describing` has marked the data. */
export function describedBy(data: unknown): readonly PersonId[] {
  return isObject(data) && DESCRIBES in data ? (data[DESCRIBES] as readonly PersonId[]) : [];
}

/**
 * Returns the id under which a platform keeps one key a month for people whom it does not know yet, such as the sender
 * of unmatched money. The key is destroyed when the month's data is no longer kept.
 */
export function strangersOf(vault: Pick<Vault, 'fingerprint'>, platformId: PlatformId, at: Date): PersonId {
  const month = at.toISOString().slice(0, 'YYYY-MM'.length);
  const bytes = vault.fingerprint(`${platformId} ${month}`, 'strangers').subarray(0, 16);
  // Version 8 of RFC 9562: the bits are ours.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * Returns the people for whom a text is sealed that somebody wrote: those whom it may describe, without erased ones, and
 * otherwise the strangers of the month. So the text of an operator about an erased customer is forgotten, too. Texts about
 * the installation itself have no strangers.
 */
export function peopleOrStrangers(
  { platformId, runtime }: Pick<Changes, 'platformId' | 'runtime'>,
  people: readonly PersonId[],
): readonly PersonId[] {
  const kept = people.filter((person) => !runtime.personKeys.isErased(person));
  if (kept.length > 0 || platformId === NIL_ID) return kept;
  return [strangersOf(runtime.vault, platformId, new Date(runtime.clock.now()))];
}

/** A customer whom a report of a bank or a connector is about, with the customer's platform. */
export interface ReportedCustomer {
  readonly customer_id: CustomerId;
  readonly platform_id: PlatformId;
}

/**
 * Returns the people for whom a report of a bank or a connector is sealed: the customers whom it is about, without erased
 * ones, and otherwise the strangers of the month. A connector serves several platforms, so these are the installation's.
 */
export function peopleOfReport(
  { vault, personKeys, clock }: Pick<Changes['runtime'], 'vault' | 'personKeys' | 'clock'>,
  about: readonly ReportedCustomer[],
): readonly PersonId[] {
  const kept = about.filter(({ customer_id }) => !personKeys.isErased(customer_id));
  for (const { customer_id, platform_id } of kept) personKeys.requireHeld([customer_id], platform_id);
  if (kept.length > 0) return kept.map(({ customer_id }) => customer_id);
  const strangers = strangersOf(vault, NIL_ID, new Date(clock.now()));
  personKeys.requireHeld([strangers], NIL_ID);
  return [strangers];
}

/**
 * Seals a value of strangers again for the customers whom it turned out to be about; without any it stays. Null if one of
 * them was erased: the data is not kept for strangers then.
 */
export function resealFor(
  parts: Pick<Changes['runtime'], 'vault' | 'personKeys' | 'clock'>,
  about: readonly ReportedCustomer[],
  sealed: Buffer,
  context: string,
): Buffer | null {
  if (about.length === 0) return sealed;
  parts.personKeys.requireOpenable([sealed]);
  const text = parts.vault.openKept(sealed, context);
  return text === undefined ? null : sealUnlessErased(parts, about, text, context);
}

/** Seals a text that may be older than the erasure of one of its customers. Null if one was erased. */
export function sealUnlessErased(
  parts: Pick<Changes['runtime'], 'vault' | 'personKeys' | 'clock'>,
  about: readonly ReportedCustomer[],
  text: string,
  context: string,
): Buffer | null {
  const people = peopleOfReport(parts, about);
  const isKept = about.every(({ customer_id }) => !parts.personKeys.isErased(customer_id));
  return isKept ? parts.vault.sealFor(people, text, context) : null;
}

/** Returns for whom a file of a bank is sealed. It names many people, so it has a key of its own (decision 0068). */
export function keyOfFile(
  { personKeys }: Pick<Changes['runtime'], 'personKeys'>,
  fileId: string,
): readonly PersonId[] {
  personKeys.requireHeld([fileId], NIL_ID);
  return [fileId];
}
