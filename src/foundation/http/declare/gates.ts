import type { Changes, ReadTx } from '#foundation/database/tx.ts';
import type { Input, NamedOperation } from '#foundation/http/declare/operation.ts';
import type { Plan } from '#foundation/http/declare/plan.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

/**
 * Checks every plan between its preparation and its commit. `src/foundation/manifest.ts` lists the gates.
 *
 * A gate may answer instead of the operation, with a plan of its own that is committed with the audit row and the
 * idempotency key: a first leg with a payload to sign, a challenge, an action that waits for approval. Its status must be
 * one that the operation declares. A gate refuses by throwing.
 */
export interface Gate {
  readonly name: string;
  check(tx: ReadTx, prepared: PreparedCall): Promise<GateResult>;
}

export interface PreparedCall {
  readonly operation: NamedOperation;
  readonly input: Input<unknown, unknown, unknown>;
  readonly plan: Plan<unknown>;
}

export type GateResult =
  /** The gate does not apply, or its demands are met; `alsoCommit` adds to the commit of the operation. */
  | { readonly passes: true; alsoCommit?(changes: Changes): void }
  | { readonly passes: false; readonly instead: Plan<unknown> };

export const PASSED: GateResult = { passes: true };

export interface GatedPlan {
  readonly plan: Plan<unknown>;
  /** Changes that the passed gates commit with the plan. */
  readonly additions: readonly ((changes: Changes) => void)[];
  /** The gate that answers instead of the operation, for the audit row. */
  readonly details?: { readonly heldBy: string };
}

/** A plan that answers with a refusal passes all gates: there is no effect to hold back. */
export async function checkGates(
  tx: ReadTx,
  prepared: PreparedCall,
  gates: readonly Gate[],
): Promise<GatedPlan> {
  const { plan } = prepared;
  const additions: ((changes: Changes) => void)[] = [];
  if ('change' in plan && plan.answer instanceof Refusal) return { plan, additions };
  for (const gate of gates) {
    const result = await gate.check(tx, prepared);
    if (!result.passes) return { plan: result.instead, additions: [], details: { heldBy: gate.name } };
    if (result.alsoCommit) additions.push((changes) => result.alsoCommit?.(changes));
  }
  return { plan, additions };
}
