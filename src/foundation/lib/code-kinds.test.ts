import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  CODE_KINDS,
  hasForm,
  inGroups,
  randomCode,
  waitMs,
  walletForm,
  withoutGroups,
} from '#foundation/lib/code-kinds.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

describe('kinds of codes', () => {
  it('platform.md §5.2, agents.md §2.11: a code has the form of its kind, and any of its characters', () => {
    for (const { form } of Object.values(CODE_KINDS)) {
      const drawn = Array.from({ length: 400 }, () => randomCode(form));
      assert.ok(drawn.every((code) => hasForm(code, form)));
      assert.deepEqual([...new Set(drawn.join(''))].sort(), [...form.alphabet].sort());
      const [first = ''] = drawn;
      assert.deepEqual([hasForm(first.slice(1), form), hasForm(`${first.slice(1)}!`, form)], [false, false]);
    }
  });

  it('wallets.md §1: an alphanumeric code has no I, O, 0 and 1', () => {
    assert.equal(walletForm(8, false).alphabet, '0123456789');
    assert.match(walletForm(8, true).alphabet, /^[A-HJ-NP-Z2-9]{32}$/);
  });

  it('customers.md §7.5: groups of four can be typed in any case, with or without their dashes', () => {
    assert.equal(inGroups('ABCDEFGHJKLM'), 'ABCD-EFGH-JKLM');
    assert.equal(inGroups('ABCDE'), 'ABCD-E');
    for (const typed of ['abcd-efgh-jklm', 'ABCD EFGH JKLM', 'ab cdefghj-klm']) {
      assert.equal(withoutGroups(typed), 'ABCDEFGHJKLM');
    }
  });

  it('wallets.md §1: a limit looks back exactly as far as it says', () => {
    const limit = { max: 2, withinMs: MINUTE_MS };
    const times = [0, 10_000, 20_000];
    assert.equal(waitMs(times, limit, 20_000), 50_000);
    assert.equal(waitMs(times, limit, 69_999), 1);
    assert.equal(waitMs(times, limit, 70_000), 0);
    assert.equal(waitMs([], limit, 0), 0);
    assert.equal(waitMs([90_000, 95_000], limit, 80_000), 0, 'a clock that went back');
  });

  it('cards.md §10.4: a limit of a day counts from midnight, UTC, to midnight', () => {
    const limit = { max: 2, withinMs: DAY_MS, byDay: true };
    const midnight = Date.UTC(2026, 2, 2);
    assert.equal(waitMs([midnight - 1, midnight], limit, midnight + 1), 0);
    assert.equal(waitMs([midnight, midnight], limit, midnight), DAY_MS);
    assert.equal(waitMs([midnight, midnight + 5], limit, midnight + DAY_MS - 1), 1);
    assert.equal(waitMs([midnight, midnight + 5], limit, midnight + DAY_MS), 0);
  });
});
