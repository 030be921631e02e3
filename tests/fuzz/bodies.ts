import type { SeededRandom } from '#tests/drills/seeded-random.ts';
import type { FuzzTargets } from '#tests/fuzz/known.ts';

export interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** The resource type of the id. */
  readonly 'x-id'?: string;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** A body that nearly matches its operation's schema, and sometimes not at all. */
export function jsonBody(schema: Schema, random: SeededRandom, known: FuzzTargets): string {
  const roll = random.next();
  if (roll < 0.06) return random.pick(NO_JSON);
  if (roll < 0.1) return `{"a":${'['.repeat(random.between(60, 5_000))}`;
  return JSON.stringify(sample(schema, random, known, 0)) ?? '';
}

const NO_JSON = [
  '',
  '{',
  '[]',
  'null',
  '12',
  '"x"',
  '{"a":}',
  '\u{feff}{}',
  '{"a":"\\ud800"}',
  '{"a":"\\u0000"}',
  '{"__proto__":{"a":1}}',
];
const NASTY: readonly unknown[] = [
  null,
  '',
  ' ',
  [],
  {},
  -1,
  0,
  1.5,
  2 ** 53,
  1e308,
  true,
  'a\0b',
  '\ud800',
  'x'.repeat(3_000),
  [[[]]],
  { a: null },
];
/** Only addresses of this machine. */
const TEXTS = [
  'abc',
  'USD',
  'EUR',
  'US',
  'DE',
  '2026-01-01',
  '2026-13-45T99:00:00Z',
  '2026-01-01T00:00:00.000Z',
  'a@b.c',
  '+14155550123',
  '$ada@uma.localhost',
  'http://127.0.0.1:1/x',
  'DE89370400440532013000',
  'ACCOUNT',
  '10000',
  'Ada Lovelace',
  '019542f5-b3e7-7d02-8000-0000000000ff',
];

function sample(schema: Schema, random: SeededRandom, known: FuzzTargets, depth: number): unknown {
  if (depth > 8 || random.next() < 0.03) return random.pick(NASTY);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  const either = schema.oneOf ?? schema.anyOf;
  if (either) return sample(random.pick(either), random, known, depth + 1);
  if (schema.allOf)
    return Object.assign({}, ...schema.allOf.map((part) => sample(part, random, known, depth + 1)));
  const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type;
  if (type === 'object' || schema.properties) return sampleObject(schema, random, known, depth);
  if (type === 'array') {
    const length = random.pick([0, 1, 1, 2, 3, 40]);
    return Array.from({ length }, () => sample(schema.items ?? {}, random, known, depth + 1));
  }
  if (type === 'integer' || type === 'number')
    return random.pick([1, 2, 100, 2_500, 10_000, 0, -5, 999_999_999, 2 ** 53 - 1]);
  if (type === 'boolean') return random.next() < 0.5;
  if (type === 'null') return null;
  return random.next() < 0.3 && known.ids.size > 0
    ? random.pick([...known.ids.values()])
    : random.pick(TEXTS);
}

function sampleObject(
  { properties = {}, required = [] }: Schema,
  random: SeededRandom,
  known: FuzzTargets,
  depth: number,
): object {
  const names = Object.keys(properties).filter(
    (name) => random.next() < (required.includes(name) ? 0.97 : 0.4),
  );
  return Object.fromEntries(
    names.map((name) => [name, sample(properties[name] as Schema, random, known, depth + 1)]),
  );
}
