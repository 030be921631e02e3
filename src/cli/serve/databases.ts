import type { Config } from '#app/config.ts';
import type { Output } from '#app/log.ts';
import { personKeysCluster } from '#cli/reach-person-keys.ts';
import { waitAtMost } from '#cli/serve/wait-at-most.ts';
import type { StopSignals } from '#cli/stop-signals.ts';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import {
  type EmbeddedDatabase,
  EmbeddedError,
  type StartOptions,
  startEmbedded,
} from '#foundation/database/embedded/embedded.ts';
import { createOutageLog } from '#foundation/database/outage-log.ts';

/** Why the service shuts down. */
export interface Shutdown {
  readonly code: number;
  readonly line: string;
  readonly cause?: unknown;
}

interface Reached {
  readonly url: string;
  readonly personKeysUrl: string;
  /** The end of an embedded database, which ends the service. */
  readonly exits: readonly Promise<Shutdown>[];
}

/** Returns the operator's own databases or, if none are set, starts the two embedded ones. */
export async function reachDatabases(
  { databaseUrl, personKeysUrl, dataDir }: Config,
  {
    closing,
    signals,
    report,
  }: { closing: AsyncDisposableStack; signals: StopSignals; report: Output['report'] },
): Promise<Reached> {
  if (databaseUrl !== undefined && personKeysUrl !== undefined) {
    return { url: databaseUrl, personKeysUrl, exits: [] };
  }
  const exits: Promise<Shutdown>[] = [];
  const begin = async (options: Pick<StartOptions, 'dataDir' | 'settings'>): Promise<string> => {
    const embedded = await startEmbedded({ ...options, report, signal: signals.signal });
    closing.defer(() => embedded.stop());
    signals.onSecondSignal(() => process.kill(embedded.pid, 'SIGQUIT'));
    exits.push(databaseExit(embedded, options.dataDir));
    return embedded.url;
  };
  const url = await begin({ dataDir });
  return { url, personKeysUrl: await begin(personKeysCluster(dataDir)), exits };
}

/**
 * Without its database the service can do nothing. It exits so that its supervisor restarts it: a normal start is
 * the recovery path that is exercised every day, and nothing is restarted behind the pool's back.
 */
async function databaseExit(embedded: EmbeddedDatabase, dataDir: string): Promise<Shutdown> {
  await embedded.exited;
  const line = `The database stopped unexpectedly; see ${dataDir}/postgres/server.log. Start again: it recovers by itself.`;
  return { code: 1, line, cause: new EmbeddedError('PostgreSQL ended unexpectedly') };
}

const CLOSE_MS = 5_000;

export function connectTo(
  url: string,
  { databaseConnections: connectionsMax }: Config,
  closing: AsyncDisposableStack,
  log: Output['log'],
): Database {
  const database = openDatabase({
    url,
    connectionsMax,
    ...logOutages(closing, log, 'the database cannot be used'),
  });
  closing.defer(() => waitAtMost(CLOSE_MS, database.close()));
  return database;
}

/** Logs outages of one database; each database has a log of its own. */
export function logOutages(
  closing: AsyncDisposableStack,
  log: Output['log'],
  line: string,
): { onError(error: Error): void; onUnavailable(error: Error): void } {
  const outages = createOutageLog(log, line);
  closing.defer(async () => outages.end());
  return {
    onError(error) {
      // Connections that are lost during the shutdown are no outage.
      if (!closing.disposed) outages.lost(error);
    },
    onUnavailable: (error) => outages.failed(error),
  };
}
