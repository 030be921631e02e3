import { recordRun } from '#foundation/audit/run-store.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { RoundSource } from '#foundation/jobs/round-source.ts';
import type { StepResult } from '#foundation/jobs/work-source.ts';
import { type LedgerCheck, type LedgerFinding, verifyWholeLedger } from '#foundation/ledger/checks.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { addFinding, finishProof, isProofDue, type Lease, leaseProof, renewLease } from './proof-store.ts';

/** How often a worker checks whether somebody asked for a verification. */
const LOOK_EVERY_MS = 1_000;
/** A process without a sign of life for this long is taken for dead. */
const LEASE_MS = 60_000;
const RENEW_EVERY_MS = 15_000;
const ATTEMPTS_MAX = 3;

/** Called with the number of the verification, if there was one. */
type OnError = (error: unknown, number: bigint | undefined) => void;

/**
 * Runs the verifications of the ledger that operators asked for (money.md §13.9). It reads one moment of the database, without
 * a limit of time, and writes down what it has found after each check, so that a page can show it.
 */
export class LedgerProver extends RoundSource {
  readonly name = 'proofs';
  readonly callsOutside = false;
  readonly #runtime: Pick<Runtime, 'database' | 'clock'>;
  readonly #checks: readonly LedgerCheck[];
  readonly #onError: OnError;

  constructor(
    runtime: Pick<Runtime, 'database' | 'clock'>,
    checks: readonly LedgerCheck[],
    onError: OnError = () => undefined,
  ) {
    super(LOOK_EVERY_MS, (error) => onError(error, undefined));
    this.#runtime = runtime;
    this.#checks = checks;
    this.#onError = onError;
  }

  protected override look(): Promise<boolean> {
    return this.#prove();
  }

  override async duePlatforms(): Promise<PlatformId[]> {
    return (await isProofDue(this.#runtime.database, this.#now())) ? [INSTALLATION.id] : [];
  }

  override async step(platformId: PlatformId): Promise<StepResult> {
    if (platformId !== INSTALLATION.id) return { done: 0, isDue: false, hadFailure: false };
    const done = (await this.#prove()) ? 1 : 0;
    return { done, isDue: done > 0, hadFailure: false };
  }

  #now(later = 0): Date {
    return new Date(this.#runtime.clock.now() + later);
  }

  /** Runs the verification that is open, if no other process does. Returns whether there was one. */
  async #prove(): Promise<boolean> {
    const { database } = this.#runtime;
    const lease = await leaseProof(database, this.#now(), this.#now(LEASE_MS));
    if (!lease) return false;
    if (lease.attempts > ATTEMPTS_MAX) {
      const trouble = `it was stopped ${ATTEMPTS_MAX} times before it was done`;
      await finishProof(database, lease, { at: this.#now(), trouble });
      return true;
    }
    const timer = setInterval(() => this.#keep(lease), RENEW_EVERY_MS);
    try {
      const found = await this.#verify(lease);
      if (found) await this.#finish(lease, found);
    } catch (error) {
      // The next process begins again when the lease has ended.
      this.#onError(error, lease.number);
    } finally {
      clearInterval(timer);
    }
    return true;
  }

  #keep(lease: Lease): void {
    this.#renew(lease).catch((error: unknown) => this.#onError(error, lease.number));
  }

  #renew(lease: Lease, place?: number): Promise<boolean> {
    const until = this.#now(LEASE_MS);
    return renewLease(this.#runtime.database, lease, place === undefined ? { until } : { until, place });
  }

  /** Undefined: the process ends, and leaves the verification to another one. */
  async #verify(lease: Lease): Promise<LedgerFinding[] | undefined> {
    const { database } = this.#runtime;
    // Findings are written in the order of the checks, without delaying them.
    let written: Promise<unknown> = Promise.resolve();
    const write = (step: () => Promise<unknown>) => {
      written = written.then(step);
      written.catch(() => undefined);
    };
    const found = await verifyWholeLedger(database, this.#checks, {
      onStart: ({ place }) => {
        if (this.isDraining) throw new Stopped();
        write(() => this.#renew(lease, place));
      },
      onFinding: (finding, check) => write(() => addFinding(database, lease, check, finding)),
    }).catch((error: unknown) => {
      if (error instanceof Stopped) return undefined;
      throw error;
    });
    await written;
    if (!found) await renewLease(database, lease, { until: this.#now() });
    return found;
  }

  async #finish(lease: Lease, found: readonly LedgerFinding[]): Promise<void> {
    const { database } = this.#runtime;
    const broken = found.filter(({ violations }) => violations.length > 0).length;
    await finishProof(database, lease, { at: this.#now() });
    const trouble = broken === 0 ? null : `${broken} of ${found.length} checks were broken`;
    await recordRun(database, 'ledger verify', { at: this.#now(), trouble });
    this.count(1);
  }
}

/** The process is about to end. */
class Stopped extends Error {}
