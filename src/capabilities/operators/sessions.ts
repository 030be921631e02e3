import { hash, randomBytes } from 'node:crypto';
import { checkPasskeyEntry, type OperatorParts, relyingPartyOf } from '#capabilities/operators/address.ts';
import { type IssuedChallenge, issueChallenge, openChallenge } from '#capabilities/operators/challenges.ts';
import { type Joined, type JoinRequest, join, previewJoin } from '#capabilities/operators/join.ts';
import { findPasskey } from '#capabilities/operators/passkey-store.ts';
import { readAnswer, recordAnswer, wrongPasskey } from '#capabilities/operators/passkeys.ts';
import { maySignIn } from '#capabilities/operators/row.ts';
import {
  deleteBySecret,
  deleteSessions,
  findSession,
  insertSession,
  noteUse,
  type OperatorSession,
  renewSecret,
} from '#capabilities/operators/session-store.ts';
import { audit } from '#foundation/audit/audit.ts';
import { GuessLimit } from '#foundation/codes/guess-limit.ts';
import type { PasskeyAssertion } from '#foundation/crypto/webauthn.ts';
import type { Actor, Runtime, Tx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import type { OperatorCaller, RequestFacts } from '#foundation/http/caller.ts';
import { CODE_KINDS, hasForm } from '#foundation/lib/code-kinds.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { Refusal, refuseIf } from '#foundation/lib/refusals.ts';

const MINUTE_MS = 60 * 1000;
/** operator.md §3.1 */
export const IDLE_MS = 15 * MINUTE_MS;
const SESSION_MS = 12 * 60 * MINUTE_MS;
const FORMER_MS = 30 * 1000;
/** Uses are noted this often: a session ends at most this much earlier than after 15 minutes without use. */
const USE_NOTED_EVERY_MS = 15 * 1000;
export const { form: FORM, limits: LIMITS } = CODE_KINDS.OPERATOR;

/** An answer to a challenge, as a browser sends it. */
export interface PasskeyAnswer {
  readonly nonce: string;
  readonly assertion: PasskeyAssertion;
}

/** A signed-in browser, and the secret of its cookie. */
export interface SignedInOperator {
  readonly secret: string;
  readonly session: OperatorSession;
}

/** The caller of a session. One who is not confirmed yet has no role, and so can do nothing (operator.md §1.5a). */
export function operatorCallerOf(session: OperatorSession): OperatorCaller {
  const { id, operatorId, status, roles, steppedUpAt } = session;
  return {
    kind: 'operator',
    id: publicId('Operator', operatorId),
    platform: INSTALLATION,
    roles: status === 'ACTIVE' ? roles : [],
    session: { id, steppedUpAt: steppedUpAt ?? undefined },
  };
}

/** The sessions of operators, and the ways in which they begin (operator.md §1, §3). All times are real time. */
export class OperatorSessions {
  readonly #runtime: Runtime;
  readonly #parts: OperatorParts;
  readonly #limit = new GuessLimit(LIMITS);

  constructor(runtime: Runtime, parts: OperatorParts) {
    this.#runtime = runtime;
    this.#parts = parts;
  }

  #now(): number {
    return this.#runtime.clock.now();
  }

  #today(): Date {
    return new Date(this.#now());
  }

  /** The live session of a cookie. A request that a page sends by itself (`isPolling`) does not count as use. */
  async find(secret: string | undefined, isPolling: boolean): Promise<OperatorSession | undefined> {
    if (secret === undefined || !hasForm(secret, FORM)) return undefined;
    const now = new Date(this.#now());
    const usedSince = new Date(now.getTime() - IDLE_MS);
    const session = await findSession(this.#runtime.database, hashSecret(secret), { now, usedSince });
    if (session && !isPolling && now.getTime() - session.usedAt.getTime() >= USE_NOTED_EVERY_MS) {
      await noteUse(this.#runtime.database, session, now);
    }
    return session;
  }

  /** Says who an address is for, without using it up, with a challenge for the new passkey. */
  previewJoin(secret: string, request: RequestFacts): ReturnType<typeof previewJoin> {
    return this.#guard({ request }, () => previewJoin(this.#work(), secret, this.#parts));
  }

  /** Registers the first passkey, which uses the address up, and begins a session. */
  join(
    asked: JoinRequest,
    request: RequestFacts,
    former: string | undefined,
  ): Promise<Refusal | (Joined & { secret: string })> {
    return this.#guard({ request }, () =>
      join(this.#work(), asked, this.#parts, (tx, { operator }) =>
        beginSession(tx, operator.id, { request, former, steppedUpAt: this.#today() }),
      ),
    );
  }

  signInChallenge(): IssuedChallenge & { rpId: string } {
    refuseIf(checkPasskeyEntry(this.#parts));
    const issued = issueChallenge(this.#runtime.vault, this.#now(), ['sign-in']);
    return { ...issued, rpId: relyingPartyOf(this.#parts).id };
  }

  /** Signs in with a passkey alone: nobody says an e-mail address, so no answer can tell whether one is known. */
  async signIn(
    { nonce, assertion }: PasskeyAnswer,
    request: RequestFacts,
    former: string | undefined,
  ): Promise<string | Refusal> {
    refuseIf(checkPasskeyEntry(this.#parts));
    const passkey = await this.#work().lookUp((tx) => findPasskey(tx, assertion.credentialId));
    return this.#guard({ request, operatorId: passkey?.operatorId }, async () => {
      const challenge = openChallenge(this.#runtime.vault, this.#now(), ['sign-in'], nonce);
      if (!passkey || !challenge || !maySignIn(passkey)) return wrongPasskey();
      const counter = await readAnswer(assertion, passkey, challenge, relyingPartyOf(this.#parts));
      const actor = actorOf(passkey.operatorId);
      if (counter === undefined) return wrongPasskey();
      return this.#work(actor).write(async (tx) => {
        if (!(await recordAnswer(tx, passkey, { challenge, counter }))) throw wrongPasskey();
        tellSession(tx, 'operator sign-in', passkey.operatorId, request);
        return beginSession(tx, passkey.operatorId, { request, former, steppedUpAt: this.#today() });
      });
    });
  }

  /** A challenge for a proof of presence in this session; `signed` is the hash of what the passkey approves. */
  stepUpChallenge(session: OperatorSession, signed?: Uint8Array): IssuedChallenge & { rpId: string } {
    const bound = ['step-up', session.id];
    return {
      ...issueChallenge(this.#runtime.vault, this.#now(), bound, { signed }),
      rpId: relyingPartyOf(this.#parts).id,
    };
  }

  /** Proves presence, and gives the session a new secret. A proof that signs something counts for that alone. */
  async stepUp(
    session: OperatorSession,
    answer: PasskeyAnswer,
    request: RequestFacts,
  ): Promise<string | Refusal> {
    return this.#guard({ request, operatorId: session.operatorId }, () =>
      this.#work(actorOf(session.operatorId)).write(async (tx) => {
        await verifyStepUp(tx, this.#parts, session, answer);
        const secret = await renewSession(tx, session.id, this.#today());
        if (secret === undefined) return new Refusal('UNAUTHORIZED', 'Your session has ended.');
        tellSession(tx, 'operator step-up', session.operatorId, request);
        return secret;
      }),
    );
  }

  async signOut({ id, operatorId }: OperatorSession, request: RequestFacts): Promise<void> {
    await this.#work(actorOf(operatorId)).write(async (tx) => {
      const ended = await deleteSessions(tx, operatorId, id);
      if (ended > 0) tellSession(tx, 'operator sign-out', operatorId, request);
    });
  }

  #work(actor: Actor = VISITOR): Work {
    return new Work(this.#runtime, INSTALLATION, actor);
  }

  /** A refusal counts as a failed sign-in of the address, and of the operator whose passkey was used (operator.md §3.5). */
  #guard<T>(
    { request, operatorId }: { request: RequestFacts; operatorId?: string | undefined },
    attempt: () => Promise<T | Refusal>,
  ): Promise<T | Refusal> {
    return this.#limit.run({ address: request.remoteAddress, code: operatorId }, () => this.#now(), attempt);
  }
}

interface SessionStart {
  readonly request: RequestFacts;
  /** The secret that the browser had before. */
  readonly former: string | undefined;
  readonly steppedUpAt: Date | null;
}

/** Begins a session. Its secret is always new, whatever cookie the browser had; the session of that cookie ends. */
export async function beginSession(
  tx: Tx,
  operatorId: Id<'Operator'>,
  { request: { remoteAddress, headers }, former, steppedUpAt }: SessionStart,
): Promise<string> {
  const secret = newSecret();
  const now = new Date(tx.runtime.clock.now());
  if (former !== undefined) await deleteBySecret(tx, hashSecret(former));
  await insertSession(tx, {
    ...{ id: tx.newId<'OperatorSession'>(), operatorId, hash: hashSecret(secret), now },
    ...{ expiresAt: new Date(now.getTime() + SESSION_MS), steppedUpAt, remoteAddress },
    browser: browserOf(headers),
  });
  return secret;
}

/** Gives a session a new secret after a proof of presence at `steppedUpAt`; undefined if the session has ended. */
export async function renewSession(
  tx: Tx,
  id: Id<'OperatorSession'>,
  steppedUpAt: Date | null,
): Promise<string | undefined> {
  const secret = newSecret();
  const now = new Date(tx.runtime.clock.now());
  const formerUntil = new Date(now.getTime() + FORMER_MS);
  const isRenewed = await renewSecret(tx, id, { hash: hashSecret(secret), now, formerUntil, steppedUpAt });
  return isRenewed ? secret : undefined;
}

/**
 * Checks a proof of presence and records it, so that it counts once: for this session, within five minutes, and only for
 * `signed`. The caller keeps the answer where somebody may later ask what was signed.
 */
export async function verifyStepUp(
  tx: Tx,
  parts: OperatorParts,
  { id, operatorId }: Pick<OperatorSession, 'id' | 'operatorId'>,
  { nonce, assertion }: PasskeyAnswer,
  signed?: Uint8Array,
): Promise<void> {
  const { vault, clock } = tx.runtime;
  const challenge = openChallenge(vault, clock.now(), ['step-up', id], nonce, signed);
  const passkey = await findPasskey(tx, assertion.credentialId);
  if (!challenge || passkey?.operatorId !== operatorId || !maySignIn(passkey)) throw notProved();
  const counter = await readAnswer(assertion, passkey, challenge, relyingPartyOf(parts));
  if (counter === undefined || !(await recordAnswer(tx, passkey, { challenge, counter }))) throw notProved();
}

export function notProved(): Refusal {
  return new Refusal('STEP_UP_REQUIRED', 'This answer does not prove that you are present. Confirm again.');
}

const VISITOR: Actor = { kind: 'page', id: 'public' };

export function actorOf(operatorId: Id<'Operator'>): Actor {
  return { kind: 'operator', id: publicId('Operator', operatorId) };
}

export function tellSession(
  tx: Tx,
  action: string,
  operatorId: Id<'Operator'>,
  { id, remoteAddress, headers }: RequestFacts,
): void {
  const resource = publicId('Operator', operatorId);
  audit(tx, { action, resource, requestId: id, remoteAddress, details: { browser: browserOf(headers) } });
}

function browserOf(headers: RequestFacts['headers']): string {
  return String(headers['user-agent'] ?? '').slice(0, 200);
}

/** 256 random bits. */
function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** A long random secret needs no salt, and is found by its hash. */
function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
