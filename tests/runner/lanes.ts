import { readFile } from 'node:fs/promises';

/**
 * The first line of a test file names its lane and the reason: `// lane: browser — drives a real browser`. A file
 * without such a line is short, and runs in the `fast` lane, the only one of `npm run test:fast`.
 */
const LANES = {
  /** Nothing runs beside it: it runs after all others. */
  alone: { filesMax: 1 },
  /** It mostly waits: it runs from the beginning, in addition to the usual number of processes. */
  waits: { filesMax: 1 },
  /** It is long: it starts early, in a process of its own, so that short files fill the gaps at the end. */
  first: { filesMax: 1 },
  /** All files that drive a browser share one process, and one browser in it. */
  browser: { filesMax: Number.POSITIVE_INFINITY, filesMin: Number.POSITIVE_INFINITY },
  /** It is too long for the fast lane. */
  whole: { filesMax: 64, filesMin: 24 },
  fast: { filesMax: 60, filesMin: 16 },
} as const satisfies Record<string, { filesMax: number; filesMin?: number }>;

export type Lane = keyof typeof LANES;

/** In the order in which their core-seconds are printed. */
export const LANE_NAMES = Object.keys(LANES) as Lane[];

const LINE = /^\/\/ lane:.*$/gm;
const FIRST_LINE = /^\/\/ lane: (\w+) — (\S.*)\n/;

export type Lanes = Readonly<Record<Lane, readonly string[]>>;

export async function assignLanes(files: readonly string[]): Promise<Lanes> {
  const lanes = await Promise.all(files.map(async (file) => readLane(file, await readFile(file, 'utf8'))));
  const inLane = (lane: Lane) => [lane, files.filter((_, i) => lanes[i] === lane)];
  return Object.fromEntries(LANE_NAMES.map(inLane)) as unknown as Lanes;
}

export function readLane(file: string, text: string): Lane {
  const lines = text.match(LINE) ?? [];
  if (lines.length === 0) return 'fast';
  const [, word = '', because] = FIRST_LINE.exec(text) ?? [];
  const isKnown = word !== 'fast' && Object.hasOwn(LANES, word);
  if (lines.length > 1 || !isKnown || because === undefined) {
    const known = LANE_NAMES.filter((lane) => lane !== 'fast').join(', ');
    throw new Error(
      `${file}: only its first line may say "// lane: <word> — <reason>", with one of ${known}`,
    );
  }
  return word as Lane;
}

export interface Batch {
  readonly lane: Lane;
  readonly files: readonly string[];
}

/**
 * Groups the files of a lane by process: many share one, because a new process takes seconds to load the service, to compile
 * its schemas and to become as fast as it gets. The last groups are the smallest, so that all workers end at about the same
 * time; the files of the last lane, which are short, fill the gaps.
 */
export function inBatches(lane: Lane, files: readonly string[], workers: number): Batch[] {
  const { filesMax, filesMin = 1 }: { filesMax: number; filesMin?: number } = LANES[lane];
  // A few files are spread over all workers, except those that have to share a process.
  const fewest = filesMin < filesMax ? Math.min(filesMin, Math.ceil(files.length / workers)) : filesMin;
  const batches: Batch[] = [];
  for (let at = 0; at < files.length; at += batches.at(-1)?.files.length ?? 0) {
    const share = Math.ceil((files.length - at) / workers);
    const size = Math.min(filesMax, Math.max(fewest, share));
    batches.push({ lane, files: files.slice(at, at + size) });
  }
  return batches;
}
