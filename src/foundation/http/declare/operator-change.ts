import type { Static, TObject, TProperties, TSchema, TString } from 'typebox';
import type { Tx } from '#foundation/database/tx.ts';
import {
  type DeclaredOperation,
  type Operation,
  operation,
  type Params,
} from '#foundation/http/declare/operation.ts';
import type { OperatorRule, SecondOperator } from '#foundation/http/operator-rule.ts';
import { component, operatorReason } from '#foundation/http/schema.ts';

type WithReason<F extends TProperties> = TObject<F & { reason: TString }>;
type Declared<P extends Params, F extends TProperties, R extends TSchema> = Operation<
  P,
  TObject,
  WithReason<F>,
  R
>;

/** The words of a change that an operator makes. */
interface OperatorChange<P extends Params, F extends TProperties, R extends TSchema>
  extends Pick<Declared<P, F, R>, 'area' | 'summary' | 'params' | 'reply' | 'codes' | 'idempotency'> {
  readonly route: `POST /${string}`;
  readonly description: string;
  readonly roles: OperatorRule['roles'];
  /** By default on the platform of the resource that the path names first. */
  readonly on?: OperatorRule['on'];
  readonly two?: SecondOperator;
  /** What a proposal is about, if not the path. */
  readonly subject?: OperatorRule['subject'];
  /** The resource that it is about, if the path has no id of it. */
  readonly resource?: OperatorRule['resource'];
  /** Words of settings that it changes, where its fields do not name them. */
  readonly settings?: OperatorRule['settings'];
  /** Needs a fresh proof of presence, because it moves money, ends something for good or locks a caller out. */
  readonly asksFirst?: boolean;
  /** The members of the body beside the reason. */
  readonly fields?: F;
  /** Makes the change in one transaction, and writes its audit row: a command calls the same function. */
  change(
    tx: Tx,
    input: Parameters<NonNullable<Declared<P, F, R>['write']>>[1],
  ): ReturnType<NonNullable<Declared<P, F, R>['write']>>;
}

/** Declares a change that an operator makes for a reason, which its audit row keeps (operator.md §6.1). */
export function operatorChange<
  const Name extends string,
  P extends Params,
  R extends TSchema,
  F extends TProperties = Record<never, never>,
>(
  name: Name,
  {
    roles,
    on = 'resource',
    two,
    subject,
    resource,
    settings,
    asksFirst = false,
    fields,
    change,
    ...words
  }: OperatorChange<P, F, R>,
) {
  const body = component(`${name[0]?.toUpperCase()}${name.slice(1)}Request`, {
    reason: operatorReason(),
    ...fields,
  });
  const operator = {
    roles,
    on,
    ...(two && { two }),
    ...(subject && { subject }),
    ...(resource && { resource }),
    ...(settings && { settings }),
    ...(asksFirst && { stepUp: true }),
  };
  const declared = { ...words, access: 'operator', operator, body, write: change };
  return operation(name, declared as unknown as Operation) as unknown as DeclaredOperation<
    Name,
    { [Param in keyof P]: string },
    unknown,
    Static<WithReason<F>>,
    Static<R>
  >;
}
