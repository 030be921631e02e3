import type { TProperties } from 'typebox';
import type { OperatorRole } from '#foundation/lib/operator-roles.ts';

export { EVERY_ROLE, OPERATOR_ROLES, type OperatorRole } from '#foundation/lib/operator-roles.ts';

/**
 * Where an operation of operators takes place: on the platform of the resource that its path names, over several platforms,
 * or on the installation, whose rows, keys and audit belong to no platform.
 */
export type OperatorScope = 'resource' | 'platforms' | 'installation';

/**
 * When a second operator has to approve (operator.md §6): always, above the amount that the installation allows one
 * operator, or in production only.
 */
export type SecondOperator = 'always' | 'amount' | 'production';

/** The values that a rule may use. */
export interface RuledInput {
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The words of an operators' operation. The registrar keeps them, and no handler has to remember them. */
export interface OperatorRule {
  readonly roles: readonly OperatorRole[];
  readonly on: OperatorScope;
  readonly two?: SecondOperator;
  /**
   * What a proposal is about, if not the path: the bank's reference of a deposit. One proposal for it may be undecided.
   */
  readonly subject?: (input: {
    readonly params: Readonly<Record<string, string>>;
    readonly body: unknown;
  }) => string | undefined;
  /** The resource that a call is about, if its path has no id of it: `connector nordbank`. Its record names the proposal. */
  readonly resource?: (input: RuledInput) => string | undefined;
  /** Words of settings that it changes, where its input does not name them (operator.md §5.2). */
  readonly settings?: TProperties;
  /** It needs a proof of presence that is at most five minutes old (operator.md §3.4). */
  readonly stepUp?: boolean;
}
