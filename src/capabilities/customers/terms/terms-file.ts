import { readFile } from 'node:fs/promises';
import Type from 'typebox';
import type { TermsVersion } from '#capabilities/customers/terms/terms.ts';
import { checkSchema, validate } from '#foundation/http/read/validate.ts';
import { isDate } from '#foundation/lib/dates.ts';

const Text = Type.String({ pattern: '\\S' });

const PublishedTerms = Type.Object({
  version: Type.String({ minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9._-]+$' }),
  title: Text,
  publishedOn: Type.String(),
  sections: Type.Array(Type.Object({ heading: Text, paragraphs: Type.Array(Text, { minItems: 1 }) }), {
    minItems: 1,
  }),
});

const TermsFile = Type.Object({ terms: Type.Array(PublishedTerms, { minItems: 1 }) });

/** Reads the operator's terms (customers.md §2.1.16a): every version ever published, oldest first. */
export async function readTermsFile(path: string): Promise<TermsVersion[]> {
  const text = await readFile(path, 'utf8');
  let terms: unknown;
  try {
    terms = JSON.parse(text);
  } catch {
    throw new Error('it is not JSON');
  }
  const [first] = checkSchema(TermsFile, { terms }, validate);
  if (first) throw new Error(`${first.field} ${first.message}`);
  return checkOrder(terms as TermsVersion[]);
}

function checkOrder(terms: TermsVersion[]): TermsVersion[] {
  for (const [i, { version, publishedOn }] of terms.entries()) {
    if (!isDate(publishedOn)) throw new Error(`terms.${i}.publishedOn must be a date, such as 2026-03-02`);
    if (terms.findIndex((other) => other.version === version) < i)
      throw new Error(`terms.${i}.version is a duplicate`);
    const before = terms[i - 1];
    if (before && publishedOn < before.publishedOn)
      throw new Error(`terms.${i} was published before the previous entry: list the oldest first`);
  }
  return terms;
}
