// lane: whole — one of the longest of the short tests

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { rawSql, sql } from '#foundation/database/sql.ts';
import { supports } from '#tests/given/accounts.ts';
import { givenOutside, givenPayer, type Payer } from '#tests/given/payments.ts';
import { operatorWorld } from '#tests/harness/operator-world.ts';

describe('corridor attention', () => {
  const world = operatorWorld();
  let payer: Payer;
  before(async () => {
    await world.run(
      'platform',
      'set',
      `Platform:${world.platform.id}`,
      'isRegulatedFinancialInstitution=true',
    );
    await supports(world.platform, ['USD', 'EUR']);
    payer = await givenPayer(world.platform, 0);
    await world.app.worker.settle();
  });

  it('decision 0032: says so if nothing waits', async () => {
    assert.equal(await world.run('attention'), 'Nothing waits.\n');
    assert.equal(await world.run('attention', '--json'), '[]\n');
    assert.equal(await world.run('attention', '--exit-code'), 'Nothing waits.\n');
  });

  it('decision 0032: lists each waiting item with its platform, time, reason and commands', async () => {
    const outside = await givenOutside(world.platform, payer.id);
    await world.app.worker.settle();
    await world.database.query(sql`update external_accounts set status = 'PENDING'`);
    await world.run('platform', 'create', '--name', 'Other', '--environment', 'production');
    const printed = await world.run('attention', '--environment', 'sandbox');
    const lines = printed.split('\n');
    assert.match(
      lines[0] ?? '',
      /^external-accounts \(sandbox\): 1, the oldest \d+ (s|min) old: external accounts that wait for screening or review$/,
    );
    assert.match(
      lines[1] ?? '',
      new RegExp(`^  ${outside}  Real  since 20\\S+Z  not screened yet, so it cannot be paid$`),
    );
    const repair = lines[3]?.replace(/^ +\$ corridor /, '').replace('"<why>"', 'seen') ?? '';
    const [group] = JSON.parse(await world.run('attention', '--kind', 'EXTERNAL-ACCOUNTS', '--json'));
    assert.deepEqual(
      [group.kind, group.environment, group.count, group.isCapped, group.items[0].platform],
      ['external-accounts', 'SANDBOX', 1, false, `Platform:${world.platform.id}`],
    );
    assert.deepEqual(JSON.parse(await world.run('attention', '--kind', 'reviews', '--json')), []);
    assert.equal(await world.exitOf('attention', '--exit-code'), 3);
    assert.equal(await world.exitOf('attention'), 0);
    await world.run(...repair.split(' '));
    assert.deepEqual(JSON.parse(await world.run('attention', '--kind', 'external-accounts', '--json')), []);
  });

  it('decision 0032: shows the age of the last ledger check and backup as soon as there is a production platform', async () => {
    const kinds = async () =>
      JSON.parse(await world.run('attention', '--environment', 'production', '--json')).map(
        ({ kind }: { kind: string }) => kind,
      );
    await world.database.query(sql`update platforms set created_at = created_at - interval '30 days'`);
    assert.deepEqual(await kinds(), ['accounts', 'rates', 'ledger-verify', 'backup']);
    await world.run('ledger', 'verify');
    assert.deepEqual(await kinds(), ['accounts', 'rates', 'backup']);
    assert.match(
      await world.run('backup', '--made-elsewhere', '2h'),
      /^backup +made elsewhere\nat +20\S+Z\n$/,
    );
    assert.deepEqual(await kinds(), ['accounts', 'rates']);
    await world.run('backup', '--made-elsewhere', '3d');
    assert.deepEqual(await kinds(), ['accounts', 'rates'], 'an older one changes nothing');
    const rows = await world.database.query(sql`select action from audit_log where action like 'backup%'`);
    assert.equal(rows.length, 2);
  });

  it('decision 0032: says why a kind could not be read, and lists the others', async () => {
    const rename = (from: string, to: string) =>
      world.database.query(rawSql(`alter table ${from} rename to ${to}`));
    await rename('operator_runs', 'operator_runs_away');
    try {
      const { code, stdout, stderr } = await world.attempt('attention', '--json');
      assert.equal(code, 1);
      assert.deepEqual(
        JSON.parse(stdout).map(({ kind }: { kind: string }) => kind),
        ['accounts', 'rates'],
      );
      for (const kind of ['ledger-verify', 'backup']) {
        assert.match(
          stderr,
          new RegExp(
            `^${kind} could not be read, the other kinds are complete: The database schema is not up to date`,
            'm',
          ),
        );
      }
    } finally {
      await rename('operator_runs_away', 'operator_runs');
    }
  });

  it('decision 0032: refuses unknown kinds and environments, and a backup without a folder and without --made-elsewhere', async () => {
    await world.assertRefused([
      [
        ['attention', '--kind', 'nonsense'],
        2,
        /--kind nonsense is none of accounts, external-accounts, reviews, /,
      ],
      [['attention', '--environment', 'moon'], 2, /sandbox|SANDBOX/],
      [['backup'], 2, /give either a folder or --made-elsewhere/],
      [['backup', '/tmp/x', '--made-elsewhere'], 2, /give either a folder or --made-elsewhere/],
      [['backup', '--made-elsewhere', '2999-01-01'], 2, /must not be in the future/],
    ]);
  });
});
