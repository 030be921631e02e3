import type { TObject, TProperties, TSchema } from 'typebox';

/**
 * Field by field, groups inside groups too: left out = unchanged, `null` = cleared (platform.md §3.2.7). Only
 * fields the schema names are taken, and a group that is left with none disappears.
 */
export function mergeClearing<Group extends object>(
  schema: TObject<TProperties>,
  current: Group,
  change: object | null | undefined,
): Group {
  if (change === undefined) return current;
  return merge(schema, current, change ?? {}, change === null) as Group;
}

type Json = Record<string, unknown>;

function merge(schema: TObject<TProperties>, current: object, change: object, isReset = false): Json {
  const merged: Json = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const before = isReset ? undefined : (current as Json)[name];
    const value = valueAfter(property, before, (change as Json)[name]);
    if (value !== undefined) merged[name] = value;
  }
  return merged;
}

function valueAfter(schema: TSchema, before: unknown, given: unknown): unknown {
  if (given === undefined) return before;
  if (given === null) return undefined;
  if (!isGroup(schema)) return given;
  const group = merge(schema, (before ?? {}) as object, given as object);
  return Object.keys(group).length > 0 ? group : undefined;
}

function isGroup(schema: TSchema): schema is TObject<TProperties> {
  return 'properties' in schema;
}
