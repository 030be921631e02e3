import type { TObject, TSchema } from 'typebox';
import { invalidFields } from '#foundation/lib/refusals.ts';
import { isStorable } from '#foundation/lib/storable.ts';

/**
 * Parses a query string by its schema: numbers and booleans from their text, arrays repeated or comma-separated. A value
 * that cannot be parsed stays text, so that validation reports it. Unknown parameters are ignored, and so are empty values
 * (platform.md §1.1.6).
 */
export function parseQuery(schema: TObject, search: string): Record<string, unknown> {
  const sent = new URLSearchParams(search);
  const query: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const texts = sent
      .getAll(name)
      .flatMap((text) => (isArray(property) ? text.split(',') : [text]))
      .filter((text) => text !== '');
    const last = texts.at(-1);
    if (last === undefined) {
      if ('default' in property) query[name] = property.default;
      continue;
    }
    if (texts.some((text) => !isStorable(text))) {
      throw invalidFields([{ field: name, message: 'contains a NUL character or a broken surrogate pair' }]);
    }
    query[name] = isArray(property)
      ? texts.map((text) => readScalar(property.items, text))
      : readScalar(property, last);
  }
  return query;
}

/** After validation: ids become bare UUIDs, so that handlers see one form only. */
export function normaliseIds(schema: TObject, query: Record<string, unknown>): void {
  for (const [name, property] of Object.entries(schema.properties)) {
    const value = query[name];
    if ('x-id' in property && typeof value === 'string') query[name] = value.slice(value.indexOf(':') + 1);
  }
}

/**
 * The parameters in one order and one spelling: declared ones as they were parsed, others as they were sent. Empty values
 * are ignored here too.
 */
export function canonicalQuery(
  schema: TObject | undefined,
  query: Readonly<Record<string, unknown>>,
  search: string,
): string {
  const declared = schema?.properties ?? {};
  const sent = [...new URLSearchParams(search)].filter(
    ([name, text]) => text !== '' && !Object.hasOwn(declared, name),
  );
  const read = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((item): [string, string] => [name, String(item)]),
  );
  const canonical = new URLSearchParams([...sent, ...read]);
  canonical.sort();
  return canonical.toString();
}

function isArray(schema: TSchema): schema is TSchema & { items: TSchema } {
  return 'type' in schema && schema.type === 'array';
}

function readScalar(schema: TSchema, text: string): unknown {
  const type = 'type' in schema ? schema.type : undefined;
  if (type === 'integer' && /^-?\d{1,16}$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
