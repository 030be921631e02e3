import { sqlFailure } from '#database/database.ts';
import type { Surroundings, Tx } from '#database/tx.ts';
import { assertPostable } from '#ledger/entries.ts';
import { gather } from '#lib/gather.ts';
import type { Application, Apply, Outcome } from '#payments/application.ts';
import { callOf, readOutcomes } from '#payments/apply-call.ts';
import type { Step } from '#payments/machine/draft.ts';

/**
 * For steps that are a commit of their own: callers share one trip and one commit (architecture.md §3.3), each
 * with its own verdict. After a lost connection the outcome is unknown; loading again tells.
 */
export function createApply(surroundings: Surroundings): Apply {
  const send = async (applications: Application[]) => {
    const call = callOf(applications, surroundings);
    const rows = await surroundings.database.query<never>(call);
    return readOutcomes(applications, rows);
  };
  const share = gather((applications: Application[]) => applyApart(send, applications));
  return async (application) => {
    assertSound(application.step);
    const outcome = await share(application);
    if ('failure' in outcome) throw outcome.failure;
    if (outcome.verdict === 'applied') wakeFor([application], surroundings);
    return outcome;
  };
}

/** In a transaction of the caller's: several steps in one trip. */
export async function applyIn(tx: Tx, steps: readonly Step[]): Promise<Outcome[]> {
  if (steps.length === 0) return [];
  for (const step of steps) assertSound(step);
  const applications = steps.map((step) => ({ step }));
  const rows = await tx.query<never>(callOf(applications, tx.surroundings));
  const outcomes = readOutcomes(applications, rows);
  if (outcomes.some(({ verdict }) => verdict === 'applied')) {
    tx.afterCommit(() => wakeFor(applications, tx.surroundings));
  }
  return outcomes;
}

type Send = (applications: Application[]) => Promise<Outcome[]>;
type Attempt = Outcome | { readonly failure: unknown };

/** A failed statement wrote nothing, so its steps are tried one by one: nobody fails for a stranger's fault. */
async function applyApart(send: Send, applications: Application[]): Promise<Attempt[]> {
  try {
    return await send(applications);
  } catch (error) {
    if (!sqlFailure(error)) throw error;
    if (applications.length === 1) return [passing(error)];
  }
  const attempts: Attempt[] = [];
  for (const application of applications) {
    attempts.push(await send([application]).then(([outcome]) => outcome as Outcome, passing));
  }
  return attempts;
}

/** Serialization failures and deadlocks are over when the step is made anew. */
function passing(error: unknown): Attempt {
  const code = sqlFailure(error)?.code;
  return code === '40001' || code === '40P01' ? { verdict: 'stale' } : { failure: error };
}

/** Events are to be sent, and work may be due at once. */
function wakeFor(applications: readonly Application[], surroundings: Surroundings): void {
  if (applications.some(({ step }) => step.events.length > 0 || step.jobs.length > 0))
    surroundings.wakeWorker();
}

function assertSound(step: Step): void {
  for (const posting of step.postings) assertPostable(posting);
}
