import { CorridorError } from '@corridor/client';
import { OPERATIONS, type Operations } from './generated/operations.ts';
import type { Proposal } from './generated/schemas.ts';
import { stepUp } from './passkey.ts';
import { operator } from './session.ts';

export type OperatorOperation = keyof Operations;

/** One call of an operator's operation as a value: its command can be shown before it is made. */
export interface OperatorCall {
  readonly operation: OperatorOperation;
  /** Path parameters, in the order of the path. */
  readonly params: readonly string[];
  readonly input: Readonly<Record<string, unknown>>;
}

/** A call is either done, or proposed to a second operator (operator.md §5.1). */
export type Outcome =
  | { readonly kind: 'done'; readonly reply: Readonly<Record<string, unknown>> }
  | { readonly kind: 'proposed'; readonly proposal: Proposal };

type Method = (...given: unknown[]) => PromiseLike<unknown>;

/** Makes the call. If it needs a proof that the operator is present, asks for the passkey and repeats the call. */
export async function performAsOperator({ operation, params, input }: OperatorCall): Promise<Outcome> {
  const { body, query } = OPERATIONS[operation];
  const given = body === undefined && query === undefined ? params : [...params, input];
  const reply = await withProof(() => (operator[operation] as unknown as Method)(...given));
  return isProposal(operation, reply)
    ? { kind: 'proposed', proposal: reply }
    : { kind: 'done', reply: (reply ?? {}) as Record<string, unknown> };
}

/** If the call needs a proof that the operator is present, asks for the passkey and repeats the call. */
export async function withProof<Reply>(make: () => PromiseLike<Reply>): Promise<Reply> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof CorridorError) || String(error.code) !== 'STEP_UP_REQUIRED') throw error;
    await stepUp();
    return make();
  }
}

/** Operations on proposals answer with one, too. */
function isProposal(operation: OperatorOperation, reply: unknown): reply is Proposal {
  const { id } = (reply ?? {}) as { readonly id?: unknown };
  return typeof id === 'string' && id.startsWith('Proposal:') && !operation.endsWith('Proposal');
}
