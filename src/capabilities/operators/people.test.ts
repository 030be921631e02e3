import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { peopleOperations } from '#capabilities/operators/routes.ts';
import { OPERATOR_ROLES } from '#foundation/http/operator-rule.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { answer, givenJoined, givenOperator, type TestOperator, VERIFIED } from '#tests/given/operators.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { createPasskey } from '#tests/harness/passkeys.ts';

const PARTS = { consoleSettings: undefined, publicUrl: () => 'http://localhost' };
const OPERATIONS = peopleOperations(PARTS);

describe('what operators do about operators', () => {
  const world = testWorld();
  const call = (who: TestOperator, id: string, params = {}, body = {}) => {
    const operation = OPERATIONS.find((one) => one.id === id);
    assert.ok(operation, id);
    return who.call(operation, params, body);
  };
  const idOf = ({ id }: TestOperator) => ({ operatorId: publicId('Operator', id) });

  it('operator.md §2.1, §2.2: each operation is open to the roles that it names, and a refusal names them', async () => {
    await givenOperator(world);
    for (const role of OPERATOR_ROLES) {
      const who = await givenOperator(world, [role]);
      for (const operation of OPERATIONS) {
        const params = { operatorId: publicId('Operator', who.id), passkeyId: 'none' };
        if (operation.id === 'endOwnSessions') continue;
        const { status, body } = await who.call(operation, params, {});
        const isOpen = operation.operator?.roles.includes(role);
        const name = `${operation.id} as ${role}: ${JSON.stringify(body)}`;
        if (isOpen) assert.ok(!/needs an operator/.test(body?.reason ?? ''), name);
        else assert.deepEqual([status, body.code, body.details.roles], [403, 'FORBIDDEN', ['admin']], name);
      }
    }
  });

  it('operator.md §1.5a: somebody who has joined is refused everything', async () => {
    await givenOperator(world);
    const joined = await givenJoined(world, ['admin']);
    for (const operation of OPERATIONS) {
      const params = { operatorId: publicId('Operator', joined.id), passkeyId: 'none' };
      const { status } = await joined.call(operation, params);
      assert.equal(status, 403, operation.id);
    }
  });

  it('operator.md §3.4: changes need a proof of presence that is at most five minutes old', async () => {
    const [admin, other] = [await givenOperator(world), await givenOperator(world, ['viewer'])];
    world.clock.advance(5 * 60_000);
    const stale = await call(admin, 'suspendOperator', idOf(other));
    assert.deepEqual([stale.status, stale.body.code], [403, 'STEP_UP_REQUIRED']);
    await admin.stepUp();
    const done = await call(admin, 'suspendOperator', idOf(other));
    assert.deepEqual([done.status, done.body.status], [200, 'SUSPENDED'], done.raw);
    assert.equal((await other.signIn()).status, 401);
  });

  it('operator.md §3.4: a cookie from before a proof of presence proves none', async () => {
    const [admin, other] = [await givenOperator(world), await givenOperator(world, ['viewer'])];
    world.clock.advance(5 * 60_000);
    const { cookie: former } = admin;
    await admin.stepUp();
    const { cookie } = admin;
    admin.cookie = former;
    const refused = await call(admin, 'suspendOperator', idOf(other));
    assert.deepEqual([refused.status, refused.body.code], [403, 'STEP_UP_REQUIRED']);
    admin.cookie = cookie;
    assert.equal((await call(admin, 'suspendOperator', idOf(other))).status, 200);
  });

  it('operator.md §6.1: an unknown field of a change is refused, and nothing happens', async () => {
    const [admin, other] = [await givenOperator(world), await givenOperator(world, ['viewer'])];
    const { status, body } = await call(admin, 'suspendOperator', idOf(other), { checker: 'Operator:other' });
    assert.deepEqual([status, body.code, body.details.errors[0].field], [400, 'INVALID_INPUT', 'checker']);
    assert.equal((await call(admin, 'getOperator', idOf(other))).body.status, 'ACTIVE');
  });

  it('operator.md §1.4: nobody suspends the own account over HTTP, or reads who does not exist', async () => {
    const admin = await givenOperator(world);
    const own = await call(admin, 'suspendOperator', idOf(admin));
    assert.deepEqual([own.status, own.body.code], [403, 'FORBIDDEN']);
    const missing = await call(admin, 'getOperator', {
      operatorId: publicId('Operator', crypto.randomUUID()),
    });
    assert.deepEqual([missing.status, missing.body.code], [404, 'OPERATOR_NOT_FOUND']);
    const shown = await call(admin, 'getOperator', idOf(admin));
    assert.equal(shown.body.email, admin.email);
    const { body } = await call(admin, 'listOperators');
    assert.ok(body.data.some(({ email }: { email: string }) => email === admin.email));
  });

  it('operator.md §6.2: every operator reads the names of operators, and nothing else about them', async () => {
    const [admin, viewer] = [await givenOperator(world), await givenOperator(world, ['viewer'])];
    const { status, body } = await call(viewer, 'listOperatorNames');
    assert.equal(status, 200);
    const found = body.data.find(({ id }: { id: string }) => id === publicId('Operator', admin.id));
    assert.deepEqual(Object.keys(found), ['id', 'name']);
    assert.equal((await call(viewer, 'listOperators')).status, 403);
  });

  it('operator.md §1.5a: an admin confirms over HTTP, with the digits', async () => {
    const [admin, joined] = [await givenOperator(world), await givenJoined(world, ['viewer'])];
    const wrong = joined.joined.digits === '000000' ? '000001' : '000000';
    assert.equal((await call(admin, 'confirmOperator', idOf(joined), { digits: wrong })).status, 409);
    const { digits } = joined.joined;
    const done = await call(admin, 'confirmOperator', idOf(joined), { digits });
    assert.deepEqual([done.status, done.body.status], [200, 'ACTIVE'], done.raw);
  });

  it('operator.md §1.3: an operator has at most ten passkeys, each signs in, and the last one stays', async () => {
    const who = await givenOperator(world, ['viewer']);
    const added = [];
    for (let i = 2; i <= 11; i++) {
      const { body: start } = await call(who, 'getPasskeyChallenge');
      const passkey = createPasskey({ rpId: 'localhost', origin: 'http://localhost' });
      const attestation = passkey.register(start.challenge, { flags: VERIFIED });
      const reply = await call(who, 'addOwnPasskey', {}, { nonce: start.nonce, ...attestation });
      assert.equal(reply.status, i <= 10 ? 201 : 409, reply.raw);
      const again = await call(who, 'addOwnPasskey', {}, { nonce: start.nonce, ...attestation });
      assert.equal(again.status, 409, 'the challenge was answered');
      added.push(passkey);
    }
    const [second] = added;
    assert.ok(second);
    const start = await who.ask('POST', '/console/api/operator/sign-in/challenge');
    const signedIn = await who.ask('POST', '/console/api/operator/sign-in', {
      body: answer(second, start.body),
      cookie: undefined,
    });
    assert.equal(signedIn.status, 204);
    const { body } = await call(who, 'listOwnPasskeys');
    assert.equal(body.data.length, 10);
    const ids = body.data.map(({ id }: { id: string }) => id);
    for (const [i, passkeyId] of ids.entries()) {
      const { status } = await call(who, 'deleteOwnPasskey', { passkeyId });
      assert.equal(status, i < 9 ? 204 : 409);
    }
    const other = await givenOperator(world, ['viewer']);
    assert.equal((await call(other, 'deleteOwnPasskey', { passkeyId: ids[9] })).status, 404);
  });

  it('operator.md §3.1: operators end their own sessions, and admins those of others', async () => {
    const [admin, other] = [await givenOperator(world), await givenOperator(world, ['viewer'])];
    const { body } = await call(other, 'listOwnSessions');
    assert.ok(body.data.length >= 1);
    assert.equal((await call(admin, 'endOperatorSessions', idOf(other))).status, 200);
    assert.equal((await call(other, 'listOwnSessions')).status, 401);
    await other.signIn();
    assert.equal((await call(other, 'endOwnSessions')).status, 200);
    assert.equal((await call(other, 'listOwnSessions')).status, 401);
  });
});
