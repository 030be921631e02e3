import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inviteOperator } from '#capabilities/operators/manage.ts';
import { peopleOperations } from '#capabilities/operators/routes.ts';
import { sql } from '#foundation/database/sql.ts';
import { mailingWorld } from '#tests/given/mailing-world.ts';
import { givenOperator, joinAs, onInstallation } from '#tests/given/operators.ts';

const PARTS = { consoleSettings: undefined, publicUrl: () => 'http://localhost' };

describe('addresses of operators by mail', () => {
  const { world, mail } = mailingWorld();
  const invite = (email: string) =>
    onInstallation(world, (tx) =>
      inviteOperator(tx, { name: 'Grace Hopper', email, roles: ['viewer'] }, PARTS),
    );
  /** The secret that the last mail carries; quoted-printable breaks long lines. */
  const mailedSecret = () =>
    mail()
      .received.at(-1)
      ?.raw.replace(/=\r?\n/g, '')
      .match(/\/console\/operator\/join#([\w-]{43})/)?.[1];

  it('operator.md §1.2: the address is mailed to the person after the commit, and works', async () => {
    const { operator, address } = await invite('grace@example.com');
    assert.equal(address.isMailed, true);
    assert.equal(await address.delivered, true);
    const [received] = mail().received;
    assert.deepEqual(received?.to, ['grace@example.com']);
    const secret = mailedSecret();
    assert.ok(secret);
    assert.ok(!world.logged.join('').includes(secret));
    const joined = await joinAs(world, { id: operator.id, email: operator.email, secret });
    assert.equal(joined.status, 200, joined.raw);
  });

  it('operator.md §1.2: the reply to the admin who invites does not show it', async () => {
    // Only one operator is active, so that no second one has to approve.
    const admin = await givenOperator(world);
    const operation = peopleOperations(PARTS).find(({ id }) => id === 'inviteOperator');
    assert.ok(operation);
    const body = { name: 'Alan', email: 'alan@example.com', roles: ['viewer'] };
    const { status, body: reply, raw } = await admin.call(operation, {}, body);
    assert.deepEqual([status, reply.isMailed, reply.url], [201, true, undefined], raw);
    assert.ok(!raw.includes('join#'));
  });

  it('operator.md §1.2: a mail that the server refuses ends nothing; another invitation makes another address', async () => {
    mail().refuse({ step: 'recipient', code: 550 });
    const { address } = await invite('alan.t@example.com');
    assert.equal(await address.delivered, false);
    mail().refuse(undefined);
    const again = await invite('alan.t@example.com');
    assert.equal(await again.address.delivered, true);
    const rows = await world.database.query(sql`
      select from operator_addresses where operator_id = ${again.operator.id}`);
    assert.equal(rows.length, 1);
  });
});
