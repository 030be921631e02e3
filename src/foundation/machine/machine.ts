import type { Draft, MachineRow } from '#foundation/machine/draft.ts';

/** A report about a row by an outside party, a caller or a timer. */
export interface Notice {
  readonly kind: string;
}

type AnyDraft = { readonly row: unknown };

export type NoticeOf<N extends Notice, Kind extends N['kind']> = Extract<N, { kind: Kind }>;

/** When a notice applies to a row, and how it changes it. */
interface RuleFor<D extends AnyDraft, N extends Notice, Facts, Kind extends N['kind']> {
  readonly notice: Kind;
  /** The change in words, for docs/state-machines.md. */
  readonly label: string;
  /**
   * Every change of status that `does` may make, by the part of the row that has a status: `PENDING → FAILED`. The
   * status of a row that is not stored yet is `new`.
   */
  readonly moves: Moves;
  when(row: D['row'], notice: NoticeOf<N, Kind>, now: Date): boolean;
  does(draft: D, notice: NoticeOf<N, Kind>, facts: Facts): void;
}

export type Moves = Readonly<Record<string, readonly `${string} → ${string}`[]>>;

/** A rule for one of the notices; the field `notice` says which, so that `when` and `does` know its type. */
export type Rule<D extends AnyDraft, N extends Notice, Facts> = {
  [Kind in N['kind']]: RuleFor<D, N, Facts, Kind>;
}[N['kind']];

interface Description<Row extends MachineRow, D extends Draft<Row>, N extends Notice, Facts> {
  /** In the order in which they are tried: special cases come first. */
  readonly rules: readonly Rule<D, N, Facts>[];
  newDraft(row: Row, now: Date): D;
  /** The statuses of a row, by the parts that `moves` names. */
  statuses(row: Row): Readonly<Record<string, string>>;
  /** A caller's notices, which are refused if no rule applies. Notices of an outside party are then ignored. */
  readonly commands?: readonly N['kind'][];
  /** Changes the draft before the rule does. */
  prepare?(draft: D): void;
}

/**
 * Changes rows by a table of rules. It is pure: the caller looks up the facts that a rule depends on, and applies the
 * draft. The first rule that applies is used. If none does, the notice is late, repeated or misdirected, and nothing
 * changes.
 */
export class Machine<Row extends MachineRow, D extends Draft<Row>, N extends Notice, Facts> {
  readonly description: Description<Row, D, N, Facts>;
  readonly #byNotice: ReadonlyMap<string, readonly RuleFor<D, N, Facts, N['kind']>[]>;

  constructor(description: Description<Row, D, N, Facts>) {
    this.description = description;
    const rules = description.rules as readonly RuleFor<D, N, Facts, N['kind']>[];
    this.#byNotice = Map.groupBy(rules, ({ notice }) => notice);
  }

  /**
   * The change that a notice causes; undefined if an outside party's notice does not apply. A caller's notice that does
   * not apply is refused.
   */
  advance(row: Row, notice: N, now: Date, facts: Facts): ReturnType<D['transition']> | undefined {
    const draft = this.description.newDraft(row, now);
    if (!this.apply(draft, notice, facts)) {
      return this.description.commands?.includes(notice.kind) ? this.#refuse(row, notice) : undefined;
    }
    return draft.hasChanged ? (draft.transition() as ReturnType<D['transition']>) : undefined;
  }

  /** The same for a notice that must apply, because the caller has checked the row before. */
  require(row: Row, notice: N, now: Date, facts: Facts): ReturnType<D['transition']> {
    return this.advance(row, notice, now, facts) ?? this.#refuse(row, notice);
  }

  #refuse(row: Row, notice: N): never {
    throw new NoticeRefused(notice, this.description.statuses(row));
  }

  /** Applies a notice to a draft in the making. Returns false, and leaves the draft unchanged, if it does not apply. */
  apply(draft: D, notice: N, facts: Facts): boolean {
    const rule = this.#findRule(draft.row, notice, draft.now);
    if (!rule) return false;
    this.description.prepare?.(draft);
    rule.does(draft, notice as NoticeOf<N, N['kind']>, facts);
    return true;
  }

  #findRule(row: Row, notice: N, now: Date): RuleFor<D, N, Facts, N['kind']> | undefined {
    const named = notice as NoticeOf<N, N['kind']>;
    return this.#byNotice.get(notice.kind)?.find(({ when }) => when(row, named, now));
  }
}

/** The caller of a command has already checked that it applies, so this is a bug. */
export class NoticeRefused extends Error {
  constructor({ kind }: Notice, statuses: Readonly<Record<string, string>>) {
    super(`the notice "${kind}" does not apply to a row that is ${Object.values(statuses).join(', ')}`);
  }
}
