import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, it } from 'node:test';
import { freezeAccount } from '#capabilities/accounts/change-status.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Answered, Call } from '#tests/harness/api-types.ts';
import type { TestPlatform, World } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import {
  type ClientKey,
  givenWallet,
  type Login,
  logIn,
  newClientKey,
  newPerson,
  signStamp,
} from '#tests/harness/wallet-client.ts';

/** One signed operation, as the rows of wallets.md §3.4 need it. */
export interface SignedCase {
  readonly operation: string;
  /** Its status when it succeeds. */
  readonly status: number;
  /** How many signatures come before the tested one; for most operations none. */
  readonly signedBefore?: number;
  /** A wallet of its own, and everything that the call needs. */
  given(platform: TestPlatform, world: World): Promise<SignedScene>;
  /** Makes the call impossible between the legs, and returns the expected answer; absent: nothing can. */
  spoil?(platform: TestPlatform, scene: SignedScene): Promise<Outcome>;
}

export interface SignedScene {
  readonly accountId: string;
  /** The session that may sign. */
  readonly login: Login;
  readonly call: Call;
  /** The call with another valid body; absent: it has none. */
  readonly changed?: Call;
  /** The call for a resource that does not exist. */
  readonly missing: Call;
  /** The call with a body that breaks its schema or a rule. */
  readonly invalid?: Call;
  /** A key of an active session of the wallet that still may not sign this call. */
  readonly excluded?: ClientKey;
  /** The answer to a retry after the call has succeeded; by default row 5. */
  readonly afterwards?: Outcome;
  /** The state that the call changes. */
  state(): Promise<unknown>;
}

export type Outcome = readonly [status: number, code?: string | undefined];

const ALWAYS_VALID = 'sandbox-valid-signature';
const ROW_5: Outcome = [401, 'UNAUTHORIZED'];
const UNMATCHED = 'Request-Id does not match a pending challenge';
const REQUEST_LIFE_MS = 300_000;

interface Challenge {
  readonly payloadToSign: string;
  readonly requestId: string;
  readonly expiresAt: string;
}

/** A scene in which the call waits for its signature. */
interface Open extends SignedScene {
  readonly platform: TestPlatform;
  readonly challenge: Challenge;
  readonly stamp: string;
  /** The signed leg, valid by default; null omits a header. */
  retry(wrong?: Wrong): Promise<Answered>;
}

interface Wrong {
  readonly stamp?: string | null;
  readonly requestId?: string | null;
  readonly call?: Call;
  readonly through?: TestPlatform;
}

/**
 * Call inside `describe`: every row of wallets.md §3.4, and what wallets.md §3.2, §3.3, §3.5 and §3.6 add, each as a
 * test of this operation. One request goes through all refusals, in the order of the tests: they change nothing and leave
 * it open, so that the right retry works in the end.
 */
export function signedMatrix(world: World, one: SignedCase): void {
  const { operation, status, signedBefore = 0, given, spoil } = one;

  const sendRetry = (platform: TestPlatform, scene: SignedScene, challenge: Challenge, stamp: string) => {
    return ({ stamp: sent = stamp, requestId = challenge.requestId, call, through = platform }: Wrong = {}) =>
      through.send(operation, {
        ...(call ?? scene.call),
        headers: {
          ...(sent !== null && { 'svc-wallet-signature': sent }),
          ...(requestId !== null && { 'request-id': requestId }),
        },
      }) as Promise<Answered>;
  };

  /** The first leg, and those before the tested one. */
  async function asked(platform: TestPlatform, call: Call): Promise<Challenge> {
    let headers = {};
    for (let leg = 0; ; leg++) {
      const reply = await platform.send(operation, { ...call, headers });
      assert.equal(reply.status, 202, reply.raw);
      const challenge = reply.body as unknown as Challenge;
      if (leg === signedBefore) return challenge;
      headers = { 'svc-wallet-signature': ALWAYS_VALID, 'request-id': challenge.requestId };
    }
  }

  async function opened(platform?: TestPlatform): Promise<Open> {
    const own = platform ?? (await world.platform());
    const scene = await given(own, world);
    const challenge = await asked(own, scene.call);
    const stamp = await signStamp(scene.login.key, challenge.payloadToSign);
    return { ...scene, platform: own, challenge, stamp, retry: sendRetry(own, scene, challenge, stamp) };
  }

  let open: Open;
  let stranger: Open;
  before(async () => {
    stranger = await opened();
    open = await opened();
  });

  /** The refused retries change nothing, and leave the request open. */
  async function refuses(outcome: Outcome, wrongs: readonly Wrong[], reason?: string) {
    const before = await open.state();
    for (const wrong of wrongs) {
      const reply = await open.retry(wrong);
      assert.deepEqual([reply.status, reply.body.code], outcome, `${JSON.stringify(wrong)} ${reply.raw}`);
      if (reason !== undefined) assert.equal(reply.body.reason, reason);
    }
    assert.deepEqual(await open.state(), before);
    assert.equal(await usedRequests(world, open.challenge), 0);
  }

  it(`wallets.md §3.2: the first leg of ${operation} may be repeated, each time with a request of its own, and changes nothing`, async () => {
    const { platform, call, challenge, state } = open;
    const before = await state();
    const others = [
      await asked(platform, { ...call, key: 'k' }),
      await asked(platform, { ...call, key: 'k' }),
    ];
    const all = [challenge, ...others];
    assert.equal(new Set(all.map(({ requestId }) => requestId)).size, 3);
    assert.equal(
      new Set(all.map(({ payloadToSign }) => payloadToSign)).size,
      3,
      'wallets.md §3.8: dated differently',
    );
    for (const { expiresAt } of all) {
      assert.equal(Date.parse(expiresAt), world.clock.now() + REQUEST_LIFE_MS);
    }
    assert.deepEqual(await state(), before);
  });

  it(`wallets.md §3.3, §3.4 row 3: ${operation} with one of the two headers says which one is missing`, async () => {
    const lone = await open.retry({ requestId: null });
    assert.deepEqual([lone.status, lone.body.code], [401, 'REQUEST_ID_MISSING']);
    await refuses([401, 'WALLET_SIGNATURE_MISSING'], [{ stamp: null }]);
  });

  it(`wallets.md §3.4 row 1: ${operation} without the platform's credentials is refused, whatever the signature`, async () => {
    await refuses(ROW_5, [{ call: { ...open.call, as: 'nobody' } }]);
  });

  it(`wallets.md §3.4 row 2: ${operation} about an unknown resource is 404, and with a bad body 400, before the headers are read`, async () => {
    const wrongs = [{}, { stamp: 'x' }, { stamp: null }, { requestId: null }, { requestId: 'x' }];
    for (const wrong of wrongs) {
      const missing = await open.retry({ ...wrong, call: open.missing });
      assert.equal(missing.status, 404, missing.raw);
      if (!open.invalid) continue;
      const invalid = await open.retry({ ...wrong, call: open.invalid });
      assert.deepEqual([invalid.status, invalid.body.code], [400, 'INVALID_INPUT'], invalid.raw);
    }
    assert.equal(await usedRequests(world, open.challenge), 0);
  });

  it(`wallets.md §3.4 row 4: ${operation} with a malformed stamp, before the request is looked up`, async () => {
    const member = (change: object) =>
      Buffer.from(JSON.stringify({ ...JSON.parse(String(Buffer.from(open.stamp, 'base64url'))), ...change }));
    const stamps = [
      'x',
      '',
      '{}',
      Buffer.from('[]').toString('base64url'),
      open.stamp.slice(0, -8),
      ...[
        { scheme: 'SIGNATURE_SCHEME_OTHER' },
        { publicKey: open.login.key.uncompressed },
        { publicKey: `02${'0'.repeat(63)}1` },
        { signature: '3006020100020100' },
        { signature: undefined },
      ].map((change) => member(change).toString('base64url')),
    ];
    const wrongs = stamps.flatMap((stamp) => [{ stamp }, { stamp, requestId: 'x' }]);
    await refuses([401, 'WALLET_SIGNATURE_MALFORMED'], wrongs);
  });

  it(`wallets.md §3.4 row 5: ${operation} with a request that is foreign, or not named exactly`, async () => {
    const { platform, challenge, accountId, call } = open;
    const sibling = await opened(platform);
    const foreign = [
      sibling.challenge,
      stranger.challenge,
      await otherOperation(platform, operation, accountId),
    ];
    const wrongs: Wrong[] = await Promise.all(
      foreign.map(async ({ requestId, payloadToSign }) => ({
        requestId,
        stamp: await signStamp(open.login.key, payloadToSign),
      })),
    );
    const { requestId } = challenge;
    const misspelled = [
      requestId.toUpperCase(),
      requestId.slice('Request:'.length),
      ` ${requestId}x`,
      `Request:${randomUUID()}`,
      'x',
    ];
    wrongs.push(...misspelled.map((requestId) => ({ requestId })));
    // Row 5 before row 6.
    wrongs.push({ requestId: 'x', call: open.changed ?? call });
    await refuses(ROW_5, wrongs, UNMATCHED);
  });

  it(`wallets.md §3.4 row 6, wallets.md §3.5: ${operation} with another body is refused`, async () => {
    const { changed, call } = open;
    if (!changed) return assert.equal(call.body, undefined, 'what has no body binds none');
    // Row 6 before row 7.
    const stamp = await signStamp(newClientKey(), open.challenge.payloadToSign);
    await refuses(
      [401, 'WALLET_SIGNATURE_BODY_MISMATCH'],
      [{ call: changed }, { call: changed, stamp }, { call: changed, stamp: ALWAYS_VALID }],
    );
  });

  it(`wallets.md §3.4 row 7: ${operation} stamped by a key that may not sign for this wallet`, async () => {
    const { platform, challenge, excluded } = open;
    const other = await givenWallet(platform, newPerson());
    const { key } = await logIn(platform, other.credentialId);
    const keys = [newClientKey(), key, ...(excluded ? [excluded] : [])];
    const stamps = await Promise.all(keys.map((key) => signStamp(key, challenge.payloadToSign)));
    await refuses(
      [401, 'WALLET_SIGNATURE_INVALID'],
      stamps.map((stamp) => ({ stamp })),
    );
  });

  it(`wallets.md §3.4 row 8: ${operation} with a signature over anything but the payload`, async () => {
    const { key } = open.login;
    const { payloadToSign } = open.challenge;
    const payloads = [`${payloadToSign} `, payloadToSign.slice(1), '', open.challenge.requestId];
    const stamps = await Promise.all(payloads.map((payload) => signStamp(key, payload)));
    await refuses(
      [401, 'WALLET_SIGNATURE_INVALID'],
      stamps.map((stamp) => ({ stamp })),
    );
  });

  it(`wallets.md §7: the sandbox refuses its own stamp on ${operation} for a request that is foreign or unknown`, async () => {
    await refuses(ROW_5, [
      { stamp: ALWAYS_VALID, requestId: stranger.challenge.requestId },
      { stamp: ALWAYS_VALID, requestId: 'x' },
    ]);
  });

  it(`wallets.md §3.4, §3.5: after all these refusals and later requests, the right retry of ${operation} works, with the members of its body in any order`, async () => {
    const { call } = open;
    const reply = await open.retry(call.body ? { call: { ...call, body: reordered(call.body) } } : {});
    assert.equal(reply.status, status, reply.raw);
  });

  it(`wallets.md §3.4 row 5, wallets.md §3.6: ${operation} with a request that was used`, async () => {
    assert.equal(await usedRequests(world, open.challenge), 1);
    const state = await open.state();
    for (const stamp of [open.stamp, ALWAYS_VALID]) {
      const again = await open.retry({ stamp });
      assert.deepEqual([again.status, again.body.code], outcomeOf(open.afterwards ?? ROW_5), again.raw);
    }
    assert.deepEqual(await open.state(), state);
  });

  it(`wallets.md §7: the sandbox takes its own stamp on ${operation}, for a request of the call and its body`, async () => {
    const done = await stranger.retry({ stamp: ALWAYS_VALID });
    assert.equal(done.status, status, done.raw);
  });

  it(`wallets.md §3.4 row 5: ${operation} with a request that has expired, after 300 seconds and not before`, async () => {
    const { retry, state } = await opened();
    const before = await state();
    world.clock.advance(REQUEST_LIFE_MS);
    const late = await retry();
    assert.deepEqual([late.status, late.body.code, late.body.reason], [...ROW_5, UNMATCHED]);
    assert.deepEqual(await state(), before);
    const intime = await opened();
    world.clock.advance(REQUEST_LIFE_MS - 1);
    assert.equal((await intime.retry()).status, status);
  });

  it(`wallets.md §3.4 row 7: ${operation} stamped late, when the session has ended`, async () => {
    const platform = await world.platform();
    const scene = await given(platform, world);
    const { session, key } = scene.login;
    const leftMs = () => Date.parse(session.expiresAt) - world.clock.now();
    world.clock.advance(leftMs() - 200_000);
    const challenge = await asked(platform, scene.call);
    const stamp = await signStamp(key, challenge.payloadToSign);
    const before = await scene.state();
    world.clock.advance(leftMs());
    const late = await sendRetry(platform, scene, challenge, stamp)();
    assert.deepEqual([late.status, late.body.code], [401, 'WALLET_SIGNATURE_INVALID'], late.raw);
    assert.deepEqual(await scene.state(), before);
  });

  if (spoil) {
    it(`wallets.md §3.4 row 9: ${operation} that is no longer possible: only a caller that signed learns it`, async () => {
      const open = await opened();
      const outcome = await spoil(open.platform, open);
      const before = await open.state();
      const stamp = await signStamp(newClientKey(), open.challenge.payloadToSign);
      const stranger = await open.retry({ stamp });
      assert.deepEqual([stranger.status, stranger.body.code], [401, 'WALLET_SIGNATURE_INVALID']);
      const reply = await open.retry({ stamp: ALWAYS_VALID });
      assert.deepEqual([reply.status, reply.body.code], outcomeOf(outcome), reply.raw);
      assert.deepEqual(await open.state(), before);
    });
  }

  it(`wallets.md §3.4 row 10: of several retries of ${operation} at once, in two processes, one takes effect`, async () => {
    const open = await opened();
    const through = [open.platform, await world.elsewhere(open.platform)];
    const replies = await Promise.all([...through, ...through].map((through) => open.retry({ through })));
    const lost = [ROW_5, open.afterwards ?? ROW_5].map(outcomeOf);
    const outcomes = replies.map(({ status, body }) => outcomeOf([status, body.code as string | undefined]));
    const won = outcomes.filter(([answered]) => answered === status).length;
    assert.ok(won >= 1, JSON.stringify(outcomes));
    assert.equal(await usedRequests(world, open.challenge), 1);
    const others = outcomes.filter(([answered]) => answered !== status);
    for (const outcome of others)
      assert.ok(
        lost.some(([, code]) => code === outcome[1]),
        JSON.stringify(outcome),
      );
    if (!open.afterwards) assert.equal(won, 1);
  });

  it(`platform.md §1.3.9: a retry of ${operation} that fails leaves a row with its reason, and no stamp`, async () => {
    const open = await opened();
    const { platform, challenge } = open;
    const stamp = await signStamp(newClientKey(), challenge.payloadToSign);
    const reply = await open.retry({ stamp });
    const rows = await world.database.query<{ details: Record<string, unknown>; request_id: string }>(sql`
      select details, request_id from audit_log where platform_id = ${platform.id} and action = 'proof failed'`);
    assert.equal(rows.length, 1);
    assert.deepEqual(rows[0]?.details.proof, 'WALLET_SIGNATURE');
    assert.equal(rows[0]?.request_id, reply.headers['x-request-id']);
    assert.ok(!JSON.stringify(rows).includes(stamp.slice(0, 40)));
  });
}

function outcomeOf([status, code]: Outcome): (string | number | undefined)[] {
  return [status, code];
}

/** A request of the same wallet for something else. */
async function otherOperation(
  platform: TestPlatform,
  operation: string,
  accountId: string,
): Promise<Challenge> {
  const params = { id: accountId };
  const [other, body] =
    operation === 'updateInternalAccount'
      ? ['exportInternalAccount', { clientPublicKey: newClientKey().uncompressed }]
      : ['updateInternalAccount', { privateEnabled: true }];
  const reply = await platform.send(other, { params, body });
  assert.equal(reply.status, 202, reply.raw);
  return reply.body as unknown as Challenge;
}

async function usedRequests({ database }: World, { requestId }: Challenge): Promise<number> {
  const id = uuidOf(requestId);
  const rows = await database.query(sql`
    select 1 from signed_requests where id = ${id} and consumed_at is not null`);
  return rows.length;
}

/** The same values with the members the other way round, and white space between. */
function reordered(body: unknown): string {
  const members = Object.entries(body as object).toReversed();
  return JSON.stringify(Object.fromEntries(members), null, 2);
}

/** For `spoil`: the operator freezes the wallet (wallets.md §6.1.20). */
export async function freeze(platform: TestPlatform, scene: SignedScene): Promise<Outcome> {
  const accountId = uuidOf(scene.accountId);
  await (await platform.work()).write((tx) => freezeAccount(tx, { accountId }));
  return [409, 'CONFLICT'];
}
