// lane: whole — runs commands
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConnectorRow } from '#capabilities/connectors/row.ts';
import { type AccountFigures, accountFigures } from '#capabilities/reconciliation/figures-store.ts';
import { receiveStatement } from '#capabilities/reconciliation/receive-statement.ts';
import { reconcile } from '#capabilities/reconciliation/reconcile.ts';
import { fetchingKeys } from '#foundation/database/fetching-keys.ts';
import { sql } from '#foundation/database/sql.ts';
import { NIL_ID, newUuid } from '#foundation/lib/ids.ts';
import { operatorWorld } from '#tests/harness/operator-world.ts';

describe('corridor reconcile', () => {
  const world = operatorWorld();

  /** What the metrics say once a statement of Monday has a line that fits nothing. */
  async function checkFigures(): Promise<void> {
    const text = await world.app.metrics.text();
    assert.match(text, /^corridor_reconciliation_unproven_days\{account="bank\.main"\} 0$/m);
    assert.match(text, /^corridor_breaks_open\{kind="THEIRS_UNMATCHED"\} 1$/m);
    assert.match(text, /^corridor_breaks_oldest_seconds\{kind="THEIRS_UNMATCHED"\} \d/m);
    assert.match(text, /^corridor_connector_up\{connector="bank"\} 1$/m);
    const isLateAt = async (at: string) => {
      const [row] = await world.database.query<AccountFigures>(accountFigures(new Date(at)));
      return row?.is_late;
    };
    assert.equal(await isLateAt('2026-03-04T11:59:00Z'), 0, 'Tuesday’s is due on Wednesday at noon');
    assert.equal(await isLateAt('2026-03-04T12:01:00Z'), 1);
    await world.database.query(
      sql`update bank_statements set last_day = '2026-03-06', first_day = '2026-03-06'`,
    );
    assert.equal(await isLateAt('2026-03-09T18:00:00Z'), 0, 'Friday’s counts over the weekend');
    assert.equal(await isLateAt('2026-03-10T12:01:00Z'), 1);
    await world.database.query(sql`update bank_proofs set is_proven = false`);
    assert.match(
      await world.app.metrics.text(),
      /^corridor_reconciliation_unproven_days\{account="bank\.main"\} 1$/m,
    );
  }

  /** The one line of the bank, its break and its proof. */
  async function checkExport(): Promise<void> {
    const period = ['bank.main', '--from', '2026-03-01', '--to', '2026-03-31'];
    const rows = JSON.parse(await world.run('reconcile', 'export', ...period, '--format', 'json'));
    type Exported = Record<'record' | 'day' | 'amount' | 'kind' | 'state' | 'about', string>;
    assert.deepEqual(
      rows.map(({ record, day, amount, kind, state }: Exported) => [record, day, amount, kind, state]),
      [
        ['PROOF', '2026-03-02', '500', null, 'PROVEN'],
        ['THEIRS', '2026-03-02', '500', 'PAYMENT', null],
        ['BREAK', '2026-03-02', '500', 'THEIRS_UNMATCHED', 'OPEN'],
      ],
    );
    assert.equal(rows[1].about, rows[2].about);
    await world.database.query(sql`update bank_lines set line_id = '=SUM(A1)'`);
    const [head, , line] = (await world.run('reconcile', 'export', ...period)).split('\r\n');
    assert.equal(head, 'record,day,id,amount,currency,kind,state,match,matchedOn,about');
    assert.match(line ?? '', /^THEIRS,2026-03-02,'=SUM\(A1\),500,EUR,PAYMENT,/);
    const later = ['bank.main', '--from', '2026-04-01', '--to', '2026-04-30', '--json'];
    assert.deepEqual(JSON.parse(await world.run('reconcile', 'export', ...later)), []);
    await world.assertRefused([
      [['reconcile', 'export', 'bank.main', '--from', '2026-03-02', '--to', '2026-03-01'], 2, /not be after/],
      [
        ['reconcile', 'export', 'bank.main', '--from', '2026-02-30', '--to', '2026-03-01'],
        2,
        /must be a day/,
      ],
    ]);
  }

  it('bank-files.md §7.4, §7.5: lists the last proven days, counts them and the breaks, and shows the proof of a day with what is in transit', async () => {
    assert.match(await world.run('reconcile', 'list'), /No bank has sent a statement/);
    const { runtime } = world.app;
    const id = newUuid() as string;
    const capabilities = {
      settlementAccounts: [{ id: 'main', currency: 'EUR', label: 'Main', zone: 'UTC' }],
    };
    await world.database.query(sql`
      insert into connectors (id, name, url, key_id, secret, capabilities, capabilities_due_at, events_due_at, created_at)
      values (${id}, 'bank', 'https://bank.example', ${newUuid()}, ''::bytea, ${capabilities}::jsonb, now(), now(), now())`);
    const connector = { id, name: 'bank', capabilities } as unknown as ConnectorRow;
    const line = {
      id: 'l-1',
      bookedOn: '2026-03-02',
      side: 'CREDIT' as const,
      amount: '500',
      kind: 'PAYMENT' as const,
      references: ['nothing-known'],
    };
    const statement = {
      id: 's-1',
      settlementAccount: 'main',
      from: '2026-03-02',
      to: '2026-03-02',
      opening: '0',
      closing: '500',
      lines: [line],
    };
    const now = new Date(runtime.clock.now());
    await fetchingKeys(runtime.personKeys, NIL_ID, () =>
      world.database.transaction((run) =>
        receiveStatement({ run, runtime, now }, connector, { ...statement, lines: [...statement.lines] }),
      ),
    );
    await reconcile(runtime);
    const [listed] = JSON.parse(await world.run('reconcile', 'list', '--json'));
    assert.deepEqual(listed, {
      account: 'bank.main',
      connector: 'bank',
      lastStatement: '2026-03-02',
      lastProven: '2026-03-02',
      unprovenDays: 0,
    });
    const proof = JSON.parse(await world.run('reconcile', 'show', 'bank.main', '--json'));
    assert.deepEqual(
      [proof.state, proof.closing, proof.theirsInTransit, proof.difference],
      ['PROVEN', '500', '500', '0'],
    );
    assert.deepEqual(
      proof.items.map(({ whose, line: named }: { whose: string; line: string }) => [whose, named]),
      [['THEIRS', 'l-1']],
    );
    assert.match(await world.run('break', 'list'), /THEIRS_UNMATCHED/);
    await world.assertRefused([
      [['reconcile', 'show', 'bank.main', '--day', '2026-03-03'], 1, /no statement of bank\.main/],
      [['reconcile', 'show', 'other.main'], 1, /no connector other/],
      [['reconcile', 'show', 'bank'], 2, /bank\.main/],
    ]);
    await checkExport();
    await checkFigures();
  });
});
