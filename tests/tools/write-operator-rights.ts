import { readFile, writeFile } from 'node:fs/promises';
import { withOperatorRights } from '#tests/checks/operator-rights.ts';

const path = new URL('../../SECURITY.md', import.meta.url);
await writeFile(path, withOperatorRights(await readFile(path, 'utf8')));
