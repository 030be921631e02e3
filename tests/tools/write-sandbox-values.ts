import { writeFile } from 'node:fs/promises';
import { writeSandboxValues } from '#tests/checks/sandbox-values.ts';

const module = new URL('../../packages/console/src/api/sandbox-values.ts', import.meta.url);
await writeFile(module, writeSandboxValues());
