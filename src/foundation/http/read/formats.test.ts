import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDate, isDateTime } from '#foundation/lib/dates.ts';

describe('dates and times', () => {
  it('platform.md §1.2.3: any RFC 3339 date-time with an offset is a time', () => {
    for (const text of [
      '2026-03-01T12:00:00Z',
      '2026-03-01t12:00:00z',
      '2026-03-01 12:00:00+05:30',
      '2024-02-29T23:59:59.123456789-11:00',
      '0001-01-01T00:00:00Z',
      '9999-12-31T23:59:59Z',
    ]) {
      assert.equal(isDateTime(text), true, text);
    }
  });

  it('platform.md §1.2.3: any other text is not a time', () => {
    for (const text of [
      '2026-03-01',
      '2026-03-01T12:00:00',
      '2026-03-01T24:00:00Z',
      '2026-03-01T12:60:00Z',
      '2026-03-01T12:00:60Z',
      '2026-02-29T12:00:00Z',
      '2026-03-01T12:00Z',
      '2026-03-01T12:00:00+25:00',
      '+012026-03-01T12:00:00Z',
      '1772366400',
      '',
    ]) {
      assert.equal(isDateTime(text), false, text);
    }
  });

  it('platform.md §1.2.3: a time whose year in UTC does not have four digits is refused, since no reply could show it', () => {
    for (const text of ['9999-12-31T23:59:59-00:01', '0000-01-01T00:00:00+00:01']) {
      assert.equal(isDateTime(text), false, text);
    }
  });

  it('platform.md §1.2.3: a date is a day that exists', () => {
    assert.equal(isDate('2024-02-29'), true);
    for (const text of ['2025-02-29', '2026-13-01', '2026-1-1', '20260101', '2026-01-01T00:00:00Z']) {
      assert.equal(isDate(text), false, text);
    }
  });
});
