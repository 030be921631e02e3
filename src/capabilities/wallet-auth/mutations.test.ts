// lane: whole — thousands of broken requests

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { SeededRandom } from '#tests/drills/seeded-random.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';
import { createPasskey } from '#tests/harness/passkeys.ts';
import { productionWallets } from '#tests/harness/production-wallets.ts';
import { callSigned, newClientKey, sealCode, signedHeaders } from '#tests/harness/wallet-client.ts';

/**
 * Material that was accepted once is sent again with some bytes changed, a few thousand times in all, to a production
 * platform. It must never be accepted, and never cause a 5xx.
 */
describe('material with a changed byte', () => {
  const production = productionWallets();
  const { world } = production;

  /** The same numbers in every run. */
  const random = new SeededRandom(20_261_116);
  /** Fewer than the failures that a credential may have. */
  const REPEATED = 8;

  async function scene() {
    const owner = await production.givenOwner({ settings: { requestRate: { perSecond: 0, burst: 1 } } });
    const { key } = await production.logInByMail(owner);
    return { platform: owner.platform, ...owner.wallet, key };
  }

  /** Sends this many mutations, some concurrently. The limits on failures, which would answer instead, are lifted. */
  async function refusedAll(
    platform: TestPlatform,
    times: number,
    material: string,
    isSame: (mutated: string) => boolean,
    send: (mutated: string) => Promise<{ readonly status: number; readonly raw: string }>,
  ): Promise<void> {
    const statuses = new Map<number, number>();
    for (let done = 0; done < times; done += REPEATED) {
      const mutated = Array.from({ length: REPEATED }, () => mutate(material)).filter(
        (text) => !isSame(text),
      );
      const replies = await Promise.all(mutated.map(async (text) => ({ text, reply: await send(text) })));
      for (const { text, reply } of replies) {
        statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
        assert.ok([400, 401].includes(reply.status), `${reply.status} for ${text}: ${reply.raw}`);
      }
      await world.database.query(sql`delete from code_attempts where platform_id = ${platform.id}`);
    }
    assert.ok(statuses.size > 0);
  }

  /** Changes one to three characters of the text. */
  function mutate(text: string): string {
    const characters = [...text];
    for (let left = random.between(1, 3); left > 0; left--) {
      const at = random.between(0, characters.length - 1);
      const before = characters[at];
      while (characters[at] === before) characters[at] = String.fromCharCode(random.between(0x20, 0x7e));
    }
    const mutated = characters.join('');
    return mutated === text ? mutate(text) : mutated;
  }

  const never = () => false;

  it('wallets.md §4.13: a stamp', async () => {
    const { platform, accountId, key } = await scene();
    const call = { params: { id: accountId }, body: { privateEnabled: true } };
    const { body: challenge } = await platform.send('updateInternalAccount', call);
    const headers = await signedHeaders(key, challenge as never);
    const stamp = headers['svc-wallet-signature'] ?? '';
    await refusedAll(platform, 1_000, stamp, meansTheSame(stamp, readStamp), (mutated) =>
      platform.send('updateInternalAccount', {
        ...call,
        headers: { ...headers, 'svc-wallet-signature': mutated.trim() || 'x' },
      }),
    );
    const honest = await platform.send('updateInternalAccount', { ...call, headers });
    assert.equal(honest.status, 200, 'the request was still open for all of them');
  });

  it('wallets.md §5.16, §6.4.32: a sealed code', async () => {
    const { platform, credentialId } = await scene();
    const params = { id: credentialId };
    const { body } = await platform.send('challengeAuthCredential', { params });
    const bundle = String(Reflect.get(body, 'otpEncryptionTargetBundle'));
    const sealed = await sealCode(bundle, newClientKey(), await production.mailedCode(platform));
    const verify = (encryptedOtpBundle: string) =>
      platform.send('verifyAuthCredential', { params, body: { type: 'EMAIL_OTP', encryptedOtpBundle } });
    await refusedAll(platform, 600, sealed, meansTheSame(sealed, parseLowerCase), verify);
    assert.equal((await verify(sealed)).status, 202);
  });

  it('wallets.md §6.5: an id token', async () => {
    const { platform, accountId, key } = await scene();
    const client = newClientKey().compressed;
    const oidcToken = production.issuer.token(production.claims(client));
    const body = { type: 'OAUTH', accountId, oidcToken };
    const added = await callSigned(platform, key, 'createAuthCredential', { body });
    assert.equal(added.status, 201, added.raw);
    const verify = (token: string) =>
      platform.send('verifyAuthCredential', {
        params: { id: String(added.body.id) },
        body: { type: 'OAUTH', oidcToken: token, clientPublicKey: client },
      });
    assert.equal((await verify(oidcToken)).status, 200);
    await refusedAll(platform, 400, oidcToken, never, verify);
  });

  it('wallets.md §6.1.23, §6.4.35: an attestation, and an assertion', async () => {
    const { platform, accountId, key } = await scene();
    const passkey = createPasskey();
    const challenge = Buffer.alloc(32, 3).toString('base64url');
    const attestation = passkey.register(challenge);
    const body = { type: 'PASSKEY', accountId, nickname: 'Phone', challenge, attestation };
    const added = await callSigned(platform, key, 'createAuthCredential', { body });
    assert.equal(added.status, 201, added.raw);
    for (const member of ['credentialId', 'clientDataJson', 'attestationObject'] as const) {
      await refusedAll(platform, 120, attestation[member], never, (mutated) =>
        platform.send('createAuthCredential', {
          body: { ...body, attestation: { ...attestation, [member]: mutated } },
        }),
      );
    }
    const params = { id: String(added.body.id) };
    const asked = await platform.send('challengeAuthCredential', {
      params,
      body: { clientPublicKey: newClientKey().compressed },
    });
    const { challenge: toSign, requestId } = asked.body as unknown as Record<string, string>;
    const assertion = passkey.assert(toSign ?? '', { counter: 1 });
    const headers = { 'request-id': requestId ?? '' };
    const verify = (sent: object) =>
      platform.send('verifyAuthCredential', { params, headers, body: { type: 'PASSKEY', assertion: sent } });
    for (const member of ['credentialId', 'clientDataJson', 'authenticatorData', 'signature'] as const) {
      const isPadding = (mutated: string) => mutated.replace(/=+$/, '') === assertion[member];
      await refusedAll(platform, 120, assertion[member], isPadding, (mutated) =>
        verify({ ...assertion, [member]: mutated }),
      );
    }
    assert.equal((await verify(assertion)).status, 200);
  });
});

/** Hexadecimal digits are valid in either case, so a changed case changes nothing. */
function meansTheSame(original: string, read: (text: string) => unknown): (mutated: string) => boolean {
  const meaning = JSON.stringify(read(original));
  return (mutated) => JSON.stringify(read(mutated)) === meaning;
}

function readStamp(text: string): unknown {
  return parseLowerCase(Buffer.from(text.trim(), 'base64url').toString());
}

function parseLowerCase(text: string): unknown {
  try {
    const members = JSON.parse(text) as Record<string, unknown>;
    return Object.entries(members).map(([name, value]) => [name, String(value).toLowerCase()]);
  } catch {
    return undefined;
  }
}
