import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { creditsByConnector } from '#tests/given/connected-credits.ts';
import { testWorld } from '#tests/harness/harness.ts';

describe('faulty events of a connector', () => {
  const world = testWorld();
  const at = creditsByConnector(world);
  const { breaks, kinds, own, credited, later } = at;

  const now = () => new Date(world.clock.now()).toISOString();
  const whats = async () => {
    const rows = await world.database.query<{ what: string }>(sql`
      select b.what from connector_breaks b join connectors c on c.id = b.connector_id and c.name = ${at.name}`);
    return rows.map(({ what }) => what);
  };
  /** A number as it is written in the answer. */
  const raw = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

  for (const [what, member] of [
    ['half of a surrogate pair', '\ud800'],
    ['a number beyond all bounds', raw('1e999')],
  ] as const) {
    it(`connectors.md §6.4: an event with ${what} is a break, and holds up no other event`, async () => {
      await own();
      at.bank.list({ id: newUuid(), type: 'WEATHER', at: now(), member });
      await credited({ accountId: at.account });
      assert.deepEqual(await kinds(), ['deposit.received']);
      assert.deepEqual(await breaks(), ['MALFORMED']);
      await later(6);
      assert.deepEqual(await breaks(), ['MALFORMED'], 'it is kept once');
    });
  }

  it('connectors.md §6.4: stored events are applied even while nothing can be read', async () => {
    await credited({ accountId: at.account });
    assert.deepEqual(await kinds(), [], 'it waits for an owner');
    await world.database.query(sql`update connectors set secret = '' where name = ${at.name}`);
    await own();
    await later(6);
    assert.deepEqual(await kinds(), ['deposit.received']);
    assert.ok(at.failures.splice(0).length > 0, 'the secret cannot be opened');
  });

  it('connectors.md §9.5: a break names members of the protocol, and nothing that the connector chose', async () => {
    const secret = 'DE75512108001245126199';
    const coordinates = { [secret]: { [secret]: 7 } };
    at.bank.list({ id: secret, type: 'ACCOUNT', at: now(), accountId: 'a', state: 'OPEN', coordinates });
    await later(6);
    const [what, ...more] = await whats();
    assert.deepEqual(more, []);
    assert.match(what ?? '', /coordinates/);
    assert.equal(what?.includes(secret), false, String(what));
  });

  it('connectors.md §6.2: a time in any spelling of RFC 3339 is read', async () => {
    await own();
    const spelled = now().toLowerCase().replace('t', ' ');
    at.report({ creditId: `credit-${at.next()}`, accountId: at.account, at: spelled });
    await later(6);
    assert.deepEqual(await kinds(), ['deposit.received']);
  });
});
