import assert from 'node:assert/strict';
import { it } from 'node:test';
import Type from 'typebox';
import { isCurrencyCode } from '#foundation/lib/currencies.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import type { CounterpartiesPort } from '#foundation/ports/counterparties.ts';
import { assertRepeatable, RAIL_ANSWER } from '#tests/ports/rails.ts';
import { assertHides, assertShape, exactly, type Suite } from '#tests/ports/shape.ts';

const FAULTS = ['NOT_FOUND', 'NO_COMMON_VERSION', 'UNREACHABLE', 'KEYS_UNAVAILABLE', 'UNREADABLE', 'REFUSED'];
const PAY_FAULTS = [
  'NO_COMMON_VERSION',
  'UNREACHABLE',
  'KEYS_UNAVAILABLE',
  'UNREADABLE',
  'INVALID',
  'SENDER_NOT_ACCEPTED',
];
const LOOKED_UP = Type.Union([
  exactly({
    kind: Type.Literal('FOUND'),
    currencies: Type.Array(
      exactly({ code: Type.String(), min: Type.Optional(Type.BigInt()), max: Type.Optional(Type.BigInt()) }),
      { minItems: 1 },
    ),
    requiredPayerData: Type.Array(
      exactly({
        name: Type.String({ minLength: 1 }),
        mandatory: Type.Boolean(),
        mustBeSent: Type.Optional(Type.Boolean()),
      }),
    ),
  }),
  exactly({ kind: Type.Enum(FAULTS) }),
]);
const PAY_ANSWER = Type.Union([
  exactly({
    kind: Type.Literal('AGREED'),
    counterpartyInformation: Type.Record(Type.String(), Type.Unknown()),
  }),
  exactly({ kind: Type.Enum(PAY_FAULTS) }),
]);

const NAMES = [
  'success.usd',
  'success.eur',
  'pending.long.usd',
  'fail.compliance.usd',
  'needinfo.usd',
  'nobody',
];
const ADDRESSES = NAMES.flatMap((name) => [`$${name}@sandbox.corridor.test`, `$${name}@elsewhere.example`]);
const lookUps = () =>
  ADDRESSES.map((address) => ({ address, domain: address.split('@')[1] ?? '', senderAddress: undefined }));

/** The guarantees that quotes, look-ups and incoming UMA payments rely on. */
export const counterpartiesSuite: Suite<CounterpartiesPort> = (port) => {
  it('finds a receiver with the currencies that it takes, or says why not', async () => {
    for (const request of lookUps()) {
      const answer = await port().lookUp(request);
      assertShape(LOOKED_UP, answer);
      assert.deepEqual(await port().lookUp(request), answer);
      if (answer.kind !== 'FOUND') continue;
      for (const { code, min, max } of answer.currencies) {
        assert.ok(isCurrencyCode(code), code);
        assert.ok((min ?? 0n) >= 0n && (max ?? min ?? 0n) >= (min ?? 0n));
      }
    }
  });

  it('agrees to take a payment, or says why not', async () => {
    for (const request of lookUps()) {
      const payment = {
        currency: 'USD',
        lockedSide: 'SENDING',
        lockedAmount: 10_000n,
        payerData: {},
      } as const;
      assertShape(PAY_ANSWER, await port().requestPayment({ ...request, ...payment }));
    }
  });

  it('has an accepted offer paid once, however often it is reported; later reports continue from its token', async () => {
    for (const senderAddress of ADDRESSES) {
      const reference = newUuid();
      const offer = {
        reference,
        senderAddress,
        receiverAddress: '$ada@uma.corridor.test',
        amount: 10_000n,
        currency: 'USD',
        payeeData: { FULL_NAME: 'Ada Lovelace' },
      };
      await assertRepeatable(() => port().acceptOffer(offer));
      const { again } = await port().acceptOffer(offer);
      assertHides(['Ada', '$ada'], again?.token);
      if (again) assertShape(RAIL_ANSWER, await port().followOffer(reference, again.token));
    }
  });
};
