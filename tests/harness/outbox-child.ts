import { Deliverer } from '#edge/webhooks/deliverer.ts';
import { openVault } from '#foundation/crypto/vault.ts';
import { openDatabase } from '#foundation/database/database.ts';
import { emit } from '#foundation/events/emit.ts';
import { JobRunner } from '#foundation/jobs/job-runner.ts';
import { createWorker } from '#foundation/jobs/worker.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { PATIENCE } from '#tests/harness/databases.ts';
import { outboxRuntime } from '#tests/harness/outbox-world.ts';
import { givenPersonKeys } from '#tests/harness/person-keys.ts';

/**
 * A worker in a separate process, for tests that kill it. Its job `mark` adds a mark to the platform's name and then,
 * before the commit, reports that and waits forever. Its job `notify` emits an event with the job's payload.
 */
export interface ChildSettings {
  readonly databaseUrl: string;
  readonly now: number;
  /** Key id and key, in hex. */
  readonly dataKeys: [number, string][];
  readonly fingerprintKey: string;
}

const settings = JSON.parse(process.env.OUTBOX_CHILD ?? '') as ChildSettings;
const clock = { now: () => settings.now };
const vault = openVault({
  data: new Map(settings.dataKeys.map(([id, hex]) => [id, Buffer.from(hex, 'hex')])),
  fingerprint: Buffer.from(settings.fingerprintKey, 'hex'),
});
const database = openDatabase({ url: settings.databaseUrl, connectionsMax: 5, ...PATIENCE });
const runtime = outboxRuntime(database, clock, await givenPersonKeys(database, vault, clock));
const jobs = new JobRunner(runtime, {
  mark: {
    async run(tx) {
      await tx.sql`update platforms set name = name || '!' where id = ${tx.platformId}`;
      process.stdout.write('marked\n');
      await new Promise(() => undefined);
    },
  },
  notify: {
    async run(tx, { payload }) {
      emit(tx, { type: 'CARD.STATUS_CHANGE', resourceId: 'Card:1', data: payload });
    },
  },
});
const deliverer = new Deliverer(runtime, { names: wireNames('Svc') });
createWorker([jobs, deliverer]).start();
process.stdout.write('working\n');
