import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { DataValidateFunction } from 'ajv/dist/types/index.js';
import type { TSchema } from 'typebox';
import { branchFinder } from '#foundation/http/field-errors.ts';

export type Compile = (schema: object) => ValidateFunction;

/**
 * Compiles each schema once. For a tagged union it compiles only the branches that are used: compiling all fifty kinds of
 * account takes a second. A branch that several unions share is compiled once for all of them.
 */
export function createCompile(ajv: Ajv2020): Compile {
  const compiled = new WeakMap<object, ValidateFunction>();
  const compile: Compile = (schema) => {
    let validate = compiled.get(schema);
    if (!validate) {
      validate = ajv.compile(withTaggedKeyword(schema) as object);
      compiled.set(schema, validate);
    }
    return validate;
  };
  ajv.addKeyword({
    keyword: KEYWORD,
    type: 'object',
    errors: 'full',
    compile: (union: TaggedUnion) => checkBranch(union, compile),
  });
  return compile;
}

const KEYWORD = 'x-tagged';

interface TaggedUnion {
  readonly discriminator: { readonly propertyName: string };
  readonly oneOf: readonly TSchema[];
}

function checkBranch(union: TaggedUnion, compile: Compile): DataValidateFunction {
  const branchOf = branchFinder(union.oneOf, union.discriminator.propertyName);
  const check: DataValidateFunction = (data, at) => {
    const branch = branchOf(data as Record<string, unknown>);
    const validate = branch && compile(branch);
    if (validate?.(data)) return true;
    check.errors = validate
      ? (validate.errors ?? []).map((error) => ({
          ...error,
          instancePath: `${at?.instancePath}${error.instancePath}`,
        }))
      : [badTag(union, data, at?.instancePath ?? '')];
    return false;
  };
  return check;
}

function badTag(union: TaggedUnion, data: unknown, instancePath: string): ErrorObject {
  const tag = union.discriminator.propertyName;
  // In `params`, because Ajv overwrites the data of every error with that of the outermost union.
  const params = { tag, tagValue: (data as Record<string, unknown>)[tag] };
  return { keyword: 'discriminator', params, instancePath, schemaPath: '', parentSchema: union };
}

/** The same schema, with our keyword instead of every tagged union. */
function withTaggedKeyword(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withTaggedKeyword);
  if (schema === null || typeof schema !== 'object') return schema;
  if ('discriminator' in schema && 'oneOf' in schema) return { type: 'object', [KEYWORD]: schema };
  if ('items' in schema && 'maxItems' in schema) return withBoundedItems(schema);
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withTaggedKeyword(value)]));
}

/**
 * The entries of a list that is too long are not validated: half a million bad ones, which fit into a body, would block
 * the process for seconds.
 */
function withBoundedItems({ items, ...list }: { items: unknown; maxItems: unknown }): object {
  const tooMany = { minItems: Number(list.maxItems) + 1 };
  return { ...list, if: tooMany, else: { items: withTaggedKeyword(items) } };
}
