import { describe, it } from 'node:test';
import { killDrill } from '#tests/drills/kill-drill.ts';

describe('kill -9', () => {
  it('of server and database under load: nothing acknowledged is lost, nothing counted twice', async (t) => {
    await killDrill({ rounds: 4, callers: 4, say: (line) => t.diagnostic(line) });
  });
});
