import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import Type from 'typebox';
import type { OperationOrder, StablecoinsPort } from '#foundation/ports/stablecoins.ts';
import { assertShape, exactly, type Suite } from '#tests/ports/shape.ts';

const NAME = Type.String({ minLength: 1 });
const AGAIN = Type.Optional(Type.Integer({ minimum: 1 }));
const outcome = <const Names extends string[]>(...names: Names) => exactly({ outcome: Type.Enum(names) });

const LOGIN = Type.Union([
  exactly({
    outcome: Type.Literal('VERIFIED'),
    accounts: Type.Array(exactly({ id: NAME, status: Type.Enum(['ACTIVE', 'INVALID', 'REVOKED']) }), {
      minItems: 1,
    }),
  }),
  outcome('LOGIN_REFUSED', 'UNAVAILABLE'),
]);

const TOKEN = Type.Union([
  exactly({
    outcome: Type.Literal('FOUND'),
    token: exactly({
      name: NAME,
      symbol: Type.String(),
      baseCurrency: NAME,
      decimals: Type.Integer({ minimum: 0 }),
      networkTokenIdentifier: NAME,
      supply: Type.BigInt(),
      issuance: exactly({
        status: Type.Enum(['PENDING_REVIEW', 'PROVISIONING', 'PROVISIONED', 'REJECTED', 'FAILED']),
        askAgainAfterMs: AGAIN,
      }),
    }),
  }),
  outcome('UNKNOWN', 'LOGIN_REFUSED', 'UNAVAILABLE'),
]);

const ACCOUNT_LINK = Type.Union([
  exactly({ outcome: Type.Literal('LINKED'), reference: NAME }),
  outcome(
    'NOT_LINKED',
    'LINK_FAILED',
    'PROVIDER_LINK_FAILED',
    'PROVIDER_LINK_REQUIRED',
    'LINK_METHOD_REQUIRED',
    'LOGIN_REFUSED',
    'UNAVAILABLE',
  ),
]);

const SUFFIXES = ['000', '001', '002', '003', '004', '005', '009', '201', '205', '999', 'ace', '🪙'];
const LOGIN_OF = (suffix: string) => ({ apiClientId: `client-${suffix}`, apiClientSecret: 'secret' });
const REGISTERED = new Date('2026-03-01T00:00:00Z');

/** The guarantees of a stablecoin provider that the core relies on. */
export const stablecoinsSuite: Suite<StablecoinsPort> = (port) => {
  it('answers every login in the shape that is promised, and a repeated one alike', async () => {
    for (const suffix of SUFFIXES) {
      const answer = await port().verifyLogin(LOGIN_OF(suffix));
      assertShape(LOGIN, answer);
      assert.deepEqual(await port().verifyLogin(LOGIN_OF(suffix)), answer);
    }
  });

  it('describes every token alike, however often it is asked, and says when to ask again', async () => {
    for (const suffix of SUFFIXES) {
      const token = {
        network: 'SPARK',
        providerTokenIdentifier: `coin-${suffix}`,
        networkTokenIdentifier: `btkn1${suffix}`,
      };
      const { setUpMs } = port().enablementOf(token);
      assert(Number.isInteger(setUpMs) && setUpMs >= 0);
      for (const waitedMs of [0, 1_000, 30_000]) {
        const times = { registeredAt: REGISTERED, now: new Date(REGISTERED.getTime() + waitedMs) };
        const answer = await port().describeToken(LOGIN_OF('abc'), token, times);
        assertShape(TOKEN, answer);
        assert.deepEqual(await port().describeToken(LOGIN_OF('abc'), token, times), answer);
      }
    }
  });

  it('links every account in the promised shape, and a repeated one under the same reference', async () => {
    for (const suffix of SUFFIXES)
      for (const role of ['DEBITED', 'CREDITED', 'RECEIVES_COINS'] as const) {
        const account = { accountType: 'USD_ACCOUNT', identifier: `12345${suffix}`, fields: {} };
        const answer = await port().linkAccount(LOGIN_OF('abc'), account, role, true);
        assertShape(ACCOUNT_LINK, answer);
        assert.deepEqual(await port().linkAccount(LOGIN_OF('abc'), account, role, true), answer);
      }
  });

  it('does not know an operation that was never submitted, or reports its progress', async () => {
    const order: OperationOrder = {
      reference: randomUUID(),
      operationType: 'MINT',
      token: {
        network: 'SPARK',
        providerTokenIdentifier: 'acme',
        networkTokenIdentifier: 'btkn1acme',
        symbol: 'ACME',
      },
      amount: 1_000_000n,
      cents: 100n,
      sourceType: 'WIRE',
      source: undefined,
      destination: undefined,
      rail: undefined,
      description: undefined,
      createdAt: REGISTERED,
      now: REGISTERED,
    };
    assert(['FOUND', 'NOT_FOUND'].includes((await port().follow(LOGIN_OF('abc'), order)).outcome));
    const isHeld = await port().holdsToken(LOGIN_OF('abc'), {
      sourceTokenIdentifier: 'USDC',
      cryptoNetwork: 'SOLANA',
    });
    assert.equal(typeof isHeld, 'boolean');
  });
};
