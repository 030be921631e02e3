import type { Logger } from 'pino';

export interface OutageLog {
  /** Records that a connection to the database was lost. */
  lost(error: Error): void;
  /** Records that a call failed because the database cannot be used. */
  failed(error: Error): void;
  /** Stops logging: connections lost from now on are closed on purpose. */
  end(): void;
}

const INTERVAL_MS = 1_000;

/**
 * Logs an outage of a database: this line when it begins and then at most once a second, with the number of calls that
 * failed since. During an outage every caller fails for the same reason, so a line for each would flood the log.
 */
export function createOutageLog(log: Pick<Logger, 'warn'>, line: string): OutageLog {
  let connections = 0;
  let calls = 0;
  let reason = '';
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const tell = (): void => {
    timer = undefined;
    if (connections + calls === 0) return;
    log.warn({ lostConnections: connections, failedCalls: calls, reason }, line);
    connections = 0;
    calls = 0;
    timer = setTimeout(tell, INTERVAL_MS).unref();
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
