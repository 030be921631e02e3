import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { recordRun } from '#foundation/audit/run-store.ts';
import { signAllHeads } from '#foundation/journal/heads.ts';
import { VERSION } from '#foundation/lib/version.ts';
import { readJournal } from '#tests/given/journal.ts';
import { givenPayer, givenPlatform } from '#tests/given/payments.ts';
import { seatedOperator } from '#tests/given/proposals.ts';
import { testWorld } from '#tests/harness/harness.ts';

describe('the state of the service itself', () => {
  const world = testWorld();

  it('operator.md §6.9: operators read versions of processes, late work, the database, keys and the last backup', async () => {
    const made = await givenPlatform(world);
    await givenPayer(made);
    const { platform } = await made.work();
    await readJournal(world, platform.id);
    const viewer = await seatedOperator(world, platform, ['viewer']);
    const at = new Date(world.clock.now());
    await recordRun(world.database, 'backup', { at, trouble: 'the disk is full' });
    await signAllHeads(world.app.runtime, [platform.id]);
    const { status, body } = await viewer.call('readSystem', {});
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.version, body.node], [VERSION, process.versions.node]);
    const own = body.processes.find(({ name }: { name: string }) => name.startsWith(`corridor/${VERSION} `));
    assert.ok(own.name.endsWith(`:${process.pid}`) && own.connections > 0, JSON.stringify(body.processes));
    assert.ok(BigInt(body.database.bytes) > 0n && body.database.connections <= body.database.connectionsMax);
    assert.equal(body.tables.length, 10);
    const heads = body.keys.find(({ purpose }: { purpose: string }) => purpose === 'journal heads');
    assert.equal(heads.count, 1);
    assert.ok(body.lags.some(({ kind }: { kind: string }) => kind === 'journal'));
    assert.deepEqual(body.runs, [
      { name: 'backup', at: at.toISOString(), trouble: 'the disk is full' },
      { name: 'ledger verify' },
    ]);
  });
});
