import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { MACHINE_TITLES, MACHINES } from '../../packages/console/src/developer/payments/machines.ts';
import { layOutMachine } from '../../packages/console/src/ui/machine-layout.ts';

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

  it('have no line that runs through a state or along another line', () => {
    for (const [name, edges] of Object.entries(MACHINES)) {
      const { places, steps } = layOutMachine(edges, [], { along: 100, across: 30, gap: 20 });
      const order = [...places.keys()];
      assert.equal(steps.length, Object.values(edges).flat().length, name);
      for (const { from, to, lane } of steps) {
        if (lane === 0) assert.equal(order.indexOf(to), order.indexOf(from) + 1, `${name}: ${from} → ${to}`);
      }
      const beside = steps.filter(({ lane }) => lane !== 0);
      const ends = beside.flatMap(({ begin, end, lane }) => [begin, end].map((at) => `${lane > 0} ${at}`));
      assert.equal(new Set(ends).size, ends.length, `${name}: every line has its own place at a state`);
      for (const [i, one] of beside.entries()) {
        for (const other of beside.slice(i + 1).filter(({ lane }) => lane === one.lane)) {
          const [a = 0, b = 0] = [one.begin, one.end].sort((x, y) => x - y);
          const [c = 0, d = 0] = [other.begin, other.end].sort((x, y) => x - y);
          assert.ok(b < c || d < a, `${name}: ${one.from} → ${one.to}, ${other.from} → ${other.to}`);
        }
      }
    }
  });
});
