import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { it } from 'node:test';
import Type from 'typebox';
import { newUuid } from '#foundation/lib/ids.ts';
import type {
  AccountScreeningPort,
  ScreenedAccount,
  UsAccountsPort,
} from '#foundation/ports/account-screening.ts';
import type { Coordinates, ProvisioningPort, ProvisioningRequest } from '#foundation/ports/accounts.ts';
import type { FactorResetPort } from '#foundation/ports/factor-reset.ts';
import { NAME_CHECK_STATUSES, type NameCheckPort } from '#foundation/ports/name-check.ts';
import { NETWORKS, type NetworkFeesPort } from '#foundation/ports/network-fees.ts';
import type { OwnershipPort } from '#foundation/ports/ownership.ts';
import type { QuoteFundingPort, QuoteFundingRequest } from '#foundation/ports/quote-funding.ts';
import { EXAMPLES } from '#tests/checks/external-account-examples.ts';
import { assertHides, assertShape, exactly, type Suite } from '#tests/ports/shape.ts';

const COORDINATES = Type.Record(Type.String(), Type.Record(Type.String(), Type.String({ minLength: 1 })));
const TYPES = ['USD_ACCOUNT', 'EUR_ACCOUNT', 'MXN_ACCOUNT', 'SOLANA_WALLET'];

function provisioning(
  accountTypes: string[],
  platformId = newUuid<'Platform'>(),
  seed = randomBytes(32),
): ProvisioningRequest {
  return {
    accountId: newUuid(),
    platformId,
    currency: 'USD',
    holderName: 'Ada Lovelace',
    accountTypes,
    seed,
  };
}

/** Exactly the requested entries, none of them empty. */
function assertCoordinates(made: Coordinates, accountTypes: readonly string[]): void {
  assertShape(COORDINATES, made);
  assert.deepEqual(Object.keys(made).sort(), [...accountTypes].sort());
  for (const fields of Object.values(made)) assert.ok(Object.keys(fields).length > 0);
}

/** The guarantees that internal accounts rely on. */
export const provisioningSuite: Suite<ProvisioningPort> = (port, platformId) => {
  it('has coordinates for every requested account type, or none at all yet', () => {
    for (const types of [...TYPES.map((type) => [type]), TYPES]) {
      const made = port().atOpening(provisioning(types));
      if (made !== undefined) assertCoordinates(made, types);
    }
  });

  it('gives one account the same ones at every request, and no two accounts the same', () => {
    const [mine, other] = [provisioning(TYPES), provisioning(TYPES)];
    const made = port().atOpening(mine);
    assert.deepEqual(port().atOpening(mine), made);
    if (made !== undefined) assert.notDeepEqual(port().atOpening(other), made);
  });

  it('accepts a request or refuses it, and answers a repetition for the same account alike', async () => {
    const request = provisioning(TYPES, platformId());
    const answer = await port().submit(request);
    assert.ok(['accepted', 'refused'].includes(answer));
    assert.equal(await port().submit(request), answer);
  });
};

function funding(accountTypes: string[], more: Partial<QuoteFundingRequest> = {}): QuoteFundingRequest {
  return {
    reference: 'SVC-QABCDEFGH',
    platformId: newUuid<'Platform'>(),
    currency: 'USD',
    amount: 10_000n,
    holderName: 'Ada Lovelace',
    accountTypes,
    seed: randomBytes(32),
    issuedAt: new Date('2026-03-02T10:00:00Z'),
    expiresAt: new Date('2026-03-02T10:05:00Z'),
    ...more,
  };
}

/** The guarantees that real-time quotes rely on. */
export const quoteFundingSuite: Suite<QuoteFundingPort> = (port, platformId) => {
  it('says where to pay in for every requested account type, or that paying in is not possible', async () => {
    for (const types of TYPES.map((type) => [type])) {
      const made = await port().atQuote(funding(types, { platformId: platformId() }));
      if (made !== undefined) assertCoordinates(made, types);
    }
    const invoice = await port().atQuote(funding(['LIGHTNING'], { currency: 'BTC' }));
    if (invoice !== undefined) assertCoordinates(invoice, ['LIGHTNING']);
  });

  it('says the same for the same quote', async () => {
    const mine = funding(TYPES, { platformId: platformId() });
    assert.deepEqual(await port().atQuote(mine), await port().atQuote(mine));
  });
};

/** The same for an adapter that gives each quote a place of its own; payers of pooled accounts name the quote. */
export const ownFundingSuite: Suite<QuoteFundingPort> = (port, platformId) => {
  quoteFundingSuite(port, platformId);
  it('says another place for another quote', async () => {
    const [mine, other] = [funding(TYPES), funding(TYPES)];
    const made = await port().atQuote(mine);
    if (made !== undefined) assert.notDeepEqual(await port().atQuote(other), made);
  });
};

const screened = (): ScreenedAccount[] =>
  Object.entries(EXAMPLES).map(([, { currency, info }]) => ({
    reference: `ExternalAccount:${randomUUID()}`,
    accountType: info.accountType,
    currency,
    fields: info,
  }));

/** The guarantees that new external accounts rely on. */
export const accountScreeningSuite: Suite<AccountScreeningPort> = (port) => {
  it('clears an account at once, or is asked and then answers with a result, at once or later', async () => {
    for (const account of screened()) {
      const atCreate = port().atCreate(account);
      assert.ok(['CLEAR', 'ASK'].includes(atCreate));
      assert.equal(port().atCreate(account), atCreate);
      const result = await port().screen(account);
      assert.ok([undefined, 'CLEAR', 'HIT'].includes(result));
      assert.equal(await port().screen(account), result);
    }
  });
};

const US_STATE = Type.Enum(['VALID', 'PENDING', 'FAILED']);
const US_RESULT = exactly({
  state: US_STATE,
  next: Type.Optional(
    Type.Union([Type.Literal('ASK'), exactly({ state: US_STATE, afterMs: Type.Integer({ minimum: 0 }) })]),
  ),
});

export const usAccountsSuite: Suite<UsAccountsPort> = (port) => {
  const account = (routingNumber: string): ScreenedAccount => ({
    reference: `ExternalAccount:${randomUUID()}`,
    accountType: 'USD_ACCOUNT',
    currency: 'USD',
    fields: { accountNumber: '123456789', routingNumber },
  });
  const NUMBERS = ['021000021', '999999991', '999999992', '999999993'];

  it('knows that an account exists, that it does not, or that this is being checked', async () => {
    for (const request of NUMBERS.map(account)) {
      const result = port().atCreate(request);
      assertShape(US_RESULT, result);
      assert.ok(result.state === 'PENDING' || result.next === undefined, 'nothing follows what is known');
      assert.deepEqual(port().atCreate(request), result);
      assert.ok([undefined, 'VALID', 'FAILED'].includes(await port().validate(request)));
    }
  });

  it('does not mistake a bank’s routing number for one that chooses an outcome', () => {
    assert.equal(port().isTestRoutingNumber('021000021'), false);
  });
};

const NAME_RESULT = exactly({
  status: Type.Enum([...NAME_CHECK_STATUSES]),
  fullName: Type.Optional(Type.String({ minLength: 1 })),
});

export const nameCheckSuite: Suite<NameCheckPort> = (port, platform) => {
  const SUFFIXES = ['000', '102', '103', '104', '105', '106', '107'];
  const requests = () =>
    screened().flatMap(({ reference, accountType, currency, fields }) =>
      SUFFIXES.map((suffix) => {
        const identifier = `1000${suffix}`;
        const platformId = platform();
        return { reference, platformId, accountType, currency, identifier, fields, name: 'Ada Lovelace' };
      }),
    );

  it('reports the result for a name at once, or answers when it is asked', async () => {
    for (const request of requests()) {
      const known = await port().atCreate(request);
      assert.deepEqual(await port().atCreate(request), known);
      if (typeof known !== 'string') assertShape(NAME_RESULT, known);
      else assert.ok(['REFUSED', 'ASK'].includes(known));
      assertShape(NAME_RESULT, await port().check(request));
    }
  });
};

const SESSION = exactly({
  verificationLink: Type.String(),
  token: Type.Optional(Type.String({ minLength: 1 })),
  outcome: Type.Optional(exactly({ passed: Type.Boolean(), afterMs: Type.Integer({ minimum: 0 }) })),
});

/** The guarantees that resets of factors rely on. */
export const factorResetSuite: Suite<FactorResetPort> = (port) => {
  it('customers.md §7.16: opens a session with a link that names neither platform nor person, or none', async () => {
    const [reference, platformId, customerId] = [newUuid(), newUuid(), newUuid()];
    const request = { reference, platformId, customerId, expiresAt: new Date('2026-03-02T10:15:00Z') };
    const session = await port().startLiveness(request);
    if (session === undefined) return;
    assertShape(SESSION, session);
    assert.match(new URL(session.verificationLink).protocol, /^https?:$/);
    assertHides([reference, platformId, customerId], session);
  });
};

/** The guarantees that proofs of a wallet's ownership rely on. */
export const ownershipSuite: Suite<OwnershipPort> = (port) => {
  const ADDRESS = '0x52908400098527886e0f7030069857d2e4169';

  it('opens a session with a link for the wallet’s owner that names neither platform nor wallet, or none', async () => {
    for (const suffix of ['102', '104', 'ee7']) {
      const request = {
        reference: newUuid(),
        platformId: newUuid(),
        accountType: 'ETHEREUM_WALLET',
        address: `${ADDRESS}${suffix}`,
        expiresAt: new Date('2026-03-02T10:15:00Z'),
      };
      const session = await port().startLiveness(request);
      if (session === undefined) continue;
      assertShape(SESSION, session);
      assert.match(new URL(session.verificationLink).protocol, /^https?:$/);
      assertHides([ADDRESS, request.platformId, request.reference], session);
      const again = await port().startLiveness(request);
      assert.deepEqual(again?.outcome, session.outcome);
    }
  });
};

/** The guarantees that the estimate of a withdrawal relies on. */
export const networkFeesSuite: Suite<NetworkFeesPort> = (port) => {
  const FEE = exactly({ fee: Type.BigInt(), asset: Type.String({ minLength: 1 }), converted: Type.BigInt() });

  it('knows the fee of every network, in numbers that JSON can say, or of none', async () => {
    for (const network of NETWORKS) {
      const fee = await port().feeOf(network, 'USDC');
      if (fee === undefined) continue;
      assertShape(FEE, fee);
      for (const amount of [fee.fee, fee.converted]) {
        assert.ok(amount >= 0n && amount <= BigInt(Number.MAX_SAFE_INTEGER), String(amount));
      }
    }
  });
};
