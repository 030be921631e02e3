import type { Logger } from 'pino';

export interface Outages {
  /** A connection to the database was lost. */
  lost(error: Error): void;
  /** A call failed because the database is away. */
  failed(error: Error): void;
  /** From now on nothing is told: what is lost is given up on purpose. */
  end(): void;
}

const LINE_MS = 1_000;

/**
 * What the log hears of a database that is away: one line when it begins and then one a second, with how much failed
 * since the one before. Everybody who needs the database fails while it is away, and for the same reason.
 */
export function createOutages(log: Pick<Logger, 'warn'>): Outages {
  let connections = 0;
  let calls = 0;
  let reason = '';
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const tell = (): void => {
    timer = undefined;
    if (connections + calls === 0) return;
    log.warn({ lostConnections: connections, failedCalls: calls, reason }, 'the database cannot be used');
    connections = 0;
    calls = 0;
    timer = setTimeout(tell, LINE_MS).unref();
  };
  const note = (error: Error): void => {
    reason = 'code' in error && error.code !== undefined ? String(error.code) : error.message;
    if (!timer && !hasEnded) tell();
  };
  return {
    lost(error) {
      connections++;
      note(error);
    },
    failed(error) {
      calls++;
      note(error);
    },
    end() {
      clearTimeout(timer);
      tell();
      clearTimeout(timer);
      hasEnded = true;
    },
  };
}
