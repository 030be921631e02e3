import { readFile, writeFile } from 'node:fs/promises';
import { writeRefusalModule } from '#tests/checks/refusal-table.ts';

const at = (path: string) => new URL(`../../${path}`, import.meta.url);
const rules = await readFile(at('docs/rules/platform.md'), 'utf8');
await writeFile(at('packages/console/src/developer/requests/refusals.ts'), writeRefusalModule(rules));
