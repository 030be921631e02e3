import { readFile, writeFile } from 'node:fs/promises';
import { NAMED_TOKENS } from '#foundation/lib/wire-names.ts';
import { generateClient } from '../../packages/client/generate.ts';

/** Generates the client's types and table of operations from docs/openapi.json; a test compares them. */
const files = await generateClient(JSON.parse(await readFile('docs/openapi.json', 'utf8')), NAMED_TOKENS);
for (const [name, text] of Object.entries(files)) {
  await writeFile(`packages/client/src/generated/${name}`, text);
}
