import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Runs one file of tests with these settings in its environment, which must pass. Returns the lines that it printed. */
export async function runTest(file: string, settings: Readonly<Record<string, number>>): Promise<string[]> {
  const given = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));
  const child = spawn(process.execPath, ['tests/run.ts', file], {
    env: { ...process.env, ...given },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on('line', (line) => void lines.push(line));
  }
  const [code] = await once(child, 'close');
  const words = Object.entries(given).map(([name, value]) => `${name}=${value}`);
  assert.equal(code, 0, `${words.join(' ')} fails:\n${lines.join('\n')}`);
  return lines;
}
