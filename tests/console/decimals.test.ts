import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { currencyCodes, currencyOf } from '#foundation/lib/currencies.ts';

const file = new URL('../../packages/console/src/ui/decimals.ts', import.meta.url);
const { decimalsOfCode } = (await import(file.href)) as {
  decimalsOfCode(code: string): number | undefined;
};

describe('amounts in the console', () => {
  it('platform.md §1.2.5: the console and the service agree on the decimals of every currency', () => {
    for (const code of currencyCodes()) assert.equal(decimalsOfCode(code), currencyOf(code).decimals, code);
    assert.equal(decimalsOfCode('POINTS'), undefined);
  });
});
