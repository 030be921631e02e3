import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { givenCustomer } from '#tests/given/customers.ts';
import { givenExternalAccount } from '#tests/given/external-accounts.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';
import { operatorWorld } from '#tests/harness/operator-world.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('commands with several platforms', () => {
  const world = operatorWorld();
  let other: TestPlatform;
  /** Created alternately on both platforms, the oldest first. */
  const customers: string[] = [];
  const json = async (...words: string[]) => JSON.parse(await world.run(...words, '--json'));
  const ids = (rows: { customer: string }[]) => rows.map(({ customer }) => customer);

  before(async () => {
    other = await world.another('Other');
    for (let n = 0; n < 3; n++) {
      customers.push((await givenCustomer(world.platform)).id, (await givenCustomer(other)).id);
    }
  });

  it('platform.md §12.1: every list covers all platforms, and names the platform of each row', async () => {
    const rows = await json('customer', 'list');
    assert.deepEqual(ids(rows), customers.toReversed());
    assert.deepEqual(
      rows.map((row: { platformName: string }) => row.platformName),
      ['Other', 'Real', 'Other', 'Real', 'Other', 'Real'],
    );
    assert.equal(rows[0].platform, publicId('Platform', other.id));
    const { stdout, stderr } = await world.hear('customer', 'list');
    assert.match(stdout, /^CUSTOMER .* PLATFORM\n(.* Other\n.* Real\n){3}$/);
    assert.equal(stderr, 'All platforms of sandbox: 2\n');
    for (const list of LISTS) await world.run(...list.split(' '), 'list', '--json');
  });

  it('platform.md §12.1: a list over several platforms continues after its last page, and its cursor fits no other list', async () => {
    const seen: string[] = [];
    let cursor: string[] = [];
    for (let page = 0; page < 3; page++) {
      const { stdout, stderr } = await world.hear('customer', 'list', '--limit', '2', ...cursor, '--json');
      seen.push(...ids(JSON.parse(stdout)));
      cursor = /--cursor \S+/.exec(stderr)?.[0].split(' ') ?? [];
      assert.equal(cursor.length, page < 2 ? 2 : 0);
      if (page > 0) continue;
      await world.assertRefused([
        [['customer', 'list', '--platform', 'Other', ...cursor], 1, /cursor: is not a cursor of this list/],
        [['customer', 'list', '--type', 'business', ...cursor], 1, /cursor: is not a cursor of this list/],
        [['quote', 'list', ...cursor], 1, /cursor: is not a cursor of this list/],
      ]);
    }
    assert.deepEqual(seen, customers.toReversed());
  });

  it('platform.md §12.2: --platform takes an id, the beginning of one, or a name, and says which match', async () => {
    const own = [customers[5], customers[3], customers[1]];
    const id = publicId('Platform', other.id);
    for (const name of ['Other', 'OTHER', id, other.id, id.toUpperCase(), other.id.slice(0, -1)]) {
      assert.deepEqual(ids(await json('customer', 'list', '--platform', name)), own, name);
    }
    const twin = await world.another('Other', 'production');
    await world.assertRefused([
      [['customer', 'list', '--platform', 'other'], 1, new RegExp(`2 platforms match other: .*${twin.id}`)],
      [['customer', 'list', '--platform', '0'], 1, /3 platforms match 0: Real \(sandbox, Platform:/],
      [['customer', 'list', '--platform', 'Nobody'], 1, /There is no platform Nobody/],
      [['token', 'create'], 1, /There are 3 platforms: name one with --platform/],
      [['platform', 'show'], 1, /There are 3 platforms: name one by its name or id/],
    ]);
    assert.equal((await json('platform', 'show', 'real')).name, 'Real');
  });

  it('platform.md §12.3: a list shows production or the sandbox, never both, and says which', async () => {
    const live = await world.another('Live', 'production');
    const shown = await world.hear('token', 'list', '--json');
    assert.match(
      shown.stderr,
      /^All platforms of production: \d; --environment sandbox lists the other 2\n$/,
    );
    const names = JSON.parse(shown.stdout).map((row: { platformName: string }) => row.platformName);
    assert.ok(names.includes('Live'));
    assert.ok(!names.includes('Real'));
    const sandbox = await json('token', 'list', '--environment', 'sandbox');
    assert.deepEqual(sandbox.map((row: { platformName: string }) => row.platformName).sort(), [
      'Other',
      'Real',
    ]);
    const conflict = ['token', 'list', '--environment', 'sandbox', '--platform', live.id];
    await world.assertRefused([[conflict, 2, /cannot be used with/]]);
  });

  it('platform.md §12.4: an id leads to its platform, for reading and for acting, and the command names the platform', async () => {
    const [first = '', second = ''] = customers;
    const said = (name: string, id: string) => `Platform: ${name} (sandbox, ${publicId('Platform', id)})\n`;
    const shown = await world.hear('customer', 'show', second, '--json');
    assert.equal(JSON.parse(shown.stdout).id, second);
    assert.equal(shown.stderr, said('Other', other.id));
    const { accounts } = await json('customer', 'show', first);
    const words = ['account', 'freeze', accounts[0].id, '--reason', 'case 4711'];
    assert.equal((await world.hear(...words)).stderr, said('Real', world.platform.id));
    const outside = await givenExternalAccount(other, 'EUR_ACCOUNT', {}, { customerId: second });
    assert.equal((await json('account', 'external', outside.id)).id, outside.id);
    const unknown = '01890a5d-ac96-774b-bcce-b302099a8057';
    await world.assertRefused([
      [['customer', 'show', unknown], 1, /no such Customer on any platform: Customer:01890a5d/],
      [['customer', 'show', second, '--platform', 'Real'], 1, /no such Customer/],
      [['invitation', 'show', '7h3qk2vd9x'], 1, /no such Invitation on any platform: 7h3qk2vd9x/],
    ]);
  });

  it('platform.md §12.5: external accounts are listed by status, those of platforms too, without balances', async () => {
    const [, second = ''] = customers;
    const outside = await givenExternalAccount(other, 'USD_ACCOUNT', {}, { customerId: second });
    await world.database.query(
      sql`update external_accounts set status = 'PENDING' where id = ${uuidOf(outside.id)}`,
    );
    const waiting = await json(
      'account',
      'list',
      '--external',
      '--status',
      'pending',
      '--environment',
      'sandbox',
    );
    assert.deepEqual(
      waiting.map((row: { account: string; platformName: string }) => [row.account, row.platformName]),
      [[outside.id, 'Other']],
    );
    assert.equal('accountInfo' in waiting[0], false);
    const all = await json('account', 'list', '--external', '--customer', second, '--environment', 'sandbox');
    assert.equal(all.length, 2);
    await world.assertRefused([
      [['account', 'list', '--external', '--status', 'FROZEN'], 2, /--status must be one of PENDING, ACTIVE/],
      [['account', 'list', '--status', 'UNDER_REVIEW'], 2, /--status must be one of/],
    ]);
  });
});

const LISTS = [
  ...[
    'customer',
    'review',
    'account',
    'wallet',
    'card',
    'card exceptions',
    'agent',
    'agent action',
    'stablecoin',
  ],
  ...[
    'stablecoin link',
    'stablecoin operation',
    'sca',
    'invitation',
    'quote',
    'payment',
    'suspense',
    'receivable',
  ],
  ...['webhook', 'requests', 'token', 'audit', 'platform'],
];
