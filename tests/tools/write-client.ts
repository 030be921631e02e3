import { readFile, writeFile } from 'node:fs/promises';
import { NAMED_TOKENS } from '#foundation/lib/wire-names.ts';
import { generateClient } from '../../packages/client/generate.ts';

/** Writes what the client takes from docs/openapi.json: its types and its table of operations; a test compares them. */
const files = await generateClient(JSON.parse(await readFile('docs/openapi.json', 'utf8')), NAMED_TOKENS);
for (const [name, text] of Object.entries(files)) {
  await writeFile(`packages/client/src/generated/${name}`, text);
}
