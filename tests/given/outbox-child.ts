import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ChildSettings } from '#tests/harness/outbox-child.ts';
import type { OutboxWorld } from '#tests/harness/outbox-world.ts';

const CHILD = fileURLToPath(new URL('../harness/outbox-child.ts', import.meta.url));

export interface OutboxChild {
  said(line: string): Promise<void>;
  /** Kills it. */
  end(): Promise<void>;
}

/** A worker in a separate process, whose clock stands still at the world's present time. */
export async function startOutboxChild(world: OutboxWorld): Promise<OutboxChild> {
  const settings: ChildSettings = {
    databaseUrl: world.databaseUrl,
    now: world.clock.now(),
    dataKeys: [...world.vaultKeys.data].map(([id, key]) => [id, Buffer.from(key).toString('hex')]),
    fingerprintKey: Buffer.from(world.vaultKeys.fingerprint).toString('hex'),
  };
  const child = spawn(process.execPath, [CHILD], {
    env: { ...process.env, OUTBOX_CHILD: JSON.stringify(settings) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const heard = new Set<string>();
  lines.on('line', (line) => heard.add(line));
  const said = async (line: string) => {
    while (!heard.has(line)) await once(lines, 'line');
  };
  await said('working');
  return { said, end: () => kill(child) };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
