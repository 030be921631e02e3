import type { IdParam, NamedOperation } from '#foundation/http/declare/operation.ts';
import type { Call } from '#foundation/http/perform/perform.ts';
import { normaliseIds, parseQuery } from '#foundation/http/read/query.ts';
import { readPlainBody } from '#foundation/http/read/read-body.ts';
import { checkSchema, type Validator } from '#foundation/http/read/validate.ts';
import { noSuchPath } from '#foundation/http/serve/errors.ts';
import { parseId, typeOfId } from '#foundation/lib/ids.ts';
import { type FieldError, invalidFields, notFound, Refusal } from '#foundation/lib/refusals.ts';
import { isStorable } from '#foundation/lib/storable.ts';
import type { WireNames } from '#foundation/lib/wire-names.ts';

/** The input of a call that is not an HTTP request of its own, written as a client would. */
export interface PlainCall {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Reads it like an HTTP request: with the same rules and the same refusals. */
export function readPlainCall(
  operation: NamedOperation,
  { params = {}, query = {}, body }: PlainCall,
  parts: { readonly validate: Validator; readonly names: WireNames },
): Pick<Call, 'params' | 'query' | 'body' | 'problems'> {
  return {
    ...readPlainBody(operation, body, parts),
    query: readQuery(operation, String(new URLSearchParams(query)), parts.validate),
    params: readParams(operation, params),
  };
}

/** `found`: other problems of the query, so that one reply names all of them. */
export function readQuery(
  { query: schema }: NamedOperation,
  search: string,
  validate: Validator,
  found: readonly FieldError[] = [],
): Record<string, unknown> {
  const query = schema ? parseQuery(schema, search) : {};
  const problems = schema ? [...checkSchema(schema, query, validate), ...found] : found;
  if (problems.length > 0) throw invalidFields([...problems]);
  if (schema) normaliseIds(schema, query);
  return query;
}

/** The kind of an id is no secret: its sender can read the kind in it. */
function unknownId({ id, missing }: IdParam, sent: string): Refusal {
  const other = typeOfId(sent);
  if (other === undefined || other === id) return notFound(missing, id);
  return new Refusal(missing, `There is no such ${id}: the path has the id of another kind, ${other}.`);
}

/** A malformed or wrong-type id in a path is answered as unknown (platform.md §1.2.2). */
export function readParams(
  operation: NamedOperation,
  path: Readonly<Record<string, string>>,
): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, rule] of Object.entries(operation.params ?? {})) {
    const value = path[name] ?? '';
    if (!('id' in rule)) {
      if (!isStorable(value)) throw noSuchPath();
      params[name] = rule.normalise?.(value) ?? value;
      continue;
    }
    const uuid = parseId(rule.id, value);
    if (uuid === undefined) throw unknownId(rule, value);
    params[name] = uuid;
  }
  return params;
}
