import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { serve } from '#tests/corridor-process.ts';
import { createTestDatabase } from '#tests/databases.ts';
import { isAsTold, outputsOf, scriptOf, stepsOf } from '#tests/guides.ts';

const AUTH = `${'a'.repeat(32)}:${randomBytes(24).toString('hex')}`;
const [tokenId = '', clientSecret = ''] = AUTH.split(':');

describe('the guides of docs/guides', async () => {
  const guides = (await Array.fromAsync(glob('docs/guides/*.md'))).sort();
  assert.ok(guides.length > 0);

  for (const path of guides) {
    it(`${path}: its shell code runs as it stands, on a new service, and prints what the guide says`, async (t) => {
      const steps = stepsOf(await readFile(path, 'utf8'));
      assert.ok(steps.length > 0, 'it has no shell code');
      const database = await createTestDatabase();
      t.after(() => database.drop());
      const server = await serve({
        DATABASE_URL: database.url,
        ENCRYPTION_KEY: randomBytes(32).toString('base64'),
        API_TOKEN_ID: tokenId,
        API_CLIENT_SECRET: clientSecret,
      });
      t.after(async () => {
        server.kill('SIGTERM');
        await server.finished;
      });
      const folder = await mkdtemp(join(tmpdir(), 'corridor-guide-'));
      t.after(() => rm(folder, { recursive: true, force: true }));
      const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-euc', scriptOf(steps)], {
        cwd: folder,
        env: { PATH: process.env.PATH, API: server.told.baseUrl, AUTH },
      });
      assert.equal(stderr, '', `${path} complains`);
      const outputs = outputsOf(stdout);
      for (const [i, { prints, line }] of steps.entries()) {
        const printed = outputs[i] ?? '';
        assert.ok(prints === undefined || isAsTold(prints, printed), `${path}:${line} printed\n${printed}`);
      }
    });
  }
});
