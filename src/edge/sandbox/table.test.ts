// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { sandboxSuffix } from '#edge/sandbox/table.ts';
import { CODE_POINT } from '#tests/harness/code-point.ts';

describe('sandboxSuffix', () => {
  it('accounts.md §4.8, money.md §9.1: the last three characters, when all are digits', () => {
    assert.equal(sandboxSuffix('000123456002'), '002');
    assert.equal(sandboxSuffix('DE89370400440532013105'), '105');
    assert.equal(sandboxSuffix('spark1pgssyuuuhnrrdjswal5c3s3rafw9w3y5dd4cjy3duxlf7hjzkp0rqx6dj004'), '004');
    assert.equal(sandboxSuffix('102'), '102');
  });

  it('accounts.md §4.8, money.md §9.1: in an identifier with a domain, only the part before @ is used', () => {
    assert.equal(sandboxSuffix('rosa.004@mail.example'), '004');
    assert.equal(sandboxSuffix('rosa@bank007'), undefined);
    assert.equal(sandboxSuffix('005@upi'), '005');
  });

  it('accounts.md §4.8: anything else has none', () => {
    for (const identifier of ['', '02', '12a', 'abc12x', '1234 ', '12\u0663', '@102']) {
      assert.equal(sandboxSuffix(identifier), undefined, identifier);
    }
  });

  it('accounts.md §4.8: the answer is always the three digits that the own part ends in', () => {
    fc.assert(
      fc.property(fc.string({ unit: CODE_POINT }), (identifier) => {
        const suffix = sandboxSuffix(identifier);
        assert.ok(suffix === undefined || /^[0-9]{3}$/.test(suffix));
      }),
    );
  });
});
