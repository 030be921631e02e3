/** What tells the process to end. */
export interface StopSignals {
  /** The first one, with the exit code and what to say of it. */
  readonly received: Promise<Stop>;
  /** The same, for what can be broken off. */
  readonly signal: AbortSignal;
  /** What to do when a second signal demands to end at once. */
  onHaste(step: () => void): void;
  forget(): void;
}

interface Stop {
  readonly code: number;
  readonly line: string;
}

/** Terminals and npm may each pass on one Ctrl-C: what follows that quickly is the same signal. */
const ECHO_MS = 1_000;

export function stopSignals(): StopSignals {
  const { promise, resolve } = Promise.withResolvers<Stop>();
  const aborting = new AbortController();
  const inHaste: (() => void)[] = [];
  let firstAt: number | undefined;
  const receive = (signal: NodeJS.Signals): void => {
    firstAt ??= performance.now();
    resolve({ code: 0, line: `${signal}: finishing what is under way …` });
    aborting.abort();
    if (performance.now() - firstAt < ECHO_MS) return;
    try {
      for (const step of inHaste) step();
    } finally {
      process.exit(1);
    }
  };
  const names: NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];
  for (const name of names) process.on(name, receive);
  return {
    received: promise,
    signal: aborting.signal,
    onHaste: (step) => void inHaste.push(step),
    forget: () => names.forEach((name) => void process.off(name, receive)),
  };
}
