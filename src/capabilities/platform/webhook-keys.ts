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
import type { JobHandlers } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { type PublicId, publicId } from '#foundation/lib/ids.ts';
import { refuse } from '#foundation/lib/refusals.ts';

export const KEY_STATUSES = ['NEXT', 'SIGNING', 'RETIRING'] as const;

/** A key on show (platform.md §4.1.4). Times are business time. */
export interface ShownKey {
  readonly id: PublicId<'WebhookKey'>;
  readonly status: (typeof KEY_STATUSES)[number];
  /** SPKI PEM. */
  readonly publicKey: string;
  readonly signsFrom: Date;
  /** Undefined until another takes its place. */
  readonly goesAt: Date | undefined;
}

export interface RotationRequest {
  readonly signsAfterSeconds?: number | undefined;
  readonly keepsOldForSeconds?: number | undefined;
  /** The keys that there are go at once, and nothing is signed with them any more. */
  readonly immediately?: boolean | undefined;
}

const DAY_SECONDS = 24 * 60 * 60;
/** How long the new key is on show before it signs, and the old one afterwards. */
export const OVERLAP_SECONDS = { default: DAY_SECONDS, max: 7 * DAY_SECONDS };

/** In the order in which they sign. */
export async function listWebhookKeys(tx: ReadTx): Promise<ShownKey[]> {
  const rows = await listShownKeys(tx);
  return rows.map((row) => presentKey(row, rows, tx.now));
}

/**
 * Makes a new key. It is on show at once and signs later, so that receivers can learn of it first; the old one stays on
 * show for as long as receivers may take. Rotations of a platform take turns. Returns what is on show then.
 */
export async function rotateWebhookKey(tx: Tx, request: RotationRequest = {}): Promise<ShownKey[]> {
  await lockPlatform(tx);
  if (request.immediately) await replaceAtOnce(tx);
  else await replaceLater(tx, request);
  return listWebhookKeys(tx);
}

/** A call of the API leaves an audit row by itself. */
export async function rotateByOperator(
  tx: Tx,
  request: RotationRequest,
  reason: string,
): Promise<ShownKey[]> {
  const keys = await rotateWebhookKey(tx, request);
  audit(tx, { action: 'webhook rotate-key', details: { ...rotationDetails(request, keys), reason } });
  return keys;
}

/** What the audit log says of a rotation. */
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
  // A key signs for a moment at least, also one that was made just now.
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

/** A new pair, which signs from then on. Returns its public half. */
export async function addWebhookKey(
  tx: Tx,
  { id, signsFrom }: { id: string; signsFrom: Date },
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
    `A rotation is under way: the new key signs from ${next.signs_from.toISOString()}, and the old one goes at ` +
      `${old.goes_at?.toISOString()}. Rotate again then, or with \`immediately\`, which ends both keys now.`,
  );
}

function presentKey(row: WebhookKeyRow, all: readonly WebhookKeyRow[], now: Date): ShownKey {
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

export const webhookKeyJobs: JobHandlers = {
  [REMOVAL]: { run: (tx) => deleteGoneKeys(tx) },
};
