import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Provider, { type Context } from 'oidc-provider';
import { newUuid } from '#foundation/lib/ids.ts';

export const ISSUER_CLIENT = { clientId: 'corridor', clientSecret: 'corridor-secret-of-the-tests-0001' };
const OTHER_CLIENT = { clientId: 'another', clientSecret: 'another-secret-of-the-tests-00001' };
const SCOPE = 'openid email profile';

export interface Person {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly groups?: string | readonly string[];
}

/** Somebody's browser, as the issuer sees it: cookies, and the person who signs in. */
export class IssuerVisitor {
  readonly #cookies = new Map<string, string>();
  readonly #issuer: TestIssuer;
  #person: Person;

  constructor(issuer: TestIssuer, person: Person) {
    this.#issuer = issuer;
    this.#person = person;
  }

  /** The issuer says something else about the person from now on. */
  becomes(change: Partial<Person>): void {
    this.#person = { ...this.#person, ...change };
  }

  /** Goes to the issuer, signs in there, and returns the query of the address to which the issuer leads back. */
  async visit(address: string, backTo: string): Promise<string> {
    this.#issuer.signsIn(this.#person);
    let url = new URL(address);
    for (let hops = 0; hops < 10; hops++) {
      const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const reply = await fetch(url, { redirect: 'manual', headers: { cookie } });
      for (const line of reply.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        this.#cookies.set(name, value);
      }
      const location = reply.headers.get('location');
      assert.ok(location, `${reply.status} of ${url.pathname}: ${await reply.text()}`);
      url = new URL(location, url);
      if (url.href.startsWith(backTo)) return url.search;
    }
    throw new Error('the issuer leads nowhere');
  }
}

/** A real OpenID Connect issuer, on loopback. Nobody types a password there: the person of the moment signs in. */
export class TestIssuer {
  readonly url: string;
  readonly #port: number;
  readonly #redirectUri: () => string;
  #server: ReturnType<typeof createServer>;
  #provider: Provider;
  #person: Person = { sub: 'nobody' };
  readonly #people = new Map<string, Person>();
  /** Replaces the reply of the token endpoint. */
  onToken: ((body: Record<string, string>) => void) | undefined;
  /** Keeps every request waiting. */
  isSilent = false;

  private constructor(port: number, server: ReturnType<typeof createServer>, redirectUri: () => string) {
    this.#port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.#redirectUri = redirectUri;
    this.#server = server;
    this.#provider = this.#createProvider();
    server.on('request', (request, response) => this.#answer(request, response));
  }

  static async start(redirectUri = () => 'http://localhost/console/operator/callback'): Promise<TestIssuer> {
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    return new TestIssuer(address.port, server, redirectUri);
  }

  visitor(person: Person): IssuerVisitor {
    return new IssuerVisitor(this, person);
  }

  signsIn(person: Person): void {
    this.#person = person;
    this.#people.set(person.sub, person);
  }

  /** New signing keys, and none of the old ones. Everybody has to sign in again. */
  rotateKeys(): void {
    this.#provider = this.#createProvider();
  }

  /** A token that the issuer made for another client. */
  async tokenForAnother(person: Person): Promise<string> {
    const address = new URL('/auth', this.url);
    const verifier = 'a'.repeat(43);
    const challenge = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(verifier)));
    address.search = new URLSearchParams({
      ...{ client_id: OTHER_CLIENT.clientId, response_type: 'code', scope: SCOPE, state: 'x', nonce: 'y' },
      ...{ redirect_uri: this.#redirectUri(), code_challenge: challenge.toString('base64url') },
      code_challenge_method: 'S256',
    }).toString();
    const query = await this.visitor(person).visit(address.href, this.#redirectUri());
    const { clientId, clientSecret } = OTHER_CLIENT;
    const reply = await fetch(new URL('/token', this.url), {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
      body: new URLSearchParams({
        ...{ grant_type: 'authorization_code', redirect_uri: this.#redirectUri(), code_verifier: verifier },
        code: new URLSearchParams(query).get('code') ?? '',
      }),
    });
    const { id_token } = (await reply.json()) as { id_token: string };
    return id_token;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => void this.#server.close(resolve));
  }

  async restart(): Promise<void> {
    this.#server = createServer((request, response) => this.#answer(request, response));
    await new Promise<void>((resolve) => void this.#server.listen(this.#port, '127.0.0.1', resolve));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    if (this.isSilent) return;
    if (request.url?.startsWith('/interaction/')) {
      const result = { login: { accountId: this.#person.sub } };
      this.#provider.interactionFinished(request, response, result).catch((error: Error) => {
        response.writeHead(500).end(error.message);
      });
      return;
    }
    this.#provider.callback()(request, response);
  }

  #createProvider(): Provider {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = { ...privateKey.export({ format: 'jwk' }), kid: newUuid(), alg: 'RS256', use: 'sig' };
    const provider = new Provider(this.url, {
      clients: [ISSUER_CLIENT, OTHER_CLIENT].map(({ clientId, clientSecret }) => ({
        ...{ client_id: clientId, client_secret: clientSecret, redirect_uris: [this.#redirectUri()] },
        ...{ response_types: ['code'], grant_types: ['authorization_code'] },
      })),
      jwks: { keys: [key] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
      cookies: { keys: ['the cookies of the tests'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_context: unknown, accountId: string) => ({
        accountId,
        claims: () => ({ ...this.#people.get(accountId) }),
      }),
      async loadExistingGrant({ oidc }: { oidc: Context['oidc'] }) {
        const names = { clientId: oidc.client.clientId, accountId: oidc.session.accountId };
        const grant = new oidc.provider.Grant(names);
        grant.addOIDCScope(SCOPE);
        await grant.save();
        return grant;
      },
    });
    provider.use(async (context, next) => {
      await next();
      if (context.path === '/token' && context.body?.id_token) this.onToken?.(context.body);
    });
    return provider;
  }
}
