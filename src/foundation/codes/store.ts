import { type KeyPair, type PublicKey, parsePublicKey } from '#foundation/crypto/p256.ts';
import { purgeRows } from '#foundation/database/rows.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { DueSource } from '#foundation/jobs/due.ts';
import { rowsDue } from '#foundation/jobs/due-store.ts';
import type { DueFact } from '#foundation/jobs/handlers.ts';
import { CODE_KINDS, type SentKind } from '#foundation/lib/code-kinds.ts';
import type { MessageChannel } from '#foundation/ports/messages.ts';

/** The kinds of which an owner has at most one code at a time. A challenge keeps its code in its own row. */
export type StoredKind = Exclude<SentKind, 'SCA'>;

/** Whose code: a customer's (CONTACT), a credential's (WALLET) or a card's (CARD). */
export interface CodePlace {
  readonly kind: StoredKind;
  readonly ownerId: Id;
}

export interface StoredCode {
  readonly id: Id<'Code'>;
  readonly channel: MessageChannel;
  readonly codeHash: Buffer;
  /** Undefined once its message has been sent. */
  readonly code: string | undefined;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  readonly wrongTries: number;
  /** The code is void after this many wrong tries; null: no limit. */
  readonly wrongTriesMax: number | null;
  readonly usedAt: Date | null;
  /** The key to which the client seals a wallet's code. */
  readonly target: KeyPair | undefined;
}

export interface NewCode
  extends Pick<StoredCode, 'id' | 'channel' | 'codeHash' | 'expiresAt' | 'wrongTriesMax' | 'target'> {
  readonly code: string;
  /** The customer who gets the code. For a contact, the owner is the customer itself. */
  readonly customerId?: CustomerId | undefined;
}

/** When codes of a kind expire that were not used. */
export function codesDue(kind: StoredKind, tell: (ownerId: string) => DueFact): DueSource {
  return rowsDue<{ owner_id: string }>({
    name: `code ${kind}`,
    ...{ from: sql`codes t`, at: sql`t.expires_at`, columns: sql`t.owner_id` },
    where: sql`t.kind = ${kind} and t.used_at is null`,
    tell: ({ owner_id }) => tell(owner_id),
  });
}

/** Stores the new code in place of the previous one, which becomes void. The caller has locked the owner. */
export async function replaceCode(tx: Tx, place: CodePlace, issued: NewCode): Promise<void> {
  const { id, channel, codeHash, expiresAt, wrongTriesMax, target } = issued;
  const person = issued.customerId ?? (contactOf(place) === undefined ? undefined : place.ownerId);
  const people = person === undefined ? [] : [person];
  const sealed = tx.vault.sealFor(people, issued.code, codeContext(place, id));
  const targetKey = target ? tx.vault.sealFor(people, target.privateKey, keyContext(id)) : null;
  await tx.sql`
    insert into codes (platform_id, kind, owner_id, id, channel, code_hash, code, issued_at, expires_at, wrong_tries_max,
                       target_public, target_private)
    values (${tx.platformId}, ${place.kind}, ${place.ownerId}, ${id}, ${channel}, ${codeHash}, ${sealed}, ${tx.now},
            ${expiresAt}, ${wrongTriesMax}, ${target?.publicKey.uncompressed ?? null}, ${targetKey})
    on conflict (platform_id, kind, owner_id) do update
       set id = excluded.id, channel = excluded.channel, code_hash = excluded.code_hash, code = excluded.code,
           issued_at = excluded.issued_at, expires_at = excluded.expires_at, wrong_tries = 0,
           wrong_tries_max = excluded.wrong_tries_max, used_at = null, target_public = excluded.target_public,
           target_private = excluded.target_private`;
}

interface CodeRow extends Omit<StoredCode, 'code' | 'target'> {
  readonly code: Buffer | null;
  readonly targetPublic: string | null;
  readonly targetPrivate: Buffer | null;
}

/** Finds the last code, even if it can no longer be used. */
export async function findCode(tx: ReadTx, place: CodePlace): Promise<StoredCode | undefined> {
  const [row] = await tx.query<CodeRow>(sql`
    select id, channel, code_hash as "codeHash", code, issued_at as "issuedAt", expires_at as "expiresAt",
           wrong_tries as "wrongTries", wrong_tries_max as "wrongTriesMax", used_at as "usedAt",
           target_public as "targetPublic", target_private as "targetPrivate"
      from codes where ${at(tx, place)}`);
  if (!row) return undefined;
  const { code, targetPublic, targetPrivate, ...rest } = row;
  const publicKey = targetPublic === null ? undefined : (parsePublicKey(targetPublic) as PublicKey);
  return {
    ...rest,
    code: code === null ? undefined : tx.vault.openText(code, codeContext(place, row.id)),
    target:
      publicKey && targetPrivate
        ? { publicKey, privateKey: tx.vault.open(targetPrivate, keyContext(row.id)) }
        : undefined,
  };
}

export async function countWrongTry(tx: Tx, place: CodePlace): Promise<void> {
  await tx.query(sql`update codes set wrong_tries = wrong_tries + 1 where ${at(tx, place)}`);
}

/** The code was used, or its contact has changed. */
export async function endCode(tx: Tx, place: CodePlace): Promise<void> {
  await tx.query(sql`update codes set used_at = ${tx.now}, code = null where ${at(tx, place)}`);
}

/** Once the message is sent, only the hash of the code is needed. */
export async function clearCode(tx: Tx, place: CodePlace, id: string): Promise<void> {
  await tx.query(sql`update codes set code = null where ${at(tx, place)} and id = ${id}`);
}

export async function deleteCodes(
  tx: Tx,
  kinds: readonly StoredKind[],
  ownerIds: readonly Id[],
): Promise<void> {
  await tx.sql`
    delete from codes
     where platform_id = ${tx.platformId} and kind = any(${kinds}::text[]) and owner_id = any(${ownerIds}::uuid[])`;
}

/** A contact's last code stays until its customer is deleted. */
const PURGED: readonly StoredKind[] = ['WALLET', 'CARD'];

/** Deletes codes a day after they expired (wallets.md §6.7.42, cards.md §10.3). */
export function purgeCodes(tx: Tx, rowsMax: number): Promise<number> {
  const isOld = sql`kind = any(${PURGED}::text[]) and expires_at < ${tx.now}::timestamptz - interval '1 day'`;
  return purgeRows(tx, 'codes', isOld, rowsMax);
}

function at({ platformId }: ReadTx, { kind, ownerId }: CodePlace) {
  return sql`platform_id = ${platformId} and kind = ${kind} and owner_id = ${ownerId}`;
}

/** The contexts of the tables that this one replaced, so that their codes stay valid; `codes.code_context` says the same. */
function codeContext(place: CodePlace, id: string): string {
  return `${CODE_KINDS[place.kind].hashedAs}:${contactOf(place) ?? id}`;
}

/** A contact's code is bound to the contact, and not to its id. */
export function contactOf({ kind, ownerId }: CodePlace): string | undefined {
  if (kind === 'CONTACT_EMAIL') return `${ownerId}:EMAIL`;
  return kind === 'CONTACT_PHONE' ? `${ownerId}:PHONE` : undefined;
}

function keyContext(id: string): string {
  return `wallet_otps.target_private:${id}`;
}
