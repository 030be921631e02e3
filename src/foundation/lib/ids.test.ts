import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isUuid, newUuid, withoutReservedEndings } from '#foundation/lib/ids.ts';

describe('new ids', () => {
  const ids = Array.from({ length: 20_000 }, newUuid);

  it('platform.md §1.2.1: are unique UUIDs of version 7 that sort in the order of their creation', () => {
    assert.ok(ids.every((id) => isUuid(id) && id[14] === '7' && '89ab'.includes(id[19] ?? '')));
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(ids.toSorted(), ids);
  });

  it('begin with the time', () => {
    const made = Number.parseInt(newUuid().replace('-', '').slice(0, 12), 16);
    assert.ok(Math.abs(made - Date.now()) < 60_000);
  });

  it('differ in their random part', () => {
    assert.ok(new Set(ids.map((id) => id.slice(-12))).size > ids.length - 10);
  });
});

it('platform.md §1.2.1: new ids never end in a suffix that chooses an outcome', () => {
  const newId = withoutReservedEndings(newUuid);
  const ids = Array.from({ length: 20_000 }, newId);
  assert.ok(!ids.some((id) => /00\d$/.test(id)));
  const drawn = ['a001', 'b009', 'c010'];
  assert.equal(withoutReservedEndings(() => drawn.shift() ?? '')(), 'c010');
});
