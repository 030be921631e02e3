import type { Configuration, ServerMetadata } from 'openid-client';
import { type IssuerOfOperators, issuerName, mappedRoles } from '#capabilities/operators/issuer-settings.ts';
import type { OperatorRole } from '#foundation/http/operator-rule.ts';
import { type Clock, systemClock } from '#foundation/lib/clock.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { CachedAnswer } from '#foundation/outbound/cached-answer.ts';
import type { ProviderClient } from '#foundation/outbound/outbound.ts';

const TIMEOUT_MS = 5_000;
/** Metadata, keys and tokens take a few kilobytes. */
const ANSWER_MAX_BYTES = 256 * 1024;
const MINUTE_MS = 60_000;
const FRESH_MS = 10 * MINUTE_MS;
const AGE_MAX_MS = 24 * 60 * MINUTE_MS;
const PAUSE_MS = 5_000;
/** operator.md §3.4: how old the proof of presence may be. */
const PRESENT_SECONDS = 300;
/** How far the issuer's clock may be from ours. */
const TOLERANCE_SECONDS = 30;

/** The values that tie one sign-in to one browser. All of them are derived from one random value. */
export interface IssuerRequest {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Whether the issuer has to say when the person proved presence, at most five minutes ago. */
  readonly isPresent: boolean;
  /** Whether the issuer has to ask the person, although they have just signed in. */
  readonly isAskedAgain: boolean;
}

/** The person who signed in, as the issuer says. */
export interface IssuerAnswer {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  readonly isEmailVerified: boolean;
  readonly name: string | undefined;
  /** Undefined: roles are not mapped. */
  readonly roles: readonly OperatorRole[] | undefined;
  readonly authenticatedAt: Date | undefined;
  readonly idToken: string;
}

export interface IssuerParts {
  readonly clock: Clock;
  readonly client: ProviderClient;
  readonly log: { warn(facts: object, text: string): void };
  /** Where the issuer sends the browser back. */
  redirectUri(): string;
}

type Claims = Readonly<Record<string, unknown>>;

/** Asks the issuer who somebody is: authorization code with PKCE, state and nonce (operator.md §1.3a). */
export class Issuer {
  readonly settings: IssuerOfOperators;
  readonly #parts: IssuerParts;
  readonly #metadata: CachedAnswer<ServerMetadata>;

  constructor(settings: IssuerOfOperators, parts: IssuerParts) {
    this.settings = settings;
    this.#parts = parts;
    this.#metadata = new CachedAnswer({
      ...{ clock: parts.clock, ageMaxMs: AGE_MAX_MS, pauseMs: PAUSE_MS },
      fetch: () => this.#discover(),
      onFailure: (reason) => this.#warn('its metadata cannot be read', reason),
    });
  }

  /** The address at which a person signs in. */
  async authorizationUrl(request: IssuerRequest): Promise<string> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client');
    const config = await this.#configure();
    return buildAuthorizationUrl(config, {
      redirect_uri: this.#parts.redirectUri(),
      scope: 'openid email profile',
      state: request.state,
      nonce: request.nonce,
      code_challenge: await calculatePKCECodeChallenge(request.verifier),
      code_challenge_method: 'S256',
      ...(request.isPresent && { max_age: String(PRESENT_SECONDS) }),
      ...(request.isAskedAgain && { prompt: 'login' }),
    }).href;
  }

  /**
   * Exchanges the code with which the browser came back, and checks the token: signature, issuer, audience, nonce, times.
   * Undefined: it proves nothing. Refuses if the issuer does not answer.
   */
  async redeem(query: string, request: IssuerRequest): Promise<IssuerAnswer | undefined> {
    const { authorizationCodeGrant } = await import('openid-client');
    const away: string[] = [];
    const config = await this.#configure(away);
    const address = new URL(this.#parts.redirectUri());
    address.search = query;
    try {
      const tokens = await authorizationCodeGrant(config, address, {
        pkceCodeVerifier: request.verifier,
        expectedState: request.state,
        expectedNonce: request.nonce,
        idTokenExpected: true,
        ...(request.isPresent && { maxAge: PRESENT_SECONDS }),
      });
      const claims: Claims = { ...tokens.claims() };
      const more = await this.#askMore(config, claims, tokens.access_token);
      return this.#read({ ...more, ...claims }, String(tokens.id_token));
    } catch (error) {
      if (away.length > 0) throw this.#unavailable(away.join('; '));
      if (!(error instanceof Error)) throw error;
      const { code, error: told, cause } = error as Error & { code?: unknown; error?: unknown };
      this.#warn('its answer proves nothing', { code, told, message: error.message, cause: String(cause) });
      return undefined;
    }
  }

  /** Many issuers put e-mail address and groups into the reply of another call, and not into the token. */
  async #askMore(config: Configuration, claims: Claims, accessToken: string): Promise<Claims> {
    const wanted = ['email', ...(this.settings.roles ? [this.settings.roles.claim] : [])];
    const isComplete = wanted.every((claim) => claims[claim] !== undefined);
    if (isComplete || config.serverMetadata().userinfo_endpoint === undefined) return {};
    const { fetchUserInfo } = await import('openid-client');
    return { ...(await fetchUserInfo(config, accessToken, String(claims.sub))) };
  }

  #read(claims: Claims, idToken: string): IssuerAnswer {
    const { iss, sub, email, email_verified, name, auth_time } = claims;
    const { roles } = this.settings;
    return {
      issuer: String(iss),
      subject: String(sub),
      email: typeof email === 'string' ? email : undefined,
      isEmailVerified: email_verified === true,
      name: typeof name === 'string' ? name : undefined,
      roles: roles && mappedRoles(roles, claims),
      authenticatedAt: typeof auth_time === 'number' ? new Date(auth_time * 1000) : undefined,
      idToken,
    };
  }

  /**
   * A configuration of the library for one sign-in. It reads the issuer's keys again each time: sign-ins are few, and a
   * key that the issuer has just replaced counts at once.
   */
  async #configure(away: string[] = []): Promise<Configuration> {
    const library = await import('openid-client');
    const metadata = await this.#metadata.read(FRESH_MS);
    if (!metadata) throw this.#unavailable('its metadata cannot be read');
    const { clientId, clientSecret } = this.settings;
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = methods.includes('client_secret_basic')
      ? library.ClientSecretBasic(clientSecret)
      : library.ClientSecretPost(clientSecret);
    const config = new library.Configuration(metadata, clientId, this.#times(library), authenticate);
    config[library.customFetch] = this.#fetchNoting(away);
    config.timeout = TIMEOUT_MS / 1000;
    if (this.#isLocal()) library.allowInsecureRequests(config);
    library.enableNonRepudiationChecks(config);
    return config;
  }

  async #discover(): Promise<ServerMetadata> {
    const library = await import('openid-client');
    const { issuer, clientId } = this.settings;
    const config = await library.discovery(new URL(issuer), clientId, this.#times(library), undefined, {
      [library.customFetch]: this.#fetchNoting([]),
      timeout: TIMEOUT_MS / 1000,
      ...(this.#isLocal() && { execute: [library.allowInsecureRequests] }),
    });
    return config.serverMetadata();
  }

  /** The library reads the time of the machine, and the service that of its clock. */
  #times({
    clockSkew,
    clockTolerance,
  }: Pick<typeof import('openid-client'), 'clockSkew' | 'clockTolerance'>) {
    const skew = Math.round((this.#parts.clock.now() - systemClock.now()) / 1000);
    return { [clockSkew]: skew, [clockTolerance]: TOLERANCE_SECONDS };
  }

  /** Settings accept plain http on this machine only. */
  #isLocal(): boolean {
    return this.settings.issuer.startsWith('http:');
  }

  /** Sends the library's requests like all calls to providers, and notes that the issuer did not answer one. */
  #fetchNoting(away: string[]) {
    return async (url: string, options: { method?: string; headers?: object; body?: unknown }) => {
      const { body } = options;
      const result = await this.#parts.client.call({
        method: options.method === 'POST' ? 'POST' : 'GET',
        url,
        headers: { ...options.headers } as Record<string, string>,
        body: body === undefined || body === null ? null : Buffer.from(String(body)),
        timeoutMs: TIMEOUT_MS,
        answerMaxBytes: ANSWER_MAX_BYTES,
      });
      const trouble = 'error' in result ? result.error : result.status >= 500 && `status ${result.status}`;
      if (trouble !== false) away.push(trouble);
      if ('error' in result) throw new Error(result.error);
      const headers = new Headers();
      for (const [name, value] of Object.entries(result.headers ?? {})) headers.set(name, String(value));
      return new Response(result.status === 204 ? null : new Uint8Array(result.body), {
        status: result.status,
        headers,
      });
    };
  }

  #unavailable(reason: string): Refusal {
    this.#warn('it does not answer', reason);
    return new Refusal(
      'SERVICE_UNAVAILABLE',
      `Operators sign in at ${issuerName(this.settings)}, which does not answer. Try again in a minute.`,
    );
  }

  #warn(problem: string, reason: unknown): void {
    const { issuer } = this.settings;
    this.#parts.log.warn({ issuer, reason }, `the issuer of operators: ${problem}`);
  }
}
