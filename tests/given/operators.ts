import assert from 'node:assert/strict';
import { confirmOperator, type Invited, inviteOperator } from '#capabilities/operators/manage.ts';
import type { Actor, Tx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import type { OperatorRole } from '#foundation/http/operator-rule.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { type Asked, askConsole, type ConsoleReply } from '#tests/given/console.ts';
import type { World } from '#tests/harness/harness.ts';
import { type Changes, createPasskey, type TestPasskey } from '#tests/harness/passkeys.ts';

/** The user was present and was verified. */
export const VERIFIED = 0x05;
const PARTS = { consoleSettings: undefined, publicUrl: () => 'http://localhost' };
export const SHELL: Actor = { kind: 'operator', id: 'ada@shell' };

export interface InvitedOperator {
  readonly id: Id<'Operator'>;
  readonly email: string;
  readonly secret: string;
}

/** A person who has joined, with a passkey and perhaps a session. */
export interface TestOperator extends InvitedOperator {
  readonly passkey: TestPasskey;
  cookie: string;
  /** What joining answered. */
  readonly joined: { readonly status: string; readonly digits?: string };
  ask(method: string, url: string, asked?: Asked): Promise<ConsoleReply>;
  /** Calls an operation of operators, with a key and, for a body, with a reason. */
  call(
    operation: Pick<NamedOperation, 'method' | 'path'>,
    params?: Record<string, string>,
    body?: object,
  ): Promise<ConsoleReply>;
  /** Signs in again, and keeps the new cookie. */
  signIn(changes?: Changes, asked?: Asked): Promise<ConsoleReply>;
  /** Proves presence, and keeps the new cookie. */
  stepUp(changes?: Changes): Promise<ConsoleReply>;
}

let invited = 0;

/** Runs steps on the installation as the command line does, or as an operator. */
export function onInstallation<T>(
  world: Pick<World, 'app'>,
  steps: (tx: Tx) => Promise<T>,
  actor: Actor = SHELL,
): Promise<T> {
  return new Work(world.app.runtime, INSTALLATION, actor).write(steps);
}

export async function givenInvited(
  world: World,
  roles: readonly OperatorRole[] = ['admin'],
  options: { readonly email?: string; readonly actor?: Actor } = {},
): Promise<InvitedOperator> {
  const email = options.email ?? `operator-${++invited}@example.com`;
  const { operator, address }: Invited = await onInstallation(
    world,
    (tx) => inviteOperator(tx, { name: 'Ada Operator', email, roles }, PARTS),
    options.actor,
  );
  return { id: operator.id, email, secret: new URL(address.url).hash.slice(1) };
}

export async function joinAs(
  world: World,
  who: InvitedOperator,
  changes: Changes = {},
): Promise<ConsoleReply & { readonly passkey: TestPasskey }> {
  const { secret } = who;
  const preview = await askConsole(world, 'POST', '/console/api/operator/join/preview', { body: { secret } });
  assert.equal(preview.status, 200, preview.raw);
  const passkey = createPasskey({ rpId: 'localhost', origin: 'http://localhost' });
  const attestation = passkey.register(preview.body.challenge, { flags: VERIFIED, ...changes });
  const body = { secret, nonce: preview.body.nonce, attestation };
  const reply = await askConsole(world, 'POST', '/console/api/operator/join', { body });
  return { ...reply, passkey };
}

/** A person who has joined; the first admin of a world is active at once. */
export async function givenJoined(
  world: World,
  roles: readonly OperatorRole[] = ['admin'],
  options: { readonly actor?: Actor } = {},
): Promise<TestOperator> {
  const who = await givenInvited(world, roles, options);
  const { passkey, ...reply } = await joinAs(world, who);
  assert.equal(reply.status, 200, reply.raw);
  return testOperator(world, who, passkey, reply);
}

function testOperator(
  world: World,
  who: InvitedOperator,
  passkey: TestPasskey,
  reply: ConsoleReply,
): TestOperator {
  const operator: TestOperator = {
    ...who,
    passkey,
    cookie: cookieOf(reply),
    joined: reply.body,
    ask: (method, url, asked = {}) => askConsole(world, method, url, { cookie: operator.cookie, ...asked }),
    call({ method, path }, params = {}, body) {
      const url = path.replace(/:(\w+)/g, (_whole, name: string) => String(params[name]));
      const headers = { 'idempotency-key': crypto.randomUUID() };
      const sent = method === 'GET' ? {} : { body: { reason: 'for the test', ...body } };
      return operator.ask(method, `/console/api${url}`, { headers, ...sent });
    },
    async signIn(changes, asked) {
      const start = await askConsole(world, 'POST', '/console/api/operator/sign-in/challenge', asked);
      const body = answer(passkey, start.body, changes);
      const done = await askConsole(world, 'POST', '/console/api/operator/sign-in', { body, ...asked });
      if (done.status === 204) operator.cookie = cookieOf(done);
      return done;
    },
    async stepUp(changes) {
      const start = await operator.ask('POST', '/console/api/operator/step-up/challenge', { body: {} });
      assert.equal(start.status, 200, start.raw);
      const body = answer(passkey, start.body, changes);
      const done = await operator.ask('POST', '/console/api/operator/step-up', { body });
      if (done.status === 204) operator.cookie = cookieOf(done);
      return done;
    },
  };
  return operator;
}

/** A passkey's answer to a challenge. */
export function answer(
  passkey: TestPasskey,
  { nonce, challenge }: { readonly nonce: string; readonly challenge: string },
  changes: Changes = {},
) {
  const assertion = passkey.assert(Buffer.from(challenge, 'base64url'), { flags: VERIFIED, ...changes });
  return { nonce, assertion };
}

export function cookieOf({ headers }: Pick<ConsoleReply, 'headers'>): string {
  const [cookie = ''] = String(headers['set-cookie']).split(';');
  return cookie;
}

/** An active operator: another admin has confirmed the person. The world then has a first admin, too. */
export async function givenOperator(
  world: World,
  roles: readonly OperatorRole[] = ['admin'],
): Promise<TestOperator> {
  const joined = await givenJoined(world, roles);
  if (joined.joined.status === 'ACTIVE') return joined;
  await onInstallation(world, (tx) =>
    confirmOperator(tx, joined.id, { digits: joined.joined.digits ?? '', reason: 'for the test' }),
  );
  const reply = await joined.signIn();
  assert.equal(reply.status, 204, reply.raw);
  return joined;
}
