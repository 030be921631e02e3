import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import type { Vault } from '#foundation/crypto/vault.ts';
import type { Run } from '#foundation/database/database.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import type { PlatformMark } from '#foundation/journal/chain-store.ts';
import {
  insertHead,
  insertKey,
  type JournalKeyRow,
  listKeys,
  listMarksDue,
  type SignedHead,
} from '#foundation/journal/heads-store.ts';
import { canonicalJson } from '#foundation/lib/canonical-json.ts';
import type { Clock } from '#foundation/lib/clock.ts';

/** What signing needs. */
export type Signing = Pick<Runtime, 'database' | 'clock'> & { readonly vault: Pick<Vault, 'seal' | 'open'> };

/** A platform whose journal grows gets a signed head every hour. */
const HEAD_EVERY_MS = 60 * 60 * 1000;

/** Signs the ends of chains that have grown, unless the last head is younger than an hour. */
export function signDueHeads(parts: Signing): Promise<void> {
  return signHeads(parts, new Date(parts.clock.now() - HEAD_EVERY_MS));
}

/** Signs the ends of the chains that have grown since their last head: of these platforms, or of all. */
export function signAllHeads(parts: Signing, platforms?: readonly PlatformId[]): Promise<void> {
  return signHeads(parts, new Date(parts.clock.now() + HEAD_EVERY_MS), platforms);
}

async function signHeads(
  parts: Signing,
  lastHeadBefore: Date,
  platforms?: readonly PlatformId[],
): Promise<void> {
  const { query } = parts.database;
  const marks = await listMarksDue(query, lastHeadBefore, platforms);
  if (marks.length === 0) return;
  const key = await openSigningKey(parts);
  for (const mark of marks) {
    const unsigned = { ...mark, madeAt: new Date(parts.clock.now()), keyId: key.id };
    const signature = sign(null, signedText(unsigned), key.privateKey).toString('base64url');
    await insertHead(query, { ...unsigned, signature });
  }
}

interface SigningKey {
  readonly id: number;
  readonly privateKey: KeyObject;
}

/** Opens the newest key. The first process creates the first one; if several start together, the first to write wins. */
async function openSigningKey(parts: Signing): Promise<SigningKey> {
  const [newest] = await listKeys(parts.database.query);
  if (!newest) {
    await addKey(parts, 1);
    return openSigningKey(parts);
  }
  const der = parts.vault.open(newest.privateKey, keyContext(newest.id));
  return { id: newest.id, privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) };
}

/** Makes a new key, which signs from now on. Earlier keys stay, so that their heads can be verified. */
export async function rotateJournalKey(parts: Signing): Promise<PublicJournalKey> {
  const [newest] = await listKeys(parts.database.query);
  await addKey(parts, (newest?.id ?? 0) + 1);
  const [added] = await listPublicKeys(parts.database);
  if (!added) throw new Error('the new key is missing');
  return added;
}

async function addKey({ database, clock, vault }: Signing, id: number): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  await insertKey(database.query, {
    id,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privateKey: vault.seal(privateKey.export({ type: 'pkcs8', format: 'der' }), keyContext(id)),
    createdAt: readClock(clock),
  });
}

export interface PublicJournalKey {
  readonly id: number;
  /** SPKI PEM of an Ed25519 key. */
  readonly publicKey: string;
  readonly createdAt: Date;
}

/** Lists the public keys, the newest first. */
export async function listPublicKeys({ query }: { readonly query: Run }): Promise<PublicJournalKey[]> {
  const rows = await listKeys(query);
  return rows.map(({ id, publicKey, createdAt }: JournalKeyRow) => ({ id, publicKey, createdAt }));
}

/** Whether this key signed this head. Text that is no key signed nothing. */
export function isSignedBy(publicKey: string, head: SignedHead): boolean {
  try {
    const signature = Buffer.from(head.signature, 'base64url');
    return verify(null, signedText(head), createPublicKey(publicKey), signature);
  } catch {
    return false;
  }
}

const FORM = 'corridor-journal-head-1';

/** The bytes that are signed: RFC 8785 JSON. */
function signedText(head: PlatformMark & { readonly madeAt: Date; readonly keyId: number }): Buffer {
  const { platformId, seq, entryCount, hash, madeAt, keyId } = head;
  const [number, entries] = [seq.toString(), entryCount.toString()];
  const at = madeAt.toISOString();
  return Buffer.from(
    canonicalJson({ form: FORM, platformId, seq: number, entries, hash, madeAt: at, keyId: String(keyId) }),
  );
}

function keyContext(id: number): string {
  return `journal_keys.private_key:${id}`;
}

function readClock(clock: Clock): Date {
  return new Date(clock.now());
}
