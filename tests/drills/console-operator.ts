import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { OperatorRole } from '#foundation/http/operator-rule.ts';
import { FROM_PAGE } from '#tests/given/console.ts';
import { answer, VERIFIED } from '#tests/given/operators.ts';
import { command } from '#tests/harness/command-line.ts';
import type { Environment } from '#tests/harness/corridor-process.ts';
import { createPasskey, type TestPasskey } from '#tests/harness/passkeys.ts';

export interface Sent {
  readonly path: string;
  readonly body: object;
  readonly key?: string;
}

export interface Told {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a reply of any operation
  readonly body: any;
  readonly text: string;
}

/** Proofs of presence count for five minutes. */
const PROVE_AGAIN_MS = 3 * 60_000;

/** A person with a passkey, as a browser on the pages of a real server, which may be killed at any time. */
export class ConsoleOperator {
  readonly id: string;
  readonly #origin: string;
  readonly #passkey: TestPasskey;
  #cookie: string;
  #provedAt = performance.now();

  private constructor(origin: string, id: string, passkey: TestPasskey, cookie: string) {
    this.#origin = origin;
    this.id = id;
    this.#passkey = passkey;
    this.#cookie = cookie;
  }

  /** Invited at the command line; the first one is active at once, and `confirmedBy` confirms another. */
  static async join(
    origin: string,
    environment: Environment,
    roles: readonly OperatorRole[],
    confirmedBy?: ConsoleOperator,
  ): Promise<ConsoleOperator> {
    const words = ['operator', 'invite', '--name', 'Ada Operator', '--email', `${randomUUID()}@example.com`];
    const invited = await command(
      [...words, '--role', roles.join(','), '--reason', 'for a drill', '--json'],
      environment,
    );
    assert.equal(invited.code, 0, invited.stderr);
    const [, secret] = /#([\w-]+)/.exec(invited.stdout) ?? [];
    const preview = await askAt(origin, { path: '/operator/join/preview', body: { secret } });
    assert.equal(preview.status, 200, preview.text);
    const passkey = createPasskey({ rpId: 'localhost', origin });
    const attestation = passkey.register(preview.body.challenge, { flags: VERIFIED });
    const joining = { secret, nonce: preview.body.nonce, attestation };
    const joined = await askAt(origin, { path: '/operator/join', body: joining });
    assert.equal(joined.status, 200, joined.text);
    const id =
      /Operator:[0-9a-f-]{36}/.exec(invited.stdout + joined.text)?.[0] ?? assert.fail(invited.stdout);
    const person = new ConsoleOperator(origin, id, passkey, joined.cookie);
    if (!confirmedBy) return person;
    const confirmation = { digits: joined.body.digits, reason: 'seen in person' };
    const confirmed = await confirmedBy.ask({ path: `/operators/${id}/confirm`, body: confirmation });
    assert.equal(confirmed.status, 200, confirmed.text);
    await person.signIn();
    return person;
  }

  /** Waits while the operator makes too many changes. Throws if the server dies before it has answered. */
  async ask({ path, body, key = randomUUID() }: Sent): Promise<Told> {
    for (;;) {
      const reply = await askAt(this.#origin, { path, body, key, cookie: this.#cookie });
      if (reply.status !== 429) return reply;
      await delay(1_000);
    }
  }

  async read(path: string): Promise<Told> {
    return askAt(this.#origin, { path, cookie: this.#cookie });
  }

  /** What its browser sends with each request. */
  get cookie(): string {
    return this.#cookie;
  }

  /** The passkey's signature of a hash, for one approval. */
  async sign(hash: string): Promise<object> {
    const challenge = await this.ask({ path: '/operator/step-up/challenge', body: { signs: hash } });
    assert.equal(challenge.status, 200, challenge.text);
    return answer(this.#passkey, challenge.body);
  }

  /** Proves presence again before the last proof is too old. */
  async stayPresent(): Promise<void> {
    if (performance.now() - this.#provedAt < PROVE_AGAIN_MS) return;
    const challenge = await this.ask({ path: '/operator/step-up/challenge', body: {} });
    const cookie = this.#cookie;
    const body = answer(this.#passkey, challenge.body);
    this.#keep(await askAt(this.#origin, { path: '/operator/step-up', body, cookie }));
  }

  /** Signs in again, which proves presence. */
  async signIn(): Promise<void> {
    const challenge = await askAt(this.#origin, { path: '/operator/sign-in/challenge', body: {} });
    const body = answer(this.#passkey, challenge.body);
    this.#keep(await askAt(this.#origin, { path: '/operator/sign-in', body }));
  }

  #keep({ status, cookie, text }: Told & { readonly cookie: string }): void {
    assert.equal(status, 204, text);
    this.#cookie = cookie;
    this.#provedAt = performance.now();
  }
}

interface Asked {
  readonly path: string;
  readonly body?: object;
  readonly key?: string;
  readonly cookie?: string;
}

async function askAt(origin: string, { path, body, key, cookie }: Asked): Promise<Told & { cookie: string }> {
  const reply = await fetch(`${origin}/console/api${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...FROM_PAGE,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(cookie !== undefined && { cookie }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  const isJson = reply.headers.get('content-type')?.startsWith('application/json') ?? false;
  const [given = ''] = (reply.headers.get('set-cookie') ?? '').split(';');
  return { status: reply.status, text, body: isJson ? JSON.parse(text) : undefined, cookie: given };
}
