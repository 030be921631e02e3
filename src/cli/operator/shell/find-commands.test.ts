import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { givenCompletePerson } from '#tests/given/packets.ts';
import { operatorWorld } from '#tests/harness/operator-world.ts';

describe('finding work', () => {
  const world = operatorWorld();
  const json = async (...words: string[]) => JSON.parse(await world.run(...words, '--json'));

  it('customers, accounts, tokens, quotes, payments and webhooks are listed, filtered and shown', async () => {
    const first = await givenCompletePerson(world.platform);
    const second = await givenCompletePerson(world.platform, 'Grace Hopper');
    const ids = (rows: { customer: string }[]) => rows.map(({ customer }) => customer);
    assert.deepEqual(ids(await json('customer', 'list')), [second.id, first.id]);
    assert.deepEqual(ids(await json('customer', 'list', '--limit', '1')), [second.id]);
    const reference = first.platformCustomerId ?? '';
    assert.deepEqual(ids(await json('customer', 'list', '--platform-customer-id', reference)), [first.id]);
    assert.deepEqual(ids(await json('customer', 'list', '--before', '2h')), []);
    assert.deepEqual(ids(await json('customer', 'list', '--type', 'business')), []);
    assert.deepEqual(ids(await json('customer', 'list', '--status', 'unverified')), [second.id, first.id]);
    assert.deepEqual(ids(await json('customer', 'list', '--status', 'HOLD')), []);
    const { email } = await json('customer', 'show', first.id);
    assert.deepEqual(ids(await json('customer', 'list', '--email', email.toUpperCase())), [
      second.id,
      first.id,
    ]);
    assert.deepEqual(ids(await json('customer', 'list', '--email', 'nobody@example.com')), []);
    const shown = await json('customer', 'show', first.id);
    assert.equal(shown.fullName, 'Ada Lovelace');
    assert.ok(Array.isArray(shown.accounts));
    const accounts = await json('account', 'list', '--customer', first.id);
    assert.equal(accounts.length, shown.accounts.length);
    const active = await json('account', 'list', '--customer', first.id, '--status', 'active');
    assert.deepEqual(active, accounts);
    assert.deepEqual(await json('account', 'list', '--status', 'frozen'), []);
    const [token] = await json('token', 'list');
    assert.equal((await json('token', 'show', token.id)).clientId, token.clientId);
    assert.equal('clientSecret' in token, false);
    assert.deepEqual(await json('quote', 'list', '--customer', first.id), []);
    assert.deepEqual(await json('payment', 'list', '--all'), []);
    assert.deepEqual(await json('payment', 'list', '--customer', first.id, '--status', 'failed'), []);
    assert.deepEqual(await json('webhook', 'list', '--resource', 'Customer:none', '--after', '1d'), []);
    assert.match(await world.run('customer', 'list'), /^CUSTOMER +TYPE +PLATFORM CUSTOMER ID/);
  });

  it('platform.md §1.3.7a: lists tokens with their last use, and revoked ones on request', async () => {
    const { id } = await json('token', 'create', '--name', 'Unused');
    const [unused, first] = await json('token', 'list');
    assert.deepEqual([unused.id, unused.status, unused.lastUsedAt], [id, 'LIVE', null]);
    assert.ok(Date.parse(first.lastUsedAt) <= Date.now());
    await world.run('token', 'revoke', id, '--reason', 'a test', '--yes');
    const ids = async (...words: string[]) =>
      (await json('token', 'list', ...words)).map((token: { id: string }) => token.id);
    assert.deepEqual(await ids(), [first.id]);
    assert.deepEqual(await ids('--all'), [id, first.id]);
    assert.deepEqual(await ids('--status', 'revoked'), [id]);
    assert.deepEqual(await ids('--all', '--name', 'Unused'), [id]);
    assert.equal(
      await world.run('token', 'list', '--name', 'Unused'),
      'There are no live tokens; --all includes revoked ones.\n',
    );
    const shown = await json('token', 'show', id);
    assert.equal(shown.status, 'REVOKED');
    assert.ok(Date.parse(shown.revokedAt) > 0);
    assert.match(await world.run('token', 'list', '--all'), /LAST USED AT +REVOKED AT/);
  });

  it('an unknown id and a foreign cursor are one clear line each', async () => {
    const id = '01890a5d-ac96-774b-bcce-b302099a8057';
    await world.assertRefused([
      [['customer', 'show', id], 1, /no such Customer/],
      [['token', 'show', id], 1, /no such Token/],
      [['quote', 'show', id], 1, /no such Quote/],
      [['customer', 'list', '--cursor', 'x.y'], 1, /cursor: is not a cursor of this list/],
      [['payment', 'list', '--after', 'yesterday'], 2, /how long ago, such as 2h/],
    ]);
  });
});
