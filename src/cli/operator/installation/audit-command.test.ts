// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { givenCustomer } from '#tests/given/customers.ts';
import { execute, givenOutside, givenPayer, type Payer } from '#tests/given/payments.ts';
import { quoted } from '#tests/given/quotes.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';
import { operatorWorld } from '#tests/harness/operator-world.ts';

interface Row {
  readonly action: string;
  readonly actor: string;
  readonly resource: string;
  readonly reason?: string;
  readonly request: string;
  readonly from: string;
  readonly details: Readonly<Record<string, unknown>>;
}

describe('corridor audit list', () => {
  const world = operatorWorld();
  let platform: TestPlatform;
  let payer: Payer;
  const list = async (...words: string[]): Promise<Row[]> =>
    JSON.parse(await world.run('audit', 'list', ...words, '--json'));
  const actions = (rows: readonly Row[]) => rows.map(({ action }) => action);

  before(async () => {
    ({ platform } = world);
    await world.run('platform', 'set', 'Real', 'isRegulatedFinancialInstitution=true');
    payer = await givenPayer(platform);
  });

  it('platform.md §12.6: the row of a call that creates a resource names that resource', async () => {
    const customer = await givenCustomer(platform);
    const [row, ...others] = await list('--resource', customer.id);
    assert.deepEqual(others, []);
    assert.deepEqual([row?.action, row?.resource], ['createCustomer', customer.id]);
    assert.match(row?.actor ?? '', /^token Token:/);
    assert.ok(row?.request && row.from);
    const made = await platform.call('createToken', { body: { name: 'ci', permissions: ['VIEW'] } });
    assert.ok(actions(await list('--resource', made.body.id)).includes('createToken'));
    const link = await platform.call('createCustomerKycLink', {
      params: { customerId: customer.id },
      body: {},
    });
    assert.equal(link.status, 201, link.raw);
    assert.ok(actions(await list('--resource', customer.id)).includes('createCustomerKycLink'));
  });

  it('platform.md §12.7: a payment names the token, request and address that caused it', async () => {
    const to = await givenOutside(platform, payer.id);
    const quote = await quoted(platform, { from: payer.account('USD').id, to });
    await execute(platform, quote.id);
    const { causedBy } = JSON.parse(await world.run('payment', 'show', quote.transactionId, '--json'));
    assert.deepEqual(
      causedBy.map(({ action }: Row) => action),
      ['createQuote', 'executeQuote'],
    );
    for (const { by, request, from } of causedBy) {
      assert.match(by, /^token Token:/);
      assert.ok(request);
      assert.ok(from);
    }
    assert.match(
      await world.run('payment', 'show', quote.transactionId),
      /causedBy +.*createQuote +token Token:/,
    );
  });

  it('money.md §7.1a: a settlement keeps the bank’s reference, and another one is refused', async () => {
    const to = await givenOutside(platform, payer.id);
    const quote = await quoted(platform, { from: payer.account('USD').id, to });
    await execute(platform, quote.id);
    const id = quote.transactionId;
    const settle = (...words: string[]) => [
      'payment',
      'settle',
      id,
      '--reason',
      'statement',
      '--yes',
      ...words,
    ];
    await world.assertRefused([[settle('--bank-reference', ' B1'), 1, /bankReference: must be one line/]]);
    await world.run(...settle('--bank-reference', 'B1'));
    const { bankReferences, causedBy } = JSON.parse(await world.run('payment', 'show', id, '--json'));
    assert.deepEqual([bankReferences[0].notice, bankReferences[0].bankReference], ['delivered', 'B1']);
    assert.equal(causedBy.at(-1).bankReference, 'B1');
    const [row] = await list('--resource', id, '--action', 'payment settle');
    assert.equal(row?.details.bankReference, 'B1');
    await world.assertRefused([
      [settle('--bank-reference', 'B2'), 1, /settled under the bank's reference B1/],
      [settle('--bank-reference', 'B1'), 1, /there is nothing to settle/],
    ]);
  });

  it('platform.md §12.8: finds rows by resource, actor and time, page after page, and shows the reason', async () => {
    const customer = await givenCustomer(platform);
    const { accounts } = JSON.parse(await world.run('customer', 'show', customer.id, '--json'));
    const account = accounts[0].id;
    await world.runAs('ada@example.com', 'account', 'freeze', account, '--reason', 'case 4711');
    await world.runAs('ada@example.com', 'account', 'unfreeze', account, '--reason', 'case closed');
    const [newest, oldest] = await list('--resource', account);
    assert.deepEqual([newest?.reason, oldest?.reason], ['case closed', 'case 4711']);
    assert.deepEqual(actions(await list('--actor', 'ada@example.com')), [
      'account unfreeze',
      'account freeze',
    ]);
    assert.deepEqual(await list('--actor', 'grace'), []);
    assert.deepEqual(await list('--resource', account, '--until', '1h'), []);
    assert.equal((await list('--resource', account, '--since', '1h', '--platform', 'real')).length, 2);
    const token = oldest && (await list('--resource', customer.id)).at(-1)?.actor.split(' ')[1];
    assert.ok((await list('--actor', token ?? '')).every(({ actor }) => actor === `token ${token}`));
    const first = await world.hear('audit', 'list', '--resource', account, '--limit', '1', '--json');
    const cursor = /--cursor (\S+)/.exec(first.stderr)?.[1] ?? '';
    assert.deepEqual(await list('--resource', account, '--limit', '1', '--cursor', cursor), [oldest]);
    assert.match(
      await world.run('audit', 'list', '--resource', account),
      / REASON +PLATFORM\n.* case closed +Real\n/,
    );
    await world.assertRefused([
      [['audit', 'list', '--cursor', cursor], 1, /cursor: is not a cursor of this list/],
      [['audit', 'list', '--actor', ' '], 2, /It must not be empty/],
    ]);
  });

  it('platform.md §12.9: CORRIDOR_OPERATOR names the person, and a malformed name stops the command', async () => {
    await world.runAs('Grace Hopper', 'platform', 'list');
    const [row] = await list('--actor', 'Grace Hopper');
    assert.deepEqual([row?.action, row?.actor], ['platform list', 'operator Grace Hopper']);
    for (const name of [' ada', 'ada\n', 'a'.repeat(65), 'ada\u202e']) {
      await assert.rejects(
        world.runAs(name, 'platform', 'list'),
        /CORRIDOR_OPERATOR must be 1 to 64 letters/,
      );
    }
  });
});
