import { type OperatorParts, relyingPartyOf } from '#capabilities/operators/address.ts';
import {
  CHALLENGE_MS,
  issueChallenge,
  type OpenChallenge,
  openChallenge,
} from '#capabilities/operators/challenges.ts';
import { confirmationBoundTo, sealConfirmation } from '#capabilities/operators/confirmations.ts';
import { Issuer, type IssuerAnswer, type IssuerRequest } from '#capabilities/operators/issuer.ts';
import { type Admitted, admit } from '#capabilities/operators/issuer-admission.ts';
import { type IssuerOfOperators, issuerName } from '#capabilities/operators/issuer-settings.ts';
import { type OperatorSession, useChallenge } from '#capabilities/operators/session-store.ts';
import { beginSession, LIMITS, renewSession, tellSession } from '#capabilities/operators/sessions.ts';
import { GuessLimit } from '#foundation/codes/guess-limit.ts';
import type { Runtime, Tx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import type { RequestFacts } from '#foundation/http/caller.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { createProviderClient } from '#foundation/outbound/outbound.ts';

/** How long a person may take at the issuer (operator.md §3.3). */
export const ISSUER_MS = 10 * 60 * 1000;

/** The browser goes to `url`, and keeps `kept` in a cookie that ties the answer to it. */
export interface IssuerStart {
  readonly url: string;
  readonly kept: string;
}

/** How the browser came back from the issuer. */
export interface IssuerReturn {
  /** The query of the address to which the issuer sent the browser. */
  readonly answer: string;
  readonly kept: string | undefined;
  /** The session of the browser, if it has one, and the secret of its cookie. */
  readonly session: OperatorSession | undefined;
  readonly former: string | undefined;
  /** The hash of what the person approves, if that is why they went to the issuer. */
  readonly signs: Uint8Array | undefined;
}

/** A new secret of the session, or a proof that somebody approves something. */
export type IssuerEnd =
  | { readonly secret: string }
  | { readonly nonce: string; readonly confirmation: string };

export interface IssuerSessionParts extends OperatorParts {
  readonly log: { warn(facts: object, text: string): void };
}

/** The purpose of one redirect to the issuer. */
interface Way {
  readonly challenge: OpenChallenge;
  /** Undefined: it is a sign-in. */
  readonly session: OperatorSession | undefined;
  readonly signs: Uint8Array | undefined;
}

/** Signing in and proving presence at the issuer of the operators (operator.md §1.3a, §3.4). */
export class IssuerSessions {
  readonly #runtime: Runtime;
  readonly #issuer: Issuer;
  readonly #log: IssuerSessionParts['log'];
  readonly #limit = new GuessLimit(LIMITS);

  constructor(runtime: Runtime, settings: IssuerOfOperators, parts: IssuerSessionParts) {
    this.#runtime = runtime;
    this.#log = parts.log;
    this.#issuer = new Issuer(settings, {
      ...{ clock: runtime.clock, client: createProviderClient(), log: parts.log },
      redirectUri: () => `${relyingPartyOf(parts).origin}/console/operator/callback`,
    });
  }

  signIn(): Promise<IssuerStart> {
    return this.#start(SIGN_IN);
  }

  /** `signs` is the hash of what the person approves; the issuer then asks the person, whatever happened before. */
  stepUp(session: OperatorSession, signs: Uint8Array | undefined): Promise<IssuerStart> {
    return this.#start(confirmationBoundTo(session.id), { signs });
  }

  /** `present`: the issuer has to say when the person proved presence. */
  async #start(
    boundTo: readonly string[],
    present?: { readonly signs: Uint8Array | undefined },
  ): Promise<IssuerStart> {
    const { vault, clock } = this.#runtime;
    const signed = present?.signs;
    const options = { signed, lifeMs: signed ? CHALLENGE_MS : ISSUER_MS };
    const { nonce: kept, challenge } = issueChallenge(vault, clock.now(), boundTo, options);
    const url = await this.#issuer.authorizationUrl({
      ...this.#secretsOf(kept, challenge),
      isPresent: present !== undefined,
      isAskedAgain: signed !== undefined,
    });
    return { url, kept };
  }

  /** Completes what the browser went to the issuer for. */
  async finish(back: IssuerReturn, request: RequestFacts): Promise<IssuerEnd | Refusal> {
    const end = await this.#limit.run<IssuerEnd | IssuerAway>(
      { address: request.remoteAddress },
      () => this.#runtime.clock.now(),
      () => this.#attempt(back, request).catch(requireAway),
    );
    if (!(end instanceof Refusal) && 'away' in end) throw end.away;
    return end;
  }

  async #attempt(back: IssuerReturn, request: RequestFacts): Promise<IssuerEnd | Refusal> {
    const way = this.#wayOf(back);
    if (!way || back.kept === undefined) return strayed();
    const secrets = this.#secretsOf(back.kept, way.challenge.bytes.toString('base64url'));
    const isAskedAgain = way.signs !== undefined;
    const asked = { ...secrets, isPresent: way.session !== undefined, isAskedAgain };
    const answer = await this.#issuer.redeem(back.answer, asked);
    if (!answer || (isAskedAgain && !this.#wasAsked(answer, way))) return this.#notAdmitted();
    return this.#end(way, back, answer, request);
  }

  async #end(
    way: Way,
    { kept = '', former }: IssuerReturn,
    answer: IssuerAnswer,
    request: RequestFacts,
  ): Promise<IssuerEnd | Refusal> {
    const work = new Work(this.#runtime, INSTALLATION, {
      kind: 'operator',
      id: this.#issuer.settings.issuer,
    });
    return work.write(async (tx) => {
      const { challenge, session, signs } = way;
      // The approval uses up the signed value, in its own commit.
      if (!signs && !(await useChallenge(tx, challenge.hash, challenge.expiresAt))) return strayed();
      const admitted = await admit(tx, answer);
      if (typeof admitted === 'string') return this.#notAdmitted(admitted);
      const { operator } = admitted;
      if (session && session.operatorId !== operator.id) throw this.#notAdmitted('somebody else signed in');
      const steppedUpAt = presentSince(answer, this.#runtime.clock.now());
      if (!session || admitted.hasChanged) {
        return this.#begin(tx, admitted, { request, former, steppedUpAt });
      }
      if (signs) {
        const confirmation = sealConfirmation(tx, {
          session: session.id,
          nonce: kept,
          idToken: answer.idToken,
        });
        return { nonce: kept, confirmation };
      }
      const secret = await renewSession(tx, session.id, steppedUpAt);
      if (secret === undefined) return new Refusal('UNAUTHORIZED', 'Your session has ended.');
      tellSession(tx, 'operator step-up', operator.id, request);
      return { secret };
    });
  }

  async #begin(
    tx: Tx,
    { operator }: Admitted,
    sent: { request: RequestFacts; former: string | undefined; steppedUpAt: Date | null },
  ): Promise<IssuerEnd> {
    tellSession(tx, 'operator sign-in', operator.id, sent.request);
    return { secret: await beginSession(tx, operator.id, sent) };
  }

  #wayOf({ kept, session, signs }: IssuerReturn): Way | undefined {
    if (kept === undefined) return undefined;
    const { vault, clock } = this.#runtime;
    const open = (boundTo: readonly string[], signed?: Uint8Array) =>
      openChallenge(vault, clock.now(), boundTo, kept, signed);
    const signIn = open(SIGN_IN);
    if (signIn) return { challenge: signIn, session: undefined, signs: undefined };
    const stepUp = session && open(confirmationBoundTo(session.id), signs);
    return stepUp && { challenge: stepUp, session, signs };
  }

  /** Everything follows from the value in the cookie, and cannot be computed without the service's key. */
  #secretsOf(kept: string, challenge: string): Pick<IssuerRequest, 'state' | 'nonce' | 'verifier'> {
    const derive = (purpose: string) => this.#runtime.vault.fingerprint(kept, purpose).toString('base64url');
    return {
      state: derive('operators.issuer-state'),
      verifier: derive('operators.issuer-verifier'),
      nonce: challenge,
    };
  }

  /** Whether the issuer asked the person after the way began: an approval asks each time. */
  #wasAsked({ authenticatedAt }: IssuerAnswer, { challenge }: Way): boolean {
    const begunAt = challenge.expiresAt.getTime() - CHALLENGE_MS;
    return authenticatedAt !== undefined && authenticatedAt.getTime() >= begunAt - TOLERANCE_MS;
  }

  /** One sentence for every cause; the log has the cause. */
  #notAdmitted(reason?: string): Refusal {
    const name = issuerName(this.#issuer.settings);
    if (reason !== undefined) this.#log.warn({ reason }, 'the issuer of operators: a person does not get in');
    return new Refusal(
      'UNAUTHORIZED',
      `Your account at ${name} does not let you in here. Try again, or ask an administrator.`,
    );
  }
}

/** The issuer did not answer, which is nobody's failed attempt. */
interface IssuerAway {
  readonly away: Refusal;
}

function requireAway(error: unknown): IssuerAway {
  if (error instanceof Refusal && error.code === 'SERVICE_UNAVAILABLE') return { away: error };
  throw error;
}

const TOLERANCE_MS = 30_000;
const SIGN_IN = ['issuer', 'sign-in'];

/** When the person proved presence, as the issuer says; without its word nobody did. */
function presentSince({ authenticatedAt }: IssuerAnswer, now: number): Date | null {
  return authenticatedAt ? new Date(Math.min(authenticatedAt.getTime(), now)) : null;
}

function strayed(): Refusal {
  return new Refusal(
    'UNAUTHORIZED',
    'This browser did not begin this sign-in, it took too long, or it was completed already. Sign in again.',
  );
}
