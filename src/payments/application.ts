import type { Companion } from '#http/request-work.ts';
import type { Account } from '#ledger/accounts.ts';
import type { Step } from '#payments/machine/draft.ts';

/** What became of a step; everything but `applied` left nothing. */
export type Outcome =
  | { readonly verdict: 'applied' }
  /** Somebody else was quicker: load again and make the step anew. `key`: so is the idempotency key. */
  | { readonly verdict: 'stale' | 'key' }
  /** The step was taken before. */
  | { readonly verdict: 'replayed' }
  | { readonly verdict: 'limit'; readonly used: readonly [bigint, bigint] }
  | { readonly verdict: 'insufficient' | 'unknown_account' | 'out_of_range'; readonly account: Account };

/** A step, and what a request wants committed with it. */
export interface Application {
  readonly step: Step;
  readonly companion?: AppliedCompanion | undefined;
}

/** What `http` wants in the commit of its effect: the audit row, and the idempotency key with the reply. */
export interface AppliedCompanion {
  readonly companion: Companion;
  readonly reply: { readonly status: number; readonly body: string };
}

/** Commits a step together with those of callers that come at the same time. */
export type Apply = (application: Application) => Promise<Outcome>;
