import type { TSchema } from 'typebox';
import { isObject } from '#foundation/lib/is-object.ts';
import { FIELD_WORDS } from './field-words.ts';
import { type Masking, maskValue } from './mask-value.ts';

/** What the schema of a field says about it; `fields`: an object of which each field is masked by its name. */
export type FieldMasking = Masking | 'fields';

type Words = TSchema & {
  readonly 'x-masked'?: FieldMasking;
  readonly properties?: Readonly<Record<string, Words>>;
  readonly items?: Words;
};

/** Adds its word to the schema of a field. A field without a word is left out of every reply to an operator. */
export function masked<S extends TSchema>(masking: FieldMasking, schema: S): S {
  return Object.defineProperties(
    { 'x-masked': masking },
    Object.getOwnPropertyDescriptors(schema),
  ) as unknown as S;
}

/** A reply as an operator sees it: every field by the word of its schema, and none without a word. */
export function maskBySchema(schema: TSchema, value: unknown): unknown {
  const { 'x-masked': masking, properties, items } = schema as Words;
  if (value === null || value === undefined) return value;
  if (masking === 'fields') return maskFields(value);
  if (masking !== undefined) return maskValue(masking, value);
  if (properties && isObject(value)) {
    return mapFields(value, (name, one) =>
      Object.hasOwn(properties, name) ? maskBySchema(properties[name] as Words, one) : undefined,
    );
  }
  if (items && Array.isArray(value)) return value.map((one) => maskBySchema(items, one));
  return undefined;
}

/** The payload of an event or a request, or a whole record: each field by its name, at any depth. */
export function maskFields(value: unknown, name = '', parent = ''): unknown {
  const word = wordOf(`${parent}.${name}`) ?? wordOf(name);
  if (value === null || value === undefined) return value;
  if (word === 'address' || (word === 'currency' && isObject(value))) return maskValue(word, value);
  if (Array.isArray(value)) {
    return value.map((one) => maskFields(one, name, parent)).filter((one) => one !== undefined);
  }
  // A value whose fields are values has no word of its own: somebody could write a text below any name.
  if (isObject(value) && !(value instanceof Date))
    return mapFields(value, (own, one) => maskFields(one, own, name));
  return word === undefined ? undefined : maskValue(word, value);
}

function wordOf(name: string): Masking | undefined {
  return Object.hasOwn(FIELD_WORDS, name) ? FIELD_WORDS[name] : undefined;
}

function mapFields(
  value: Record<string, unknown>,
  change: (name: string, one: unknown) => unknown,
): Record<string, unknown> {
  const entries = Object.entries(value).map(([name, one]) => [name, change(name, one)] as const);
  return Object.fromEntries(entries.filter(([, one]) => one !== undefined));
}
