import type { Factor } from '#tests/model/steps.ts';

/** A question to a customer, with its deadline. */
export interface Question {
  readonly factor: Factor;
  readonly until: number;
}

/** The question before a payment continues (customers.md §7.10). */
export interface PaymentQuestion extends Question {
  readonly purpose: 'TRANSFER' | 'PAYOUT' | 'CURRENCY_CONVERSION';
  wrongAnswers: number;
  calls: number[];
  resends: number;
  resentAt: number;
}

export function paymentQuestion(
  asked: Pick<PaymentQuestion, 'factor' | 'until' | 'purpose'>,
): PaymentQuestion {
  return { ...asked, wrongAnswers: 0, calls: [], resends: 0, resentAt: Number.NEGATIVE_INFINITY };
}

const MINUTE = 60;
const DAY = 86_400;
export const QUESTION_SECONDS = 300;
const SESSION_SECONDS = 180 * DAY;
/** customers.md §7.31–7.34, in seconds. */
const LOCKS: Readonly<Record<number, number>> = { 5: 15 * MINUTE, 6: 30 * MINUTE, 7: 60 * MINUTE, 8: DAY };
const SUSPENDING_FAILURE = 9;

/** The state of a customer's proofs (customers.md §7), at the given times. */
export class ProofsModel {
  failures = 0;
  isSuspended = false;
  hasPasskey = false;
  /** Keys of accounts outside. */
  readonly trusted = new Set<string>();
  #lockedUntil = 0;
  #hasLoggedIn = false;
  #sessions: Question[] = [];
  #login: Question | undefined;
  readonly #trust = new Map<string, Question>();

  /** Null: not locked, or suspended. */
  lockedUntil(now: number): number | null {
    return this.#lockedUntil > now && !this.isSuspended ? this.#lockedUntil : null;
  }

  isLocked(now: number): boolean {
    return this.isSuspended || this.#lockedUntil > now;
  }

  /** Those that are live. */
  sessions(now: number): readonly Question[] {
    return this.#sessions.filter(({ until }) => until > now);
  }

  isLoggedIn(now: number): boolean {
    return this.sessions(now).length > 0;
  }

  isEnrolled(factor: Factor | 'TOTP'): factor is Factor {
    return factor === 'SMS_OTP' || (factor === 'PASSKEY' && this.hasPasskey);
  }

  /** One more wrong proof; true: it suspends, and voids whatever is open. */
  fail(now: number): boolean {
    this.failures += 1;
    const lock = LOCKS[this.failures];
    if (lock !== undefined) this.#lockedUntil = now + lock;
    const isSuspending = this.failures >= SUSPENDING_FAILURE && !this.isSuspended;
    this.isSuspended ||= isSuspending;
    if (isSuspending) this.void();
    return isSuspending;
  }

  /** customers.md §7.9; whatever is open is void. */
  reset(): void {
    this.failures = 0;
    this.#lockedUntil = 0;
    this.isSuspended = false;
    this.#sessions = [];
    this.void();
  }

  /** Voids all open questions, or those that only this factor could answer. */
  void(factor?: Factor): void {
    const isVoid = (asked: Question | undefined) => factor === undefined || asked?.factor === factor;
    if (isVoid(this.#login)) this.#login = undefined;
    for (const [subject, asked] of this.#trust) if (isVoid(asked)) this.#trust.delete(subject);
  }

  startLogin(factor: Factor, now: number): void {
    this.#login = { factor, until: now + QUESTION_SECONDS };
  }

  /** Whether this is the right answer to the last start; it counts once. */
  completeLogin(factor: Factor, isRight: boolean, now: number): boolean {
    if (!isRight || this.#login?.factor !== factor || this.#login.until <= now) return false;
    this.#login = undefined;
    this.#sessions.push({ factor, until: now + SESSION_SECONDS });
    this.failures = 0;
    this.#lockedUntil = 0;
    this.#hasLoggedIn = true;
    return true;
  }

  /** By the factor of the latest session, where it is still there (customers.md §7.14). */
  startTrust(subject: string, now: number): void {
    const latest = this.sessions(now)
      .toSorted((a, b) => a.until - b.until)
      .at(-1)?.factor;
    const factor = latest !== undefined && this.isEnrolled(latest) ? latest : 'SMS_OTP';
    this.#trust.set(subject, { factor, until: now + QUESTION_SECONDS });
  }

  confirmTrust(subject: string, isRight: boolean, now: number): boolean {
    const asked = this.#trust.get(subject);
    if (!isRight || !asked || asked.until <= now) return false;
    return this.#trust.delete(subject);
  }

  /** After a first login, factors can be changed only while logged in, and not while locked (customers.md §7.6a). */
  checkFactorChange(now: number): string | undefined {
    if (!this.#hasLoggedIn) return undefined;
    if (this.isLocked(now)) return 'ACCOUNT_LOCKED';
    return this.isLoggedIn(now) ? undefined : 'SCA_SESSION_REQUIRED';
  }
}
