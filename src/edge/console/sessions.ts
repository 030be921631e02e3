import { hash, randomBytes } from 'node:crypto';
import {
  deleteSession,
  findByAddress,
  findBySecret,
  insertAddress,
  type SessionToken,
  type StoredSession,
  useAddress,
} from '#edge/console/store.ts';
import { audit } from '#foundation/audit/audit.ts';
import { hashCode } from '#foundation/codes/codes.ts';
import { GuessLimit } from '#foundation/codes/guess-limit.ts';
import type { Runtime, Tx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import type { Permission, RequestFacts, TokenCaller } from '#foundation/http/caller.ts';
import { batchCalls } from '#foundation/lib/batch-calls.ts';
import { CODE_KINDS, hasForm } from '#foundation/lib/code-kinds.ts';
import { publicId } from '#foundation/lib/ids.ts';
import type { Environment } from '#foundation/lib/platform.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

const HOUR_MS = 60 * 60 * 1000;
const SESSION_MS = 12 * HOUR_MS;
const { form: FORM, lifeMs: ADDRESS_MS, limits: LIMITS } = CODE_KINDS.CONSOLE;

/** A session belongs to no named person, so one of a production token can only read (operator.md §9.1). */
const PERMISSIONS: Readonly<Record<Environment, readonly Permission[]>> = {
  SANDBOX: ['VIEW', 'TRANSACT', 'MANAGE'],
  PRODUCTION: ['VIEW'],
};

/** What a session may do: at most what its token may. */
export function permissionsOf({ permissions, platform }: SessionToken): Permission[] {
  return permissions.filter((permission) => PERMISSIONS[platform.environment].includes(permission));
}

/** The token's caller, as the public API knows it. */
export function callerOf(session: SessionToken): TokenCaller {
  const { tokenId: id, platform } = session;
  return { kind: 'token', id, platform, permissions: permissionsOf(session), via: 'console' };
}

/** 256 random bits, in the alphabet of the address's secret. */
function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** A long random secret needs no salt, and is found by its hash. */
function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** Makes an address that signs in once (operator.md §9.1). Only a hash of its secret is stored. */
export async function createAddress(
  tx: Tx,
  tokenId: Id<'Token'>,
  consoleUrl: string,
): Promise<{ url: string; expiresAt: Date }> {
  const secret = newSecret();
  const createdAt = new Date(tx.runtime.clock.now());
  const expiresAt = new Date(createdAt.getTime() + ADDRESS_MS);
  await insertAddress(tx, { tokenId, hash: hashCode(tx.vault, 'CONSOLE', [], secret), createdAt, expiresAt });
  // Behind the hash sign, so that no server, proxy or referrer gets it.
  return { url: `${consoleUrl}/sign-in#${secret}`, expiresAt };
}

export interface SignedIn {
  readonly secret: string;
  readonly session: StoredSession;
}

/** The sessions of developers. All times are real time: a moved clock of the sandbox ends none of them. */
export class ConsoleSessions {
  readonly #runtime: Runtime;
  readonly #limit = new GuessLimit(LIMITS);
  readonly #find: (secretHash: Buffer) => Promise<StoredSession | undefined>;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
    this.#find = batchCalls((hashes: Buffer[]) => findBySecret(runtime.database, hashes, this.#now()));
  }

  #now(): Date {
    return new Date(this.#runtime.clock.now());
  }

  /** The live session of a cookie; every request looks it up, so that a revoked token ends it at once. */
  async find(secret: string | undefined): Promise<StoredSession | undefined> {
    if (secret === undefined || !hasForm(secret, FORM)) return undefined;
    return this.#find(hashSecret(secret));
  }

  /** Shows whose address it is, without using it. */
  preview(secret: string, request: RequestFacts): Promise<StoredSession | Refusal> {
    return this.#attempt(secret, request, async (found) => found);
  }

  /** Uses the address up; of two concurrent sign-ins with one address, one succeeds. */
  signIn(secret: string, request: RequestFacts): Promise<SignedIn | Refusal> {
    return this.#attempt(secret, request, async (found, addressHash) => {
      const own = newSecret();
      const now = this.#now();
      const expiresAt = new Date(now.getTime() + SESSION_MS);
      const isUsed = await this.#workOf(found).write(async (tx) => {
        if (!(await useAddress(tx, addressHash, { hash: hashSecret(own), now, expiresAt }))) return false;
        audit(tx, auditFact('console sign-in', found, request));
        return true;
      });
      return isUsed ? { secret: own, session: { ...found, expiresAt } } : deadAddress();
    });
  }

  async signOut(session: StoredSession, request: RequestFacts): Promise<void> {
    await this.#workOf(session).write(async (tx) => {
      if (await deleteSession(tx, session.id)) audit(tx, auditFact('console sign-out', session, request));
    });
  }

  /** An address from which too many sign-ins have failed has to wait (operator.md §3.5). */
  #attempt<T>(
    secret: string,
    { remoteAddress }: RequestFacts,
    attempt: (found: StoredSession, addressHash: Buffer) => Promise<T | Refusal>,
  ): Promise<T | Refusal> {
    const { clock, vault, database } = this.#runtime;
    const run = async () => {
      if (!hasForm(secret, FORM)) return deadAddress();
      const addressHash = hashCode(vault, 'CONSOLE', [], secret);
      const found = await findByAddress(database, addressHash, this.#now());
      return found ? attempt(found, addressHash) : deadAddress();
    };
    return this.#limit.run({ address: remoteAddress }, () => clock.now(), run);
  }

  #workOf({ platform, tokenId }: SessionToken): Work {
    return new Work(this.#runtime, platform, { kind: 'token', id: tokenId });
  }
}

function auditFact(action: string, { tokenId }: SessionToken, { id, remoteAddress, headers }: RequestFacts) {
  const browser = String(headers['user-agent'] ?? '').slice(0, 200);
  const resource = publicId('Token', tokenId);
  return { action, resource, requestId: id, remoteAddress, details: { via: 'console', browser } };
}

/** The same refusal for every cause, so that it reveals nothing. */
function deadAddress(): Refusal {
  return new Refusal(
    'UNAUTHORIZED',
    'This address is not valid: it works once, within ten minutes. Get a new one with "corridor open console".',
  );
}
