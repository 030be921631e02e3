/** A code of a refusal: the section of the rules that lists it, and the cell that says when it is sent. */
export interface ListedRefusal {
  readonly code: string;
  readonly rule: string;
  readonly when: string;
}

/** Reads the tables of platform.md §10, which list every code. */
export function readRefusals(platformRules: string): ListedRefusal[] {
  const found: ListedRefusal[] = [];
  let section: string | undefined;
  for (const line of platformRules.split('\n')) {
    if (line.startsWith('#')) section = /^### (10\.\d+) /.exec(line)?.[1];
    const [, first = '', when = ''] = /^\| (.+?) \| (.+) \|$/.exec(line) ?? [];
    if (section === undefined) continue;
    for (const [, code = ''] of first.matchAll(/`([A-Z_]+)`/g)) {
      found.push({ code, rule: `platform.md \u00a7${section}`, when });
    }
  }
  return found;
}

/** The module of the console that explains refusals. */
export function writeRefusalModule(platformRules: string): string {
  const rows = readRefusals(platformRules)
    .sort((a, b) => (a.code < b.code ? -1 : 1))
    .map(({ code, rule, when }) => `  ${code}: [${quote(rule)}, ${quote(when)}],\n`);
  return `${HEAD}${rows.join('')}};\n`;
}

const HEAD = `// biome-ignore-all format: a program wrote it

/** Written by \`npm run console:refusals\` from platform.md §10: the rule that lists a code, and when it is sent. */
export const REFUSALS: Readonly<Record<string, readonly [rule: string, when: string]>> = {
`;

function quote(text: string): string {
  return text.includes("'") && !text.includes('"') ? `"${text}"` : `'${text.replaceAll("'", "\\'")}'`;
}
