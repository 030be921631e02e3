import assert from 'node:assert/strict';
import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import Value from 'typebox/value';

/** The tests of a port: they take the adapter, and a platform of its environment, when they run. */
export type Suite<Port> = (port: () => Port, platformId: () => PlatformId) => void;

/** An object with these properties and no others. */
export function exactly<Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false });
}

/** Readers of an answer treat undefined as absent. */
export function assertShape<Schema extends TSchema>(
  schema: Schema,
  value: unknown,
): asserts value is Static<Schema> {
  const plain = value === undefined ? undefined : Value.Clone(withoutUndefined(value));
  const errors = Value.Errors(schema, plain).map(({ instancePath, message }) => `${instancePath} ${message}`);
  assert.deepEqual(errors, [], `${shown(value)} has not the shape that the port promises`);
}

function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  const present = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(present.map(([name, member]) => [name, withoutUndefined(member)]));
}

/** None of these texts is stored or logged in the clear. */
export function assertHides(secrets: readonly string[], value: unknown): void {
  const text = shown(value);
  for (const secret of secrets) assert.ok(!text.includes(secret), `${text} tells ${secret}`);
}

export function shown(value: unknown): string {
  return (
    JSON.stringify(value, (_name, member) => (typeof member === 'bigint' ? String(member) : member)) ?? ''
  );
}
