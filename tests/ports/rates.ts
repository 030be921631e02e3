import assert from 'node:assert/strict';
import { it } from 'node:test';
import Type from 'typebox';
import { isCurrencyCode } from '#foundation/lib/currencies.ts';
import type { RatesPort } from '#foundation/ports/rates.ts';
import { assertShape, exactly, type Suite } from '#tests/ports/shape.ts';

const SNAPSHOT = exactly({
  perUsd: Type.Record(Type.String(), Type.String({ pattern: String.raw`^\d+(\.\d+)?$` })),
  lapsed: Type.Array(Type.String()),
  readAt: Type.Any(),
});

/** The guarantees that prices rely on. */
export const ratesSuite: Suite<RatesPort> = (port) => {
  const NOW = new Date('2026-03-02T10:01:00Z');

  it('gives exact decimal text above zero for each currency, USD itself as 1, or nothing at all', async () => {
    const snapshot = await port().snapshot(NOW);
    if (snapshot === undefined) return;
    assertShape(SNAPSHOT, snapshot);
    assert.equal(snapshot.perUsd.USD, '1');
    for (const [code, rate] of Object.entries(snapshot.perUsd)) {
      assert.ok(isCurrencyCode(code) && Number(rate) > 0, `${code} ${rate}`);
    }
  });

  it('was read before now; a currency is in force or lapsed, never both; the same moment is the same snapshot', async () => {
    const snapshot = await port().snapshot(NOW);
    if (snapshot === undefined) return;
    assert.ok(snapshot.readAt instanceof Date && snapshot.readAt <= NOW);
    for (const code of snapshot.lapsed) assert.ok(!(code in snapshot.perUsd), code);
    assert.deepEqual(await port().snapshot(NOW), snapshot);
  });
};
