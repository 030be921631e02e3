export interface StopSignals {
  /** Resolves at the first signal, with the exit code and a line to print. */
  readonly received: Promise<StopRequest>;
  /** The same, for steps that can be aborted. */
  readonly signal: AbortSignal;
  /** Registers what to do before the immediate exit that a second signal causes. */
  onSecondSignal(step: () => void): void;
  dispose(): void;
}

interface StopRequest {
  readonly code: number;
  readonly line: string;
}

/** Both the terminal and npm may forward one Ctrl-C: a signal that follows this quickly is the same one. */
const DUPLICATE_MS = 1_000;

export function stopSignals(): StopSignals {
  const { promise, resolve } = Promise.withResolvers<StopRequest>();
  const aborting = new AbortController();
  const lastSteps: (() => void)[] = [];
  let firstAt: number | undefined;
  const receive = (signal: NodeJS.Signals): void => {
    firstAt ??= performance.now();
    resolve({ code: 0, line: `${signal}: finishing work in progress …` });
    aborting.abort();
    if (performance.now() - firstAt < DUPLICATE_MS) return;
    try {
      for (const step of lastSteps) step();
    } finally {
      process.exit(1);
    }
  };
  const names: NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];
  for (const name of names) process.on(name, receive);
  return {
    received: promise,
    signal: aborting.signal,
    onSecondSignal: (step) => void lastSteps.push(step),
    dispose: () => names.forEach((name) => void process.off(name, receive)),
  };
}
