// lane: whole — the real binary

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';

describe('npm start', () => {
  it('a signal lets the service end cleanly: `npm start & … kill $!` leaves no process behind', {
    timeout: 300_000,
  }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'corridor-npm-'));
    const npm = spawn('npm', ['start'], {
      env: { ...process.env, DATA_DIR: join(folder, 'data'), PORT: '0', NODE_TEST_CONTEXT: undefined },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      let text = '';
      npm.stdout.setEncoding('utf8');
      for await (const chunk of npm.stdout) {
        text += chunk;
        if (text.includes('"msg":"Ready."') && !npm.killed) npm.kill('SIGTERM');
      }
      // The output ends with the last process that holds it open.
      assert.match(text, /SIGTERM: finishing/);
      assert.match(text, /"msg":"Stopped\."/);
      if (npm.exitCode === null && npm.signalCode === null) await once(npm, 'exit');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
