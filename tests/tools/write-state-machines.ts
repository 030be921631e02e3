import { writeFile } from 'node:fs/promises';
import { drawStateMachines } from '#tests/checks/state-machines.ts';

await writeFile(new URL('../../docs/state-machines.md', import.meta.url), drawStateMachines());
