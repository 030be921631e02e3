import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import { canonicalJson } from '#foundation/lib/canonical-json.ts';
import { VECTORS } from '#tests/harness/wallet-vectors.ts';

describe('canonical JSON (RFC 8785)', () => {
  it('wallets.md §3.5, §3.8: the known texts are reproduced from their parsed values in any key order, with the known hashes', () => {
    const { bodyBinding, passkeyChallenge, stamp } = VECTORS;
    const known = [
      [bodyBinding.jcs, bodyBinding.sha256],
      [passkeyChallenge.body, passkeyChallenge.challenge],
      [stamp.payloadToSign, stamp.payloadSha256],
    ] as const;
    for (const [text, sha256] of known) {
      const reversed = Object.fromEntries(Object.entries(JSON.parse(text)).reverse());
      assert.equal(canonicalJson(reversed), text);
      assert.equal(hash('sha256', text), sha256);
    }
  });

  it('keys are sorted by UTF-16 code units, numbers and texts written as ECMAScript does', () => {
    const value = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 };
    assert.equal(canonicalJson(value), '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}');
    assert.equal(canonicalJson([1e21, 0.000001, -0]), '[1e+21,0.000001,0]');
    assert.equal(canonicalJson('\u000f\n"\\/'), '"\\u000f\\n\\"\\\\/"');
  });

  it('an undefined member is left out, and an undefined element or value is null', () => {
    assert.equal(canonicalJson({ a: undefined, b: [undefined, null] }), '{"b":[null,null]}');
    assert.equal(canonicalJson(undefined), 'null');
    assert.equal(canonicalJson(null), 'null');
  });
});
