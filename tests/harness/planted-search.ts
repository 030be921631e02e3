import { base64Cores } from '#tests/harness/number-search.ts';

/** Values to look for, each under the name with which a finding is reported. */
export type Wanted = ReadonlyMap<string, string>;

/**
 * Looks for all values at once, in every form in which a program could have written them: as text in either case, as
 * hexadecimal digits and as base64, wherever it begins.
 */
export function searchFor(wanted: Wanted): (bytes: Buffer) => string[] {
  const names = new Map<string, string>();
  for (const [name, value] of wanted) {
    for (const form of writtenForms(value)) names.set(form.toLowerCase(), name);
  }
  // The longest first: a number in full rather than its digits.
  const forms = [...names.keys()].toSorted((a, b) => b.length - a.length).map((form) => RegExp.escape(form));
  const pattern = new RegExp(forms.join('|'), 'gi');
  return (bytes) => {
    const found = bytes.toString('latin1').match(pattern) ?? [];
    return [...new Set(found.map((form) => names.get(form.toLowerCase()) ?? form))].toSorted();
  };
}

function writtenForms(value: string): string[] {
  const digits = value.replaceAll(/[^0-9A-Za-z]/g, '');
  const spelled = [...new Set([value, value.toLowerCase(), value.toUpperCase(), digits])];
  return spelled.flatMap((text) => {
    const bytes = Buffer.from(text);
    return [text, bytes.toString('hex'), ...base64Cores(bytes).map(String)];
  });
}
