import type { Changes, ReadTx } from '#database/tx.ts';
import type { Input, NamedOperation } from '#http/operation.ts';
import type { Plan } from '#http/plan.ts';
import { Refusal } from '#lib/refusals.ts';

/**
 * Stands between what an operation prepares and its commit, and is asked about every plan. `parts.ts` lists them.
 *
 * A gate that answers itself gives a plan of its own, which is committed with the audit row and the idempotency key in
 * place of the operation's: a first leg with what to sign, a challenge, an action that waits for somebody's approval.
 * Its status has to be among those that the operation declares. It refuses by throwing.
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
  /** Not its business, or all that it asks for is there; `along` is committed with the operation's effect. */
  | { readonly passes: true; along?(changes: Changes): void }
  | { readonly passes: false; readonly instead: Plan<unknown> };

export const PASSES: GateResult = { passes: true };

/** What the gates made of a plan. */
export interface Passed {
  readonly plan: Plan<unknown>;
  /** What those that let it pass have committed with it. */
  readonly along: readonly ((changes: Changes) => void)[];
  /** The one that answers in place of the operation, for the audit row. */
  readonly details?: { readonly heldBy: string };
}

/** A refusal that leaves a mark passes: there is nothing to hold up. */
export async function passGates(tx: ReadTx, prepared: PreparedCall, gates: readonly Gate[]): Promise<Passed> {
  const { plan } = prepared;
  const along: ((changes: Changes) => void)[] = [];
  if ('change' in plan && plan.answer instanceof Refusal) return { plan, along };
  for (const gate of gates) {
    const result = await gate.check(tx, prepared);
    if (!result.passes) return { plan: result.instead, along: [], details: { heldBy: gate.name } };
    if (result.along) along.push((changes) => result.along?.(changes));
  }
  return { plan, along };
}
