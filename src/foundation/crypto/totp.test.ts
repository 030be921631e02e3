import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { matchTotpStep, newTotpSecret, totpSecretBase32, totpUri } from '#foundation/crypto/totp.ts';

/** RFC 6238, appendix B: its codes have eight digits, of which ours are the last six. */
const VECTORS: readonly (readonly [seconds: number, code: string])[] = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
];
const SECRET = Buffer.from('12345678901234567890');

const at = (seconds: number) => new Date(seconds * 1_000);

describe('codes of authenticator apps', () => {
  it('customers.md §7.4: the codes of the RFC 6238 vectors match at their times', () => {
    for (const [seconds, code] of VECTORS) {
      assert.equal(matchTotpStep(SECRET, code.slice(-6), at(seconds)), Math.floor(seconds / 30), code);
    }
  });

  it('customers.md §7.4: the codes of the previous and the next step match too, and no others', () => {
    const code = '005924';
    const step = Math.floor(1_234_567_890 / 30);
    for (const [steps, isRight] of [
      [-2, false],
      [-1, true],
      [0, true],
      [1, true],
      [2, false],
    ] as const) {
      const found = matchTotpStep(SECRET, code, at((step + steps) * 30));
      assert.equal(found, isRight ? step : undefined, `${steps} steps later`);
    }
  });

  it('customers.md §7.4: a text other than six digits does not match', () => {
    for (const text of [
      '',
      '5924',
      '005925',
      '0005924',
      '89005924',
      '00592４',
      'ABCDEF',
      '\u0000'.repeat(6),
    ]) {
      assert.equal(matchTotpStep(SECRET, text, at(1_234_567_890)), undefined, text);
    }
  });

  it('customers.md §7.4: a secret has 20 random bytes, and apps can read its URI', () => {
    const [one, other] = [newTotpSecret(), newTotpSecret()];
    assert.deepEqual([one.length, other.length], [20, 20]);
    assert.notDeepEqual(one, other);
    assert.equal(totpSecretBase32(SECRET), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    assert.equal(
      totpUri(SECRET, 'Svc', 'ada@example.com'),
      'otpauth://totp/Svc:ada@example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Svc',
    );
    assert.equal(new URL(totpUri(SECRET, 'A & B', 'x?y&z@example.com')).searchParams.get('issuer'), 'A & B');
  });
});
