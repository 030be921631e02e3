import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  bareId,
  isUuid,
  NIL_ID,
  newUuid,
  parseId,
  publicId,
  withoutReservedEndings,
} from '#foundation/lib/ids.ts';

describe('new ids', () => {
  const ids = Array.from({ length: 20_000 }, () => newUuid());

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
  const ids = Array.from({ length: 20_000 }, () => newId());
  assert.ok(!ids.some((id) => /00\d$/.test(id)));
  const drawn = ['a001', 'b009', 'c010'] as Id<never>[];
  assert.equal(withoutReservedEndings(() => drawn.shift() ?? NIL_ID)(), 'c010');
});

it('platform.md §1.2.1: the compiler keeps ids of two kinds, public ids and other text apart', () => {
  const customer: Id<'Customer'> = newUuid();
  const either: Id<'Customer' | 'Platform'> = customer;
  // @ts-expect-error: the id of a customer names no account.
  const account: Id<'InternalAccount'> = customer;
  // @ts-expect-error: one of two kinds is not known to be a customer's.
  const narrowed: Id<'Customer'> = either;
  // @ts-expect-error: an id whose kind nobody said is not a customer's.
  const unknown: Id<'Customer'> = newUuid<'Customer' | 'Card'>();
  // @ts-expect-error: text becomes an id only if it is parsed.
  const text: Id<'Customer'> = '01890a5d-ac96-774b-bcce-b302099a8057';
  // @ts-expect-error: a public id is not the id that rows contain.
  const row: Id<'Customer'> = publicId('Customer', customer);
  // @ts-expect-error: the parser returns the kind that it was asked for.
  const parsed: Id<'Card'> | undefined = parseId('Customer', text);
  // @ts-expect-error: the public id of an account names no customer.
  const bare: Id<'Customer'> = bareId(publicId('InternalAccount', newUuid()));
  const kept: string[] = [account, narrowed, text, parsed ?? '', unknown, bare];
  assert.equal(row, `Customer:${customer}`);
  assert.ok(kept.every((id) => isUuid(id)));
});
