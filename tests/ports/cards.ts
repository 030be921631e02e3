import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { it } from 'node:test';
import Type from 'typebox';
import { newUuid } from '#foundation/lib/ids.ts';
import type { CardsPort, IssueRequest } from '#foundation/ports/cards.ts';
import { assertShape, exactly, type Suite } from '#tests/ports/shape.ts';

const ANSWER = Type.Union([
  exactly({
    outcome: Type.Literal('ISSUED'),
    card: exactly({
      brand: Type.Enum(['VISA', 'MASTERCARD']),
      pan: Type.String({ pattern: '^[0-9]{12,19}$' }),
      expMonth: Type.Integer({ minimum: 1, maximum: 12 }),
      expYear: Type.Integer({ minimum: 2000 }),
      processorRef: Type.String({ minLength: 1 }),
      issuerRef: Type.String({ minLength: 1 }),
    }),
  }),
  exactly({ outcome: Type.Literal('REJECTED') }),
  exactly({
    outcome: Type.Literal('PENDING'),
    askAgainAfterMs: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
]);

const SUFFIXES = ['000', '001', '002', '003', '004', '005', '006', '007', '999', 'ace', '💳'];

/** The guarantees of a card issuer that the core relies on. */
export const cardsSuite: Suite<CardsPort> = (port) => {
  it('answers every request for a card in the promised shape, and a repeated one alike', async () => {
    const requestedAt = new Date('2026-03-01T00:00:00Z');
    for (const name of [...SUFFIXES.map((suffix) => `card-${suffix}`), '', undefined]) {
      for (const waitedMs of [0, 1_000, 30_000]) {
        const request: IssueRequest = {
          cardId: newUuid(),
          customerId: randomUUID(),
          platformCardId: name,
          requestedAt,
          now: new Date(requestedAt.getTime() + waitedMs),
          seed: createHash('sha256').update(`${name}`).digest(),
        };
        const answer = await port().issue(request);
        assertShape(ANSWER, answer);
        assert.deepEqual(await port().issue(request), answer);
      }
    }
  });

  it('says of every account whether it can fund a card', () => {
    for (const suffix of SUFFIXES)
      assert.equal(typeof port().refusesFunding(`InternalAccount:${suffix}`), 'boolean');
  });
};
