// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deleteCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { sql } from '#foundation/database/sql.ts';
import { holdOpen, untilBlocked } from '#tests/given/blocked.ts';
import { fieldsOf, givenCustomer, PERSON } from '#tests/given/customers.ts';
import {
  givenEuropean,
  givenPasskey,
  givenScaSession,
  givenTotp,
  registration,
  SCA_CODE,
  SCA_ORIGIN,
  startedLogin,
} from '#tests/given/sca.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { type Changes, createPasskey } from '#tests/harness/passkeys.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const MINUTE_MS = 60_000;
const UNKNOWN = 'Customer:019542f5-b3e7-7d02-8000-0000000000ff';

describe('factors of strong customer authentication', () => {
  const world = testWorld();

  async function scene() {
    const platform = await world.platform();
    const customer = await givenEuropean(platform);
    return { platform, customer, query: { customerId: customer.id } };
  }

  const start = (platform: TestPlatform, query: object, body: object) =>
    platform.send('startScaFactorEnrollment', { query: { ...query }, body });
  const confirm = (platform: TestPlatform, query: object, body: object) =>
    platform.send('confirmScaFactorEnrollment', { query: { ...query }, body });
  const listFactors = async (platform: TestPlatform, query: { customerId: string }) => {
    const { body } = await platform.call('listScaFactors', { query });
    return body.factors;
  };

  it('customers.md §7.1: a customerId is required, must be one of the platform’s and in a region; then the body is checked', async () => {
    const { platform, query } = await scene();
    const outside = await givenCustomer(platform, PERSON);
    const foreign = await givenEuropean(await world.platform());
    const calls: [operation: string, broken: object][] = [
      ['startScaFactorEnrollment', { type: 'SMS_OTP' }],
      ['confirmScaFactorEnrollment', { type: 'TOTP' }],
      ['startScaLogin', { factor: 'EMAIL_OTP' }],
      ['completeScaLogin', { factor: 'SMS_OTP' }],
      ['recordSecurityEvent', { eventType: 'LOGIN' }],
    ];
    const answer = async (operation: string, customerId: string | undefined, body: object) => {
      const reply = await platform.send(operation, { query: { customerId: customerId ?? '' }, body });
      return [reply.status, reply.body.code];
    };
    for (const [operation, broken] of calls) {
      assert.deepEqual(await answer(operation, undefined, broken), [400, 'INVALID_INPUT'], operation);
      assert.deepEqual(await answer(operation, UNKNOWN, broken), [404, 'CUSTOMER_NOT_FOUND'], operation);
      assert.deepEqual(await answer(operation, foreign.id, broken), [404, 'CUSTOMER_NOT_FOUND'], operation);
      assert.deepEqual(await answer(operation, outside.id, broken), [409, 'CONFLICT'], operation);
      assert.deepEqual(await answer(operation, query.customerId, broken), [400, 'INVALID_INPUT'], operation);
      const nobody = await platform.send(operation, { body: broken, as: 'nobody' });
      assert.equal(nobody.status, 401, operation);
    }
    const read = (customerId: string) => platform.send('listScaFactors', { query: { customerId } });
    assert.deepEqual([(await read(UNKNOWN)).status, (await read(outside.id)).status], [404, 409]);
    assert.equal((await read('Customer:no-id')).status, 400, 'platform.md §1.2.2');
  });

  it('customers.md §7.3: the list has text messages while the phone is verified, the app and the passkey, oldest first', async () => {
    const { platform, customer, query } = await scene();
    assert.deepEqual(await listFactors(platform, query), [{ factor: 'SMS_OTP' }]);
    const { credentialId } = await givenPasskey(platform, customer);
    world.clock.advance(1);
    await givenTotp(platform, customer);
    const enrolled = [{ factor: 'PASSKEY', credentialId }, { factor: 'TOTP' }];
    assert.deepEqual(await listFactors(platform, query), [{ factor: 'SMS_OTP' }, ...enrolled]);
    const body = { customerType: 'INDIVIDUAL', phoneNumber: '+4915187654321' };
    await platform.send('updateCustomerById', { params: query, body });
    assert.deepEqual(await listFactors(platform, query), enrolled, 'the new number is not verified');
  });

  describe('an authenticator app', () => {
    it('customers.md §7.4: the start returns one secret in three forms', async () => {
      const { platform, customer, query } = await scene();
      const { status, body } = await start(platform, query, { type: 'TOTP' });
      assert.equal(status, 200);
      assert.match(String(body.secret), /^[0-9a-f]{40}$/);
      assert.match(String(body.secretBase32Encoded), /^[A-Z2-7]{32}$/);
      assert.equal(
        body.totpUri,
        `otpauth://totp/Svc:${customer.email}?secret=${body.secretBase32Encoded}&issuer=Svc`,
      );
    });

    it('customers.md §7.5, §7.5a: it is confirmed with the secret in either form, and the reply has ten recovery codes', async () => {
      for (const form of ['secret', 'secretBase32Encoded'] as const) {
        const { platform, query } = await scene();
        const { body } = await start(platform, query, { type: 'TOTP' });
        const reply = await confirm(platform, query, { type: 'TOTP', secret: body[form], code: SCA_CODE });
        assert.equal(reply.status, 200, reply.raw);
        const { recoveryCodes } = reply.body as unknown as { recoveryCodes: string[] };
        assert.equal(new Set(recoveryCodes).size, 10);
        for (const code of recoveryCodes) assert.match(code, /^[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}$/);
      }
    });

    it('customers.md §7.5: a wrong code, another secret and a late answer are refused, but not counted', async () => {
      const { platform, query } = await scene();
      const { body: old } = await start(platform, query, { type: 'TOTP' });
      const { body } = await start(platform, query, { type: 'TOTP' });
      const refused: [body: object, field: string][] = [
        [{ secret: body.secret, code: '654321' }, 'code'],
        [{ secret: old.secret, code: SCA_CODE }, 'secret'],
        [{ secret: 'x', code: SCA_CODE }, 'secret'],
      ];
      for (let round = 0; round < 4; round++) {
        for (const [sent, field] of refused) {
          const reply = await confirm(platform, query, { type: 'TOTP', ...sent });
          assert.deepEqual([reply.status, fieldsOf(reply.body)], [400, [field]]);
        }
      }
      const right = { type: 'TOTP', secret: body.secret, code: SCA_CODE };
      world.clock.advance(10 * MINUTE_MS);
      assert.equal((await confirm(platform, query, right)).status, 400, 'after ten minutes');
      const next = await start(platform, query, { type: 'TOTP' });
      world.clock.advance(10 * MINUTE_MS - 1);
      const last = { ...right, secret: next.body.secret };
      assert.equal((await confirm(platform, query, last)).status, 200, 'just before');
      assert.equal((await confirm(platform, query, last)).status, 400, 'it is used up');
      const login = await platform.call('completeScaLogin', {
        query,
        body: await startedLogin(platform, { id: query.customerId }),
      });
      assert.equal(login.status, 200, 'twelve failures have not locked the customer');
    });

    it('customers.md §7.4: a second one is 409', async () => {
      const { platform, customer, query } = await scene();
      await givenTotp(platform, customer);
      const reply = await start(platform, query, { type: 'TOTP' });
      assert.deepEqual([reply.status, reply.body.code], [409, 'CONFLICT']);
    });

    it('customers.md §7.21: text messages are not enrolled by hand', async () => {
      const { platform, query } = await scene();
      const reply = await start(platform, query, { type: 'SMS_OTP' });
      assert.deepEqual([reply.status, fieldsOf(reply.body)], [400, ['type']]);
    });

    it('customers.md §7.22, §7.5: of many concurrent confirmations one enrols', async () => {
      const { platform, query } = await scene();
      const elsewhere = await world.elsewhere(platform);
      const { body } = await start(platform, query, { type: 'TOTP' });
      const sent = { type: 'TOTP', secret: body.secret, code: SCA_CODE };
      const replies = await Promise.all(
        Array.from({ length: 8 }, (_, i) => confirm(i % 2 ? platform : elsewhere, query, sent)),
      );
      const statuses = replies.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [200, ...Array.from({ length: 7 }, () => 400)]);
    });
  });

  describe('a passkey', () => {
    it('customers.md §7.2: the start returns the browser’s options, and no personal data except the address', async () => {
      const { platform, customer, query } = await scene();
      const { body } = await start(platform, query, { type: 'PASSKEY' });
      assert.deepEqual([body.relyingPartyId, body.allowedOrigins], ['localhost', [SCA_ORIGIN]]);
      const { challenge, user, rp, pubKeyCredParams } = body.options as Record<string, unknown>;
      assert.match(String(challenge), /^[\w-]{43}$/);
      assert.deepEqual(rp, { id: 'localhost', name: 'Test platform' });
      const { id, name } = user as { id: string; name: string };
      assert.equal(name, customer.email);
      assert.equal(Buffer.from(id, 'base64url').toString('hex'), uuidOf(customer).replaceAll('-', ''));
      const algorithms = (pubKeyCredParams as { alg: number }[]).map(({ alg }) => alg);
      assert.deepEqual(algorithms, [-7, -257, -8]);
    });

    it('customers.md §7.23, §7.4: it is enrolled with each algorithm, once', async () => {
      for (const algorithm of [-7, -257, -8] as const) {
        const { platform, query } = await scene();
        const { body } = await platform.call('startScaFactorEnrollment', {
          query,
          body: { type: 'PASSKEY' },
        });
        const passkey = createPasskey({ algorithm, rpId: 'localhost', origin: SCA_ORIGIN });
        const sent = registration(passkey, body);
        const reply = await confirm(platform, query, sent);
        const factor = { factor: 'PASSKEY', credentialId: passkey.credentialId };
        assert.deepEqual([reply.status, reply.body], [200, { type: 'PASSKEY', factor }]);
        assert.equal((await confirm(platform, query, sent)).status, 400, 'the start is used up');
        const again = await start(platform, query, { type: 'PASSKEY' });
        assert.deepEqual([again.status, again.body.code], [409, 'PASSKEY_ALREADY_ENROLLED']);
      }
    });

    const WRONG: Readonly<Record<string, Changes>> = {
      'another challenge': { clientData: { challenge: 'AAAA' } },
      'another type': { clientData: { type: 'webauthn.get' } },
      'another page': { clientData: { origin: 'http://localhost:4000' } },
      'a page below': { clientData: { origin: 'https://app.localhost' } },
      'another relying party': { rpId: 'example.com' },
      'nobody present': { flags: 0 },
      'another id': { credentialId: 'AAAAAAAAAAAAAAAAAAAAAA' },
      'an unknown format': { format: 'android-key' },
    };
    for (const [what, changes] of Object.entries(WRONG)) {
      it(`customers.md §7.2, §7.5: made with ${what} it is refused`, async () => {
        const { platform, query } = await scene();
        const { body } = await platform.call('startScaFactorEnrollment', {
          query,
          body: { type: 'PASSKEY' },
        });
        const passkey = createPasskey({ rpId: 'localhost', origin: SCA_ORIGIN });
        const reply = await confirm(platform, query, registration(passkey, body, changes));
        assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_INPUT'], reply.raw);
        assert.equal((await listFactors(platform, query)).length, 1);
        assert.equal((await confirm(platform, query, registration(passkey, body))).status, 200);
      });
    }

    it('customers.md §7.2: the origin of the request is one of the platform’s, and that of the page', async () => {
      const platform = await world.platform({
        settings: {
          sca: { rpId: 'bank.example', origins: ['https://a.bank.example', 'https://b.bank.example'] },
        },
      });
      const query = { customerId: (await givenEuropean(platform)).id };
      const { body } = await platform.call('startScaFactorEnrollment', { query, body: { type: 'PASSKEY' } });
      const attempt = async (madeOn: string, origin: string, rpId = 'bank.example') => {
        const passkey = createPasskey({ rpId, origin: madeOn });
        const reply = await confirm(platform, query, { ...registration(passkey, body), origin });
        return [reply.status, ...fieldsOf(reply.body)];
      };
      const a = 'https://a.bank.example';
      assert.deepEqual(await attempt(a, 'https://b.bank.example'), [400, 'origin']);
      assert.deepEqual(await attempt('https://c.bank.example', a), [400, 'origin']);
      assert.deepEqual(await attempt('https://c.bank.example', 'https://c.bank.example'), [400, 'origin']);
      const attested = 'credential.response.attestationObject';
      assert.deepEqual(await attempt(a, a, 'a.bank.example'), [400, attested], 'a relying party of its own');
      assert.deepEqual(await attempt(a, a), [200]);
    });

    it('platform.md §10.0.2: a malformed passkey is refused field by field', async () => {
      const { platform, query } = await scene();
      const broken = { type: 'PASSKEY', origin: SCA_ORIGIN, credential: { response: [] } };
      const reply = await confirm(platform, query, broken);
      assert.deepEqual(fieldsOf(reply.body), [
        'credential.id',
        'credential.response.clientDataJSON',
        'credential.response.attestationObject',
      ]);
    });

    it('customers.md §7.6: it is deleted by its id; a text message, an app or an unknown one is 404', async () => {
      const { platform, customer, query } = await scene();
      await givenTotp(platform, customer);
      const { credentialId } = await givenPasskey(platform, customer);
      const remove = (id: string) =>
        platform.send('deleteScaFactor', { query, params: { credentialId: id } });
      for (const id of ['SMS_OTP', 'TOTP', 'AAAA', 'AAAAAAAAAAAAAAAAAAAAAA']) {
        const reply = await remove(id);
        assert.deepEqual([reply.status, reply.body.code], [404, 'NOT_FOUND'], id);
      }
      const done = await remove(credentialId);
      assert.deepEqual([done.status, done.raw], [204, '']);
      assert.equal((await remove(credentialId)).status, 404);
      assert.deepEqual(await listFactors(platform, query), [{ factor: 'SMS_OTP' }, { factor: 'TOTP' }]);
      await givenPasskey(platform, customer);
    });

    it('platform.md §10.5: production without settings for passkeys refuses before it stores anything', async () => {
      const platform = await world.platform({ environment: 'PRODUCTION' });
      const query = { customerId: (await givenEuropean(platform)).id };
      const reply = await start(platform, query, { type: 'PASSKEY' });
      assert.deepEqual([reply.status, reply.body.code], [501, 'NOT_IMPLEMENTED']);
      assert.match(String(reply.body.reason), /sca\.origins/);
      assert.equal((await confirm(platform, query, buildRegistration())).status, 400);
    });

    const buildRegistration = () => ({
      type: 'PASSKEY',
      origin: SCA_ORIGIN,
      credential: { id: 'AAAA', response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } },
    });
  });

  it('customers.md §7.6a: a customer who has logged in can change factors only with a live session, and not while locked', async () => {
    const { platform, customer, query } = await scene();
    const { credentialId } = await givenPasskey(platform, customer);
    const attempts = async () => {
      const replies = [
        await start(platform, query, { type: 'TOTP' }),
        await confirm(platform, query, { type: 'TOTP', secret: 'x', code: SCA_CODE }),
        await platform.send('deleteScaFactor', { query, params: { credentialId: 'AAAA' } }),
      ];
      return replies.map(({ status, body }) => (status === 200 ? status : body.code));
    };
    const free = [200, 'INVALID_INPUT', 'NOT_FOUND'];
    assert.deepEqual(await attempts(), free, 'before the first login');
    for (let i = 0; i < 5; i++) {
      await platform.call('recordSecurityEvent', { query, body: { eventType: 'FAILED_LOGIN_ATTEMPT' } });
    }
    assert.deepEqual(await attempts(), free, 'before the first login a lock has no effect either');
    world.clock.advance(15 * MINUTE_MS);
    const { sessionExpiresAt } = await givenScaSession(platform, customer);
    assert.deepEqual(await attempts(), free);
    for (let i = 0; i < 5; i++) {
      await platform.call('recordSecurityEvent', { query, body: { eventType: 'FAILED_LOGIN_ATTEMPT' } });
    }
    const all = (code: string) => [code, code, code];
    assert.deepEqual(await attempts(), all('ACCOUNT_LOCKED'));
    world.clock.advance(15 * MINUTE_MS);
    assert.deepEqual(await attempts(), free);
    world.clock.advance(Date.parse(String(sessionExpiresAt)) - world.clock.now() - 1);
    assert.deepEqual(await attempts(), free, 'until its last moment');
    world.clock.advance(1);
    assert.deepEqual(await attempts(), all('SCA_SESSION_REQUIRED'));
    const removal = await platform.send('deleteScaFactor', { query, params: { credentialId } });
    assert.equal(removal.status, 409);
  });

  it('customers.md §7.1: for a locked customer without a session, the body is checked first, then the lock, then the session', async () => {
    const { platform, customer, query } = await scene();
    await givenScaSession(platform, customer);
    world.clock.advance(181 * 24 * 60 * MINUTE_MS);
    const asked = async (body: object) => (await start(platform, query, body)).status;
    for (let i = 0; i < 5; i++) {
      await platform.call('recordSecurityEvent', { query, body: { eventType: 'FAILED_LOGIN_ATTEMPT' } });
    }
    assert.deepEqual([await asked({ type: 'SMS_OTP' }), await asked({ type: 'TOTP' })], [400, 423]);
    const noPasskey = await confirm(platform, query, { type: 'PASSKEY', origin: SCA_ORIGIN, credential: {} });
    assert.equal(noPasskey.status, 400);
    world.clock.advance(15 * MINUTE_MS);
    assert.deepEqual([await asked({ type: 'SMS_OTP' }), await asked({ type: 'TOTP' })], [400, 409]);
  });

  it('customers.md §2.4.26: an enrolment that waits for a deletion is refused, and a deleted customer has no factors', async () => {
    const { platform, customer, query } = await scene();
    await givenTotp(platform, customer);
    const letGo = await holdOpen(platform, (tx) => deleteCustomer(tx, uuidOf(customer)));
    const asked = start(platform, query, { type: 'PASSKEY' });
    await untilBlocked(world.databaseUrl, 1, asked);
    await letGo();
    assert.deepEqual([(await asked).status, (await asked).body.code], [404, 'CUSTOMER_NOT_FOUND']);
    const list = await platform.send('listScaFactors', { query });
    assert.equal(list.status, 404);
  });

  it('platform.md §1.3.9: an enrolled or removed factor writes one audit row, and a wrong proof another', async () => {
    const { platform, customer, query } = await scene();
    const { secret } = await givenTotp(platform, customer);
    await confirm(platform, query, { type: 'TOTP', secret, code: SCA_CODE });
    const { credentialId } = await givenPasskey(platform, customer);
    await platform.send('deleteScaFactor', { query, params: { credentialId } });
    const rows = await world.database.query<{ action: string; resource: string; details: object }>(sql`
      select action, resource, details from audit_log
       where platform_id = ${platform.id} and action in ('confirmScaFactorEnrollment', 'deleteScaFactor', 'proof failed')
       order by at, id`);
    const base = '/svc/2025-10-13/sca/factors';
    const row = (action: string, path: string, factor: string) => ({
      action,
      resource: `${base}/${path}`,
      details: { customerId: customer.id, factor },
    });
    const reason = 'enrolment: secret: belongs to no open enrolment; start one';
    assert.deepEqual(rows, [
      row('confirmScaFactorEnrollment', 'confirm', 'TOTP'),
      { action: 'proof failed', resource: customer.id, details: { proof: 'TOTP', reason } },
      row('confirmScaFactorEnrollment', 'confirm', 'PASSKEY'),
      row('deleteScaFactor', credentialId, 'PASSKEY'),
    ]);
  });
});
