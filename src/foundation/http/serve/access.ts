import { createPublicKey, verify } from 'node:crypto';
import { matchesSecret, NO_SECRET } from '#foundation/crypto/secrets.ts';
import type { Database } from '#foundation/database/database.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import type { Caller, CallerKind, RequestFacts, TokenCaller } from '#foundation/http/caller.ts';
import { findPublicKeys, findTokens, noteTokenUse } from '#foundation/http/serve/token-store.ts';
import { batchCalls } from '#foundation/lib/batch-calls.ts';
import { type Clock, platformTime } from '#foundation/lib/clock.ts';
import { parseId } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

/** The caller that an `Authorization` header names, or why it is refused. */
export type Authenticate = (authorization: string | undefined) => Promise<Caller | Refusal>;

/** How callers of each kind authenticate; a kind without an entry cannot call over HTTP. */
export type Authenticators = { readonly [Kind in CallerKind]?: Authenticate };

/** The caller, if it is of one of these kinds. */
export async function identify(
  kinds: readonly CallerKind[],
  authenticators: Authenticators,
  authorization: string | undefined,
): Promise<Caller | Refusal> {
  let refused: Refusal | undefined;
  for (const kind of kinds) {
    const found = await authenticators[kind]?.(authorization);
    if (found && !(found instanceof Refusal)) return found;
    refused ??= found;
  }
  return refused ?? unauthorized();
}

/**
 * Authenticates API tokens by HTTP Basic. Tokens are looked up on every request, so that a revoked one is refused at its
 * next use in every process; concurrent callers share one look-up, which keeps it cheap. With a clock it records when a
 * token was used (platform.md §1.3.7a).
 */
export function createAuthenticate(database: Database, clock?: Clock): Authenticate {
  const find = {
    clientId: batchCalls((names: string[]) => findTokens(database, 'client_id', names)),
    id: batchCalls((names: string[]) => findTokens(database, 'token_id', names)),
  };
  return async (authorization) => {
    const presented = parseBasic(authorization);
    const row = presented && (await find[presented.by](presented.name));
    const matches = matchesSecret(
      presented?.secret ?? '',
      row ? { salt: row.salt, hash: row.secret_hash } : NO_SECRET,
    );
    if (!row || !matches) return unauthorized();
    if (clock) {
      const now = new Date(clock.now());
      await noteUse(row.used_at, now, USE_NOTED_EVERY_MS, () => noteTokenUse(database, row, now));
    }
    if (row.disabled_at) return new Refusal('PLATFORM_NOT_FOUND', 'The platform of this token is disabled.');
    return {
      kind: 'token',
      id: row.token_id,
      platform: row.platform,
      permissions: row.permissions,
    };
  };
}

const USE_NOTED_EVERY_MS = 3_600_000;

/**
 * Records that a credential was used, unless that was recorded a short while ago. It is not part of the request's commit,
 * because most requests only read. If recording fails, the next call records it.
 */
export async function noteUse(
  notedAt: Date | null,
  now: Date,
  everyMs: number,
  note: () => Promise<void>,
): Promise<void> {
  const isNotedAgain = notedAt === null || now.getTime() - notedAt.getTime() >= everyMs;
  if (isNotedAgain) await note().catch(() => undefined);
}

/** The same refusal for every cause, so that it reveals nothing (platform.md §1.3.2). */
export function unauthorized(): Refusal {
  const reason = 'The request needs valid API credentials: HTTP Basic with the token id and its secret.';
  return new Refusal('UNAUTHORIZED', reason, undefined, { 'www-authenticate': 'Basic realm="api"' });
}

interface BasicCredentials {
  /** Which of its names the token was given by. */
  readonly by: 'clientId' | 'id';
  readonly name: string;
  readonly secret: string;
}

/** The username may be the client id, the token's UUID, or its full id, which contains a colon itself. */
export function parseBasic(header: string | undefined): BasicCredentials | undefined {
  const encoded = header?.match(/^basic +([A-Za-z0-9+/=_-]+) *$/i)?.[1];
  if (!encoded) return undefined;
  const parts = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  const name = parts[0] === 'Token' ? parts.splice(0, 2).join(':') : parts.shift();
  const secret = parts.join(':');
  if (name === undefined) return undefined;
  if (/^[0-9a-f]{32}$/.test(name)) return { by: 'clientId', name, secret };
  const id = parseId('Token', name);
  return id === undefined ? undefined : { by: 'id', name: id, secret };
}

/**
 * A signature is optional. A signed request must verify over the exact body bytes with a published webhook key of the
 * platform, and with the named key if it names one (platform.md §4.5). The headers have the form of our own webhooks'.
 */
export async function verifyRequestSignature(
  { database, clock, names }: Pick<Runtime, 'database' | 'clock' | 'names'>,
  { platform }: TokenCaller,
  { headers, body }: Pick<RequestFacts, 'headers'> & { readonly body: Buffer | undefined },
): Promise<void> {
  const header = headers[names.signatureHeader.toLowerCase()];
  if (header === undefined) return;
  const signature = typeof header === 'string' ? readSignature(header) : undefined;
  const named = headers[names.signatureKeyIdHeader.toLowerCase()];
  const keyId = typeof named === 'string' ? parseId('WebhookKey', named) : undefined;
  const shown = await findPublicKeys(database, platform.id, platformTime(clock, platform.clockOffsetMs));
  const keys = named === undefined ? shown : shown.filter(({ id }) => id === keyId);
  const isSignedBy = (pem: string) =>
    signature && verify('sha256', body ?? Buffer.alloc(0), createPublicKey(pem), signature);
  if (keys.some(({ public_key }) => isSignedBy(public_key))) return;
  throw new Refusal(
    'INVALID_SIGNATURE',
    'The request signature is malformed or does not match the request body.',
  );
}

function readSignature(header: string): Buffer | undefined {
  try {
    const { v, s } = JSON.parse(header) as { v?: unknown; s?: unknown };
    return v === '1' && typeof s === 'string' ? Buffer.from(s, 'base64') : undefined;
  } catch {
    return undefined;
  }
}
