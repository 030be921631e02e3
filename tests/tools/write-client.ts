import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { NAMED_TOKENS } from '#foundation/lib/wire-names.ts';
import { generateOperatorClient } from '#tests/tools/operator-client.ts';
import { generateClient } from '../../packages/client/generate.ts';

/** Generates the clients' types and tables of operations from the documents; tests compare them. */
await write(
  'packages/client/src/generated',
  await generateClient(await readJson('docs/openapi.json'), NAMED_TOKENS),
);
await write(
  'packages/console/src/api/operator/generated',
  await generateOperatorClient(await readJson('docs/operators.openapi.json'), NAMED_TOKENS),
);

async function readJson(path: string) {
  return JSON.parse(await readFile(path, 'utf8'));
}

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(`${folder}/${name}`, text);
}
