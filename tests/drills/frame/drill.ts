import { SeededRandom } from '#tests/drills/seeded-random.ts';

/** A number that an option changes: `--kills 100`. */
export interface Amount {
  readonly says: string;
  /** Used unless the option or a time is given. */
  readonly usual: number;
  /** Used by the test that runs every drill for seconds. */
  readonly brief: number;
}

/** What a drill saw, in words that a reader of its report understands. */
export type Figures = Readonly<Record<string, string | number>>;

/** A long test that stresses the real service, and ends with a verdict. */
export interface Drill {
  readonly name: string;
  /** What holds if the drill ends without an error, as one sentence. */
  readonly proves: string;
  readonly amounts: Readonly<Record<string, Amount>>;
  /** The amount that `--minutes` replaces: the drill repeats this work until the time is over. Without it, it has an end of its own. */
  readonly work?: string;
  /** Why it cannot run on this machine; undefined if it can. */
  missing?(amounts: Readonly<Record<string, number>>): Promise<string | undefined>;
  /** Throws as soon as something does not hold. */
  run(run: DrillRun): Promise<Figures>;
}

export interface DrillRunOptions {
  readonly seed: number;
  readonly minutes?: number | undefined;
  readonly amounts: Readonly<Record<string, number>>;
  say(line: string): void;
}

/** One run of a drill: its seed, its amounts and its time. */
export class DrillRun {
  readonly seed: number;
  readonly random: SeededRandom;
  readonly say: (line: string) => void;
  readonly #amounts: Readonly<Record<string, number>>;
  readonly #endsAt: number;

  constructor({ seed, minutes, amounts, say }: DrillRunOptions) {
    this.seed = seed;
    this.random = new SeededRandom(seed);
    this.say = say;
    this.#amounts = amounts;
    this.#endsAt = minutes === undefined ? Number.POSITIVE_INFINITY : performance.now() + minutes * 60_000;
  }

  amount(name: string): number {
    const value = this.#amounts[name];
    if (value === undefined) throw new Error(`the drill declares no amount ${name}`);
    return value;
  }

  /** Until the run's time is over; infinite if only an amount ends it. */
  get leftMs(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  /** Whether to continue after this much of an amount: neither it nor the time is used up. */
  continues(name: string, done: number): boolean {
    return done < this.amount(name) && this.leftMs > 0;
  }
}

/** The amounts of a run; if a time is given, the amount of work has no limit of its own. */
export function chooseAmounts(
  { amounts, work }: Pick<Drill, 'amounts' | 'work'>,
  given: Readonly<Record<string, number>>,
  minutes: number | undefined,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(amounts).map(([name, { usual }]) => {
      const byItself = minutes !== undefined && name === work ? Number.POSITIVE_INFINITY : usual;
      return [name, given[name] ?? byItself];
    }),
  );
}

/** The amounts of the short form. */
export function briefAmounts({ amounts }: Pick<Drill, 'amounts'>): Record<string, number> {
  return Object.fromEntries(Object.entries(amounts).map(([name, { brief }]) => [name, brief]));
}

/** The value below which this share of all values lies; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
