import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { command } from '#tests/harness/command-line.ts';

describe('corridor mcp', () => {
  it('reports a token file that an earlier start left empty, and redeems no code', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'corridor-mcp-'));
    t.after(() => rm(folder, { recursive: true }));
    const path = join(folder, 'token');
    await writeFile(path, '', { mode: 0o600 });
    const words = ['mcp', '--url', 'http://localhost:1/svc', '--token-file', path, '--code', 'SVC-AGENT-X'];
    const { code, stderr } = await command(words, {});
    assert.equal(code, 1);
    assert.match(stderr, /token is empty: an earlier start stopped while it redeemed its code/);
    assert.doesNotMatch(stderr, /SVC-AGENT-X/);
  });
});
