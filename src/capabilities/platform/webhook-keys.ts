import { lockPlatform } from '#capabilities/platform/platform-store.ts';
import {
  deleteAllKeys,
  deleteGoneKeys,
  endWebhookKey,
  insertWebhookKey,
  listShownKeys,
  type WebhookKeyRow,
} from '#capabilities/platform/webhook-key-store.ts';
import { audit } from '#foundation/audit/audit.ts';
import { newWebhookKey } from '#foundation/crypto/webhook-key.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { JobDeclarations } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { type PublicId, publicId } from '#foundation/lib/ids.ts';
import { invalidFields, refuse } from '#foundation/lib/refusals.ts';

export const KEY_STATUSES = ['NEXT', 'SIGNING', 'RETIRING'] as const;

/** A published key (platform.md §4.1.4). Times are business time. */
export interface ListedWebhookKey {
  readonly id: PublicId<'WebhookKey'>;
  readonly status: (typeof KEY_STATUSES)[number];
  /** SPKI PEM. */
  readonly publicKey: string;
  readonly signsFrom: Date;
  /** Undefined until a rotation replaces the key. */
  readonly goesAt: Date | undefined;
}

export interface RotationRequest {
  readonly signsAfterSeconds?: number | undefined;
  readonly keepsOldForSeconds?: number | undefined;
  /** Deletes the existing keys at once; nothing is signed with them any more. */
  readonly immediately?: boolean | undefined;
}

const DAY_SECONDS = 24 * 60 * 60;
/** How long the new key is published before it signs, and the old key after it last signed. */
export const OVERLAP_SECONDS = { default: DAY_SECONDS, max: 7 * DAY_SECONDS };

/** Lists the published keys in the order in which they sign. */
export async function listWebhookKeys(tx: ReadTx): Promise<ListedWebhookKey[]> {
  const rows = await listShownKeys(tx);
  return rows.map((row) => presentKey(row, rows, tx.now));
}

/**
 * Creates a new key. It is published at once and signs later, so that receivers can fetch it first. The old key stays
 * published for `keepsOldForSeconds` after that. Rotations of one platform are serialized. Returns the published keys.
 */
export async function rotateWebhookKey(tx: Tx, request: RotationRequest = {}): Promise<ListedWebhookKey[]> {
  requireOneWay(request);
  await lockPlatform(tx);
  if (request.immediately) await replaceAtOnce(tx);
  else await replaceLater(tx, request);
  return listWebhookKeys(tx);
}

/** `immediately` leaves no time to choose. */
function requireOneWay({ immediately, ...times }: RotationRequest): void {
  const given = (['signsAfterSeconds', 'keepsOldForSeconds'] as const).filter(
    (field) => times[field] !== undefined,
  );
  if (!immediately || given.length === 0) return;
  throw invalidFields(given.map((field) => ({ field, message: 'must be left out with `immediately`' })));
}

/** Writes the audit row itself; an API call gets one automatically. */
export async function rotateByOperator(
  tx: Tx,
  request: RotationRequest,
  reason: string,
): Promise<ListedWebhookKey[]> {
  const keys = await rotateWebhookKey(tx, request);
  audit(tx, { action: 'webhook rotate-key', details: { ...rotationDetails(request, keys), reason } });
  return keys;
}

export function rotationDetails(
  { immediately = false }: RotationRequest,
  keys: readonly { readonly publicKey: string }[],
): Record<string, unknown> {
  return { immediately, keys: keys.map(({ publicKey: _, ...key }) => key) };
}

async function replaceLater(
  tx: Tx,
  {
    signsAfterSeconds = OVERLAP_SECONDS.default,
    keepsOldForSeconds = OVERLAP_SECONDS.default,
  }: RotationRequest,
): Promise<void> {
  await deleteGoneKeys(tx);
  const [current, next] = await listShownKeys(tx);
  if (!current) throw new Error('a platform has no webhook key');
  if (next) refuseSecond(current, next);
  // Every key signs for at least a moment, even one that was created just now.
  const signsFrom = new Date(
    Math.max(tx.now.getTime() + signsAfterSeconds * 1_000, current.signs_from.getTime() + 1),
  );
  const goesAt = new Date(signsFrom.getTime() + keepsOldForSeconds * 1_000);
  await endWebhookKey(tx, { id: current.id, signsUntil: signsFrom, goesAt });
  await addWebhookKey(tx, { id: tx.newId(), signsFrom });
  schedule(tx, { kind: REMOVAL, dueAt: goesAt });
}

async function replaceAtOnce(tx: Tx): Promise<void> {
  await deleteAllKeys(tx);
  await addWebhookKey(tx, { id: tx.newId(), signsFrom: tx.now });
}

/** Adds a new pair that signs from `signsFrom` on. Returns its public half. */
export async function addWebhookKey(
  tx: Tx,
  { id, signsFrom }: { id: Id<'WebhookKey'>; signsFrom: Date },
): Promise<string> {
  const { publicKeyPem, sealedPrivateKey } = newWebhookKey(tx.vault, id);
  await insertWebhookKey(tx, {
    id,
    public_key: publicKeyPem,
    private_key: sealedPrivateKey,
    signs_from: signsFrom,
  });
  return publicKeyPem;
}

function refuseSecond(old: WebhookKeyRow, next: WebhookKeyRow): never {
  refuse(
    'CONFLICT',
    `A rotation is under way: the new key signs from ${next.signs_from.toISOString()}, and the old one is removed at ` +
      `${old.goes_at?.toISOString()}. Rotate again after that, or with \`immediately\`, which removes both keys now.`,
  );
}

function presentKey(row: WebhookKeyRow, all: readonly WebhookKeyRow[], now: Date): ListedWebhookKey {
  const hasEnded = (key: WebhookKeyRow) => key.signs_until !== null && key.signs_until <= now;
  const isSigning = row === all.find((key) => !hasEnded(key));
  return {
    id: publicId('WebhookKey', row.id),
    status: hasEnded(row) ? 'RETIRING' : isSigning ? 'SIGNING' : 'NEXT',
    publicKey: row.public_key,
    signsFrom: row.signs_from,
    goesAt: row.goes_at ?? undefined,
  };
}

const REMOVAL = 'webhook-keys.remove';

export const webhookKeyJobs: JobDeclarations = {
  [REMOVAL]: {
    due: () => ({ sentence: 'The old webhook key is removed from the list of keys.' }),
    run: (tx) => deleteGoneKeys(tx),
  },
};
