import { readdir, readFile } from 'node:fs/promises';
import type { Database } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import { databaseOf } from './databases.ts';

/** Processor time that a process, and the backends of its database, have used since they began. */
export interface CpuReading {
  readonly processUs: number;
  /** By the backend's process id: connections come and go. */
  readonly backendsUs: ReadonlyMap<number, number>;
}

export interface CpuUse {
  readonly processUs: number;
  readonly postgresUs: number;
}

export type CpuMeter = () => Promise<CpuReading | undefined>;

/**
 * Returns nothing if there is no /proc. PostgreSQL's background work (checkpoints, vacuum) would count for the contestant
 * that happens to run, so it is excluded.
 */
export function cpuMeter(server: Database, pid: number, databaseUrl: string): CpuMeter {
  const name = databaseOf(databaseUrl);
  return async () => {
    if (process.platform !== 'linux') return undefined;
    const backends = await server.query<{ pid: number }>(sql`
      select pid from pg_stat_activity
       where datname = ${name} and backend_type = 'client backend' and pid <> pg_backend_pid()`);
    const used = backends.map(async (backend) => [backend.pid, await usedUs(backend.pid)] as const);
    return { processUs: await usedUs(pid), backendsUs: new Map(await Promise.all(used)) };
  };
}

export function cpuBetween(before: CpuReading, after: CpuReading): CpuUse {
  let postgresUs = 0;
  for (const [pid, usUntilNow] of after.backendsUs)
    postgresUs += usUntilNow - (before.backendsUs.get(pid) ?? 0);
  return { processUs: after.processUs - before.processUs, postgresUs };
}

/** Of all its threads, in the scheduler's own nanoseconds: /proc/<pid>/stat counts in steps of ten milliseconds. */
async function usedUs(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const stats = threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/schedstat`, 'latin1'));
  const used = (await Promise.all(stats)).map((stat) => Number(stat.split(' ')[0]) / 1000);
  return used.reduce((sum, us) => sum + us, 0);
}
