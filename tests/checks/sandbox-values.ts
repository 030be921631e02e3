import { rowsOf, SANDBOX_TABLES } from '#edge/sandbox/page/tables.ts';

/** The tables whose values a form of the console offers. */
const OFFERED: readonly string[] = ['cross-currency-payouts', 'same-currency-payouts', 'card-issuance'];

/** The module of the console with the values that choose an outcome in the sandbox. */
export function writeSandboxValues(): string {
  const tables = OFFERED.map((id) => {
    const table = SANDBOX_TABLES.find((one) => one.id === id);
    if (!table) throw new Error(`There is no table ${id}.`);
    const rows = rowsOf(table).map(
      ({ value, example, effect }) =>
        `    [${JSON.stringify(value)}, ${JSON.stringify(example)}, ${JSON.stringify(effect.replaceAll('`', ''))}],\n`,
    );
    return `  ${JSON.stringify(id)}: [\n${rows.join('')}  ],\n`;
  });
  return `${HEAD}${tables.join('')}};\n`;
}

const HEAD = `// biome-ignore-all format: a program wrote it

/** The value that chooses a row of a table of /docs/sandbox, an example that contains it, and what happens then. */
export type SandboxValue = readonly [value: string, example: string, effect: string];

/** Written by \`npm run console:values\` from the sandbox's tables, by their anchors. The default comes last. */
export const SANDBOX_VALUES: Readonly<Record<'cross-currency-payouts' | 'same-currency-payouts' | 'card-issuance', readonly SandboxValue[]>> = {
`;
