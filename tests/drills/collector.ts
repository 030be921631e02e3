import type { Environment, Server } from '#tests/harness/corridor-process.ts';

/** At this signal a process collects its garbage and prints what is left. */
const COLLECT = 'SIGUSR2';
const PROGRAM = `let collection = 0;
process.on('${COLLECT}', () => {
  gc();
  gc();
  const handles = process.getActiveResourcesInfo().length;
  console.log(JSON.stringify({ collection: ++collection, handles, ...process.memoryUsage() }));
});`;

/** The setting of a process whose memory is measured. */
export const COLLECTED: Environment = {
  NODE_OPTIONS: `--expose-gc --import=data:text/javascript,${encodeURIComponent(PROGRAM)}`,
};

/** The memory and handles that a process keeps after a full collection. */
export interface Held {
  readonly rss: number;
  readonly heapUsed: number;
  readonly handles: number;
}

/** Collects the garbage of a process for the nth time, counted from 1. */
export async function collect(server: Server, nth: number): Promise<Held> {
  const printed = new RegExp(`\\{"collection":${nth},[^}]*\\}`);
  server.kill(COLLECT);
  await server.prints(printed);
  return JSON.parse(printed.exec(server.output())?.[0] ?? '{}') as Held;
}
