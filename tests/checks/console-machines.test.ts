import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { MACHINE_TITLES, MACHINES } from '../../packages/console/src/developer/payments/machines.ts';

describe('the state machines that the console draws', () => {
  it('are those of docs/state-machines.md, which is written from the code', async () => {
    const text = await readFile('docs/state-machines.md', 'utf8');
    for (const [name, title] of Object.entries(MACHINE_TITLES)) {
      const [, section = ''] = text.split(`\n## ${title}\n`);
      const [drawn = ''] = section.split('\n## ');
      const documented = [...drawn.matchAll(/^ {2}(\w+) --> (\w+):/gm)].map(
        ([, from, to]) => `${from} → ${to}`,
      );
      const shown = Object.entries(MACHINES[name as keyof typeof MACHINES]).flatMap(([from, next]) =>
        next.map((to) => `${from} → ${to}`),
      );
      assert.deepEqual(shown.sort(), [...new Set(documented)].sort(), title);
    }
  });
});
