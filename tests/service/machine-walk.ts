import assert from 'node:assert/strict';
import fc from 'fast-check';
import { assertPostable, type Entry } from '#foundation/ledger/entries.ts';
import type { Draft, MachineRow, Transition } from '#foundation/machine/draft.ts';
import { type Machine, type Moves, type Notice, NoticeRefused } from '#foundation/machine/machine.ts';

/** How a machine is walked: from any of its rows, by any of its notices, with any facts. */
export interface WalkedMachine<Row extends MachineRow, D extends Draft<Row>, N extends Notice, Facts> {
  readonly name: string;
  /** The number of walks: enough to see every rule, with every move that it declares. */
  readonly walks: number;
  readonly machine: Machine<Row, D, N, Facts>;
  /** The row at the beginning of a walk; its version is 0 if a rule creates it. */
  readonly rows: fc.Arbitrary<Row>;
  readonly notices: fc.Arbitrary<N>;
  readonly facts: fc.Arbitrary<Facts>;
  /** The time that can pass before a step. */
  readonly passesMs: readonly number[];
  /** Facts that follow from the steps so far. */
  adaptFacts?(facts: Facts, past: Past<Row>, row: Row): Facts;
  /** Whether no notice can change the row any more. */
  isOver?(row: Row): boolean;
  /** What else holds after a transition. */
  check?(transition: ReturnType<D['transition']>, past: Past<Row>): void;
}

/** What a walk has done so far. */
export interface Past<Row> {
  /** The posted steps: `<transaction> <kind> <ordinal>`. */
  readonly posted: ReadonlySet<string>;
  /** The rows that it has made or changed, by id. */
  readonly rows: ReadonlyMap<string, Row>;
  /** The sum of what it has posted to each ledger account: credits less debits. */
  readonly balances: ReadonlyMap<string, bigint>;
}

/** Each walk has up to this many steps. */
const STEPS_MAX = 12;

/** Each step has up to this many notices; the first one that applies is taken, or else the first one. */
const CHOICES = 8;

/** A walk of a machine whose types the caller need not know. */
export interface Walk {
  readonly name: string;
  /** Walks. Throws with the walk that found a fault, shrunk. */
  run(seed: number): void;
}

export function walkOf<Row extends MachineRow, D extends Draft<Row>, N extends Notice, Facts>(
  walked: WalkedMachine<Row, D, N, Facts>,
): Walk {
  const { name, walks, machine, rows, notices, facts, passesMs } = walked;
  const step = fc.record({
    notices: fc.array(notices, { minLength: 1, maxLength: CHOICES, size: 'max' }),
    facts,
    passesMs: fc.constantFrom(...passesMs),
    followsOther: fc.boolean(),
  });
  const steps = fc.array(step, { maxLength: STEPS_MAX, size: 'max' });
  return {
    name,
    run(seed) {
      const seen = new Seen();
      fc.assert(
        fc.property(rows, steps, (row, taken) => new Walker(walked, row, seen).walk(taken)),
        { seed, numRuns: walks },
      );
      seen.assertComplete(machine.description);
    },
  };
}

interface Step<N, Facts> {
  readonly notices: readonly N[];
  readonly facts: Facts;
  readonly passesMs: number;
  /** Goes on with another row that the notice has made or changed, if there is one. */
  readonly followsOther: boolean;
}

type Rules = readonly { readonly notice: string; readonly label: string; readonly moves: Moves }[];

/** What all walks of a machine have seen. */
class Seen {
  readonly applied = new Set<string>();
  readonly moves = new Set<string>();
  /** Notices that no rule applied to. */
  readonly unfit = new Set<string>();

  /** Every rule was applied, every declared move was made, and every notice was also out of place. */
  assertComplete({ rules }: { readonly rules: Rules }): void {
    const moves = rules.flatMap((rule) => movesOf(rule).map((move) => `${nameOf(rule)}: ${move}`));
    const missing = (declared: readonly string[], seen: ReadonlySet<string>) =>
      [...new Set(declared)].filter((name) => !seen.has(name));
    assert.deepEqual(missing(rules.map(nameOf), this.applied), [], 'rules that were never applied');
    assert.deepEqual(missing(moves, this.moves), [], 'declared moves that were never made');
    const notices = rules.map(({ notice }) => notice);
    assert.deepEqual(missing(notices, this.unfit), [], 'notices that were never out of place');
  }
}

function nameOf({ notice, label }: Rules[number]): string {
  return `${notice} (${label})`;
}

function movesOf({ moves }: Rules[number]): string[] {
  return Object.entries(moves).flatMap(([part, list]) => list.map((move) => `${part} ${move}`));
}

/** Walks one row, and checks every step. */
class Walker<Row extends MachineRow, D extends Draft<Row>, N extends Notice, Facts> {
  readonly #walked: WalkedMachine<Row, D, N, Facts>;
  readonly #seen: Seen;
  readonly #posted = new Set<string>();
  readonly #rows = new Map<string, Row>();
  readonly #balances = new Map<string, bigint>();
  #row: Row;
  #now: Date;

  constructor(walked: WalkedMachine<Row, D, N, Facts>, row: Row, seen: Seen) {
    this.#walked = walked;
    this.#row = row;
    this.#now = row.updated_at;
    this.#seen = seen;
  }

  walk(steps: readonly Step<N, Facts>[]): void {
    const course: string[] = [];
    for (const { notices, facts, passesMs, followsOther } of steps) {
      this.#now = new Date(this.#now.getTime() + passesMs);
      const notice = notices.find((one) => this.#ruleFor(one)) ?? (notices[0] as N);
      const { adaptFacts = (given: Facts) => given } = this.#walked;
      course.push(`${JSON.stringify(this.#statuses(this.#row))} --${notice.kind}-->`);
      try {
        const transition = this.#take(notice, adaptFacts(facts, this.#past, this.#row));
        const [other] = followsOther ? (transition?.others ?? []) : [];
        this.#row = (other ?? transition)?.row ?? this.#row;
      } catch (error) {
        throw new Error(`${this.#walked.name}: ${course.join('\n  ')}`, { cause: error });
      }
    }
  }

  get #past(): Past<Row> {
    return { posted: this.#posted, rows: this.#rows, balances: this.#balances };
  }

  #statuses(row: Row): Readonly<Record<string, string>> {
    return this.#walked.machine.description.statuses(row);
  }

  #ruleFor(notice: N) {
    return this.#walked.machine.description.rules.find(
      (rule) => rule.notice === notice.kind && rule.when(this.#row, notice as never, this.#now),
    );
  }

  /** A notice is applied by the first rule that fits, or else refused (a command) or ignored. */
  #take(notice: N, facts: Facts): Transition<Row> | undefined {
    const { machine, isOver } = this.#walked;
    const { commands = [] } = machine.description;
    const row = this.#row;
    const rule = this.#ruleFor(notice);
    if (!rule) {
      this.#seen.unfit.add(notice.kind);
      const advance = () => machine.advance(row, notice, this.#now, facts);
      if (commands.includes(notice.kind)) assert.throws(advance, NoticeRefused);
      else assert.equal(advance(), undefined, 'a notice that no rule fits changed something');
      return undefined;
    }
    assert.ok(!isOver?.(row), `"${rule.label}" applies to a row that is over`);
    this.#seen.applied.add(nameOf(rule));
    const transition = machine.advance(row, notice, this.#now, facts);
    if (!transition) {
      assert.deepEqual(rule.moves, {}, `"${rule.label}" changed nothing`);
      return undefined;
    }
    assert.equal(transition.from, row.version === 0n ? undefined : row.version);
    this.#checkMoves(rule, row, transition.row);
    for (const { from, row: other } of transition.others) {
      const before = from === undefined ? { ...other, version: 0n } : this.#rows.get(other.id);
      if (before) this.#checkMoves(rule, before, other);
    }
    this.#checkParts(transition);
    this.#walked.check?.(transition, this.#past);
    return transition;
  }

  /** Only declared moves happen, so a status that no rule leaves is an end. */
  #checkMoves(rule: Rules[number], from: Row, row: Row): void {
    const before = this.#statuses(from);
    const declared = movesOf(rule);
    for (const [part, status] of Object.entries(this.#statuses(row))) {
      if (before[part] === status) continue;
      const move = `${part} ${before[part]} → ${status}`;
      assert.ok(declared.includes(move), `"${rule.label}" does not declare ${move}`);
      this.#seen.moves.add(`${nameOf(rule)}: ${move}`);
    }
  }

  #checkParts({ from, row, entries, others }: Transition<Row>): void {
    assert.equal(row.version, (from ?? 0n) + 1n, 'a version that does not rise by one');
    this.#rows.set(row.id, row);
    for (const entry of entries) {
      assertPostable(entry);
      const step = stepOf(entry);
      assert.ok(!this.#posted.has(step), `${step} is posted twice`);
      this.#posted.add(step);
      for (const { account, side, amount } of entry.lines) {
        const before = this.#balances.get(account) ?? 0n;
        this.#balances.set(account, before + (side === 'CREDIT' ? amount : -amount));
      }
    }
    for (const other of others) this.#checkParts(other);
  }
}

/** A step of a transaction is posted once (src/foundation/ledger/entries.ts). */
function stepOf({ transactionId, kind, ordinal = 0 }: Entry): string {
  return `${transactionId} ${kind} ${ordinal}`;
}
