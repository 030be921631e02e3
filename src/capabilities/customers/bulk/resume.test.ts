// lane: whole — imports large files

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { IMPORT_JOB } from '#capabilities/customers/bulk/accept-import.ts';
import { importJobs } from '#capabilities/customers/bulk/jobs.ts';
import { surveyFile } from '#capabilities/customers/bulk/read-file.ts';
import { openReferences, type WithStoredReference } from '#capabilities/customers/sealed-customer.ts';
import type { CustomerPolicy } from '#capabilities/customers/terms/policy.ts';
import { SAMPLE_TERMS } from '#capabilities/customers/terms/sample-terms.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import type { CallHandler, Effect, Job } from '#foundation/jobs/handlers.ts';
import { JobRunner } from '#foundation/jobs/job-runner.ts';
import { newUuid, parseId } from '#foundation/lib/ids.ts';
import { holdReference, untilBlocked } from '#tests/given/blocked.ts';
import { fetchImport, givenImport, imported, personRow, renderCsv } from '#tests/given/imports.ts';
import { TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const POLICY: CustomerPolicy = {
  terms: SAMPLE_TERMS,
  publicUrl: () => 'http://localhost',
  domains: TEST_DOMAINS,
  separateCurrencies: [],
};

describe('resuming a bulk import', () => {
  const world = testWorld();
  const handler = importJobs(POLICY)[IMPORT_JOB] as CallHandler;
  const rows = (count: number) => Array.from({ length: count }, (_, i) => personRow(i + 1));

  const buildJob = (jobId: string, attempts = 0): Job => ({
    id: 1n,
    kind: IMPORT_JOB,
    key: null,
    payload: { id: parseId('Job', jobId) },
    dueAt: new Date(),
    attempts,
  });

  async function workIn(platform: TestPlatform, more: Partial<Runtime>): Promise<Work> {
    const work = await platform.work();
    return new Work({ ...work.runtime, ...more }, work.platform, work.actor);
  }

  /** Every reference of the platform, with duplicates. */
  async function references(platform: TestPlatform): Promise<string[]> {
    const work = await platform.work();
    const found = await work.read(async (tx) => {
      const rows = await tx.sql<WithStoredReference>`
        select id as customer_id, reference, platform_customer_id from customers where platform_id = ${tx.platformId}
           and reference <> ''`;
      return openReferences(tx, rows);
    });
    return found.map((row) => row.platform_customer_id).sort();
  }

  const expected = (count: number) =>
    rows(count)
      .map((row) => row.platformCustomerId ?? '')
      .sort();

  async function countEnds({ id }: TestPlatform): Promise<number> {
    const found = await world.database.query(
      sql`select from events where platform_id = ${id} and type like 'BULK_UPLOAD.%'`,
    );
    return found.length;
  }

  /** Runs imports, and waits at the gate before it opens a file for the nth time. */
  async function gatedRunner(platform: TestPlatform, gatedRead: number) {
    const { runtime } = await platform.work();
    const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let reads = 0;
    const ports: Runtime['ports'] = (environment) => {
      const { storage, ...others } = runtime.ports(environment);
      const read: typeof storage.read = async (...which) => {
        if (++reads === gatedRead) {
          reached.resolve();
          await opened.promise;
        }
        return storage.read(...which);
      };
      return { ...others, storage: { ...storage, read } };
    };
    const runner = new JobRunner({ ...runtime, ports }, { [IMPORT_JOB]: handler });
    return { runner, reached: reached.promise, open: opened.resolve };
  }

  it('customers.md §2.5.31: each of more than a thousand rows is imported once', async () => {
    const platform = await world.platform();
    const job = await imported(world, platform, renderCsv(rows(1_050)));
    assert.deepEqual(job.progress, { total: 1_050, processed: 1_050, successful: 1_050, failed: 0 });
    assert.deepEqual(await references(platform), expected(1_050));
  });

  it('customers.md §2.5.31: two workers on one import process each row once and emit the final event once', async () => {
    const platform = await world.platform();
    const jobId = await givenImport(platform, renderCsv(rows(250)));
    const work = await platform.work();
    const effects = await Promise.all([1, 2, 3].map(() => handler.call(work, buildJob(jobId))));
    for (const effect of effects) await work.write(effect);
    const job = await fetchImport(platform, jobId);
    assert.equal(job.status, 'COMPLETED');
    assert.deepEqual(job.progress, { total: 250, processed: 250, successful: 250, failed: 0 });
    assert.deepEqual(await references(platform), expected(250));
    // The job that the upload scheduled finds nothing left to do.
    await world.app.worker.settle(platform.id);
    assert.equal(await countEnds(platform), 1);
  });

  it('customers.md §2.5.31: after its time slice an import frees the worker, keeps its position, and lets others run first', async () => {
    const platform = await world.platform();
    const [long, short] = [
      await givenImport(platform, renderCsv(rows(250))),
      await givenImport(platform, renderCsv([personRow(900)])),
    ];
    let ticks = 0;
    const work = await workIn(platform, { clock: { now: () => world.clock.now() + 3_000 * ticks++ } });
    const effect = await handler.many?.(work, [buildJob(long), buildJob(short)]);
    assert.ok(effect);
    const part = await fetchImport(platform, long);
    assert.equal(part.status, 'PROCESSING');
    assert.ok(part.progress.processed > 0 && part.progress.processed < 250, JSON.stringify(part));
    assert.equal(part.completedAt, undefined);
    assert.equal((await fetchImport(platform, short)).status, 'PENDING');
    await world.database.query(
      sql`delete from jobs where platform_id = ${platform.id} and kind = ${IMPORT_JOB}`,
    );
    await (await platform.work()).write(effect);
    const queue = await world.database.query<{ payload: { id: string } }>(sql`
      select payload from jobs where platform_id = ${platform.id} and kind = ${IMPORT_JOB} order by due_at, id`);
    assert.deepEqual(
      queue.map(({ payload }) => `Job:${payload.id}`),
      [short, long],
    );
    await world.app.worker.settle(platform.id);
    assert.equal((await fetchImport(platform, long)).status, 'COMPLETED');
    assert.equal((await fetchImport(platform, short)).status, 'COMPLETED');
    assert.deepEqual(await references(platform), [...expected(250), 'person-900'].sort());
  });

  it('customers.md §2.5.28a: only invalid rows end an import early; rows that were imported before do not', async () => {
    const platform = await world.platform();
    const junk = { emptyRowsMax: 10, invalidRowsMax: 200 };
    const picky = importJobs(POLICY, junk)[IMPORT_JOB] as CallHandler;
    const run = async (jobId: string) => {
      const effect = await picky.call(await platform.work(), buildJob(jobId));
      await (await platform.work()).write(effect as Effect);
      return fetchImport(platform, jobId);
    };
    const bad = await run(
      await givenImport(platform, renderCsv(rows(250).map((row) => ({ ...row, umaAddress: '$' })))),
    );
    assert.deepEqual(bad.progress, { total: 250, processed: 200, successful: 0, failed: 200 });
    assert.deepEqual(bad.errors?.[0], {
      correlationId: 'row_0',
      code: 'invalid_csv_format',
      message: 'None of the first 200 rows is valid: the rest were not read.',
      details: { reason: 'no_valid_rows', limit: 200 },
    });
    assert.equal(bad.status, 'FAILED');
    const late = rows(250).map((row, i) => (i > 0 ? { ...row, umaAddress: '$' } : row));
    assert.equal((await run(await givenImport(platform, renderCsv(late)))).progress.processed, 250);
    const first = await run(await givenImport(platform, renderCsv(rows(250))));
    assert.deepEqual([first.status, first.progress.successful], ['COMPLETED', 249]);
    const again = await run(await givenImport(platform, renderCsv(rows(250))));
    assert.deepEqual(
      [again.status, again.progress.processed],
      ['FAILED', 250],
      'taken names do not count as junk',
    );
  });

  it('customers.md §2.5.28a: while a file is read, other work runs after every few thousand rows', async () => {
    const content = `${renderCsv([personRow(1)])}${'x\n'.repeat(100_000)}`;
    let turns = 0;
    let isDone = false;
    const others = (async () => {
      while (!isDone) {
        await letOthersRun();
        turns++;
      }
    })();
    const limits = { rowsMax: 1_000_000, emptyRowsMax: 10 };
    const survey = await surveyFile(Readable.from([Buffer.from(content)], { objectMode: false }), limits);
    isDone = true;
    await others;
    assert.equal(survey.rows, 100_001);
    assert.ok(turns >= 40, `${turns} turns`);
  });

  it('customers.md §2.5.31: if a worker outlives its lease, the worker that took the import over ends it', async () => {
    const platform = await world.platform();
    const jobId = await givenImport(platform, renderCsv(rows(130)));
    const [late, next] = [await gatedRunner(platform, 2), await gatedRunner(platform, 1)];
    const first = late.runner.step(platform.id);
    await late.reached;
    world.clock.advance(61_000);
    const second = next.runner.step(platform.id);
    await next.reached;
    // The late worker moves the position while the other imports, and can no longer reschedule its job.
    late.open();
    await first;
    next.open();
    await second;
    world.clock.advance(10_000);
    await world.app.worker.settle(platform.id);
    const job = await fetchImport(platform, jobId);
    assert.equal(job.status, 'COMPLETED', JSON.stringify(job));
    assert.deepEqual(await references(platform), expected(130));
    assert.equal(await countEnds(platform), 1);
  });

  it('customers.md §2.5.30: two imports of the same rows at once, in opposite order, create each customer once', async () => {
    const platform = await world.platform();
    const both = [
      await givenImport(platform, renderCsv(rows(120))),
      await givenImport(platform, renderCsv(rows(120).reverse())),
    ];
    const work = await platform.work();
    await Promise.all(both.map(async (jobId) => work.write(await handler.call(work, buildJob(jobId)))));
    await world.app.worker.settle(platform.id);
    const ended = await Promise.all(both.map((jobId) => fetchImport(platform, jobId)));
    assert.deepEqual(await references(platform), expected(120));
    for (const { progress, errors = [] } of ended) {
      assert.equal(progress.processed, 120);
      assert.ok(errors.every(({ code }) => code === 'CONFLICT' || code === 'UMA_ADDRESS_EXISTS'));
    }
    assert.equal(
      ended.reduce((sum, { progress }) => sum + progress.successful, 0),
      120,
    );
    assert.equal(await countEnds(platform), 2);
  });

  it('customers.md §2.5.30: a name that is taken while its batch runs fails only its own row', async () => {
    const platform = await world.platform();
    const jobId = await givenImport(platform, renderCsv(rows(30)));
    const id = newUuid();
    await world.app.runtime.personKeys.ensure(platform.id, [id]);
    const held = await holdReference(world.databaseUrl, platform.id, {
      ...{ id, reference: 'person-17' },
      vault: world.app.runtime.vault,
    });
    const settled = world.app.worker.settle(platform.id);
    await untilBlocked(world.databaseUrl);
    await held.end('commit');
    await settled;
    const job = await fetchImport(platform, jobId);
    assert.deepEqual(job.progress, { total: 30, processed: 30, successful: 29, failed: 1 });
    assert.deepEqual(
      job.errors.map(({ correlationId, code }) => [correlationId, code]),
      [['person-17', 'CONFLICT']],
    );
    assert.deepEqual(
      await references(platform),
      expected(30).filter((name) => name !== 'person-17'),
    );
  });

  it('unavailable storage is retried; a file that stays unreadable ends the import', async () => {
    const platform = await world.platform();
    const jobId = await givenImport(platform, renderCsv(rows(3)));
    const { runtime } = await platform.work();
    const away = async () => Promise.reject(new Error('the storage is away'));
    const work = await workIn(platform, {
      ports: (environment) => {
        const ports = runtime.ports(environment);
        return { ...ports, storage: { ...ports.storage, read: away } };
      },
    });
    await assert.rejects(async () => handler.call(work, buildJob(jobId)), /the storage is away/);
    assert.equal((await fetchImport(platform, jobId)).status, 'PROCESSING');
    await work.write(await handler.call(work, buildJob(jobId, 10)));
    const job = await fetchImport(platform, jobId);
    assert.equal(job.status, 'FAILED');
    assert.equal(job.errors[0].code, 'INTERNAL_ERROR');
    assert.equal(await countEnds(platform), 1);
  });

  it('one import that fails does not stop another', async () => {
    const platform = await world.platform();
    const [bad, good] = [
      await givenImport(platform, renderCsv(rows(3))),
      await givenImport(platform, renderCsv([personRow(8)])),
    ];
    const [content] = await world.database.query<{ content_id: string }>(sql`
      select content_id from customer_imports where platform_id = ${platform.id} and id = ${parseId('Job', bad)}`);
    await world.app.runtime.ports('SANDBOX').storage.remove(content?.content_id ?? '');
    await world.app.worker.settle(platform.id);
    assert.equal((await fetchImport(platform, good)).status, 'COMPLETED');
    assert.equal((await fetchImport(platform, bad)).status, 'PROCESSING');
  });
});
