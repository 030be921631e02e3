import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { referencesIn } from '#capabilities/connectors/credits/references.ts';

const QUOTE = 'SVC-QAB2CD3EF';
const ACCOUNT = 'FUND-1VCQDYYJ';

describe('references in what a payer wrote', () => {
  for (const [text, found] of [
    [QUOTE, [QUOTE]],
    [ACCOUNT, [ACCOUNT]],
    ['svc-qab2cd3ef', [QUOTE]],
    ['Invoice 4711 svc qab2 cd3e f thanks', [QUOTE]],
    ['SVC–QAB2‑CD3EF', [QUOTE]],
    ['SVC\u00adQAB2CD3EF', [QUOTE]],
    ['ＳＶＣ－ＱＡＢ２ＣＤ３ＥＦ', [QUOTE]],
    ['оплата SVCQAB2CD3EF спасибо', [QUOTE]],
    ['請求書SVC-QAB2CD3EF', [QUOTE]],
    ['SVCQSVCQAB2CD3EFAB', ['SVC-QSVCQAB2C', QUOTE]],
    [`${QUOTE} ${QUOTE}`, [QUOTE]],
    [`${QUOTE}/${ACCOUNT}`, [QUOTE, ACCOUNT]],
    ['SVC-QAB2CD3E', []],
    ['SVC-QAB1CD3EF', []],
    ['FUND-1VCQDYYI', []],
    ['rent', []],
    ['', []],
  ] as const) {
    it(`connectors.md §6.9: "${text}" names ${found.join(', ') || 'none'}`, () => {
      assert.deepEqual(referencesIn(text, 'SVC-'), found);
    });
  }

  it('connectors.md §6.9: the prefix is that of the installation', () => {
    assert.deepEqual(referencesIn('acme.q ab2cd3ef', 'ACME.-'), ['ACME.-QAB2CD3EF']);
    assert.deepEqual(referencesIn('acmexqab2cd3ef', 'ACME.-'), []);
  });
});
