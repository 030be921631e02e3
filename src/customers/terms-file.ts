import Type from 'typebox';
import type { TermsVersion } from '#customers/terms.ts';
import { validate } from '#http/validate.ts';
import { Refusal } from '#lib/refusals.ts';

const TermsFile = Type.Object({
  versions: Type.Array(
    Type.Object({
      version: Type.String({ pattern: '^[A-Za-z0-9._-]{1,100}$' }),
      title: Type.String({ minLength: 1 }),
      publishedOn: Type.String({ format: 'date' }),
      sections: Type.Array(
        Type.Object({
          heading: Type.String({ minLength: 1 }),
          paragraphs: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
        }),
        { minItems: 1 },
      ),
    }),
    { minItems: 1 },
  ),
});

/**
 * An operator's own terms: JSON text, `{"versions": [{version, title, publishedOn, sections}]}`, oldest first. A
 * version that people have agreed to stays in the file for ever. Throws an error whose message names what is wrong.
 */
export function parseTerms(text: string): readonly TermsVersion[] {
  const file = parseJson(text);
  try {
    validate(TermsFile, file);
  } catch (error) {
    throw error instanceof Refusal ? new Error(`the end-user terms: ${error.message}`) : error;
  }
  const { versions } = file as { versions: TermsVersion[] };
  const names = versions.map(({ version }) => version);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) throw new Error(`the end-user terms: version ${twice} is there twice`);
  return versions;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('the end-user terms: not valid JSON');
  }
}
