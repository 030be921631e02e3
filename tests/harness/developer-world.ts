import assert from 'node:assert/strict';
import { connectionTo } from '#tests/client/given-client.ts';
import { command } from '#tests/harness/command-line.ts';
import type { Environment, Finished } from '#tests/harness/corridor-process.ts';
import type { TestPlatform, World } from '#tests/harness/harness.ts';

/** What a developer's shell has set to call this platform: the line that `npm start` prints. */
export async function shellOf(world: World, platform: TestPlatform): Promise<Environment> {
  const { baseUrl, tokenId, clientSecret } = await connectionTo(world, platform);
  return { CORRIDOR_URL: baseUrl, CORRIDOR_AUTH: `${tokenId}:${clientSecret}` };
}

/** What a command for developers prints, on a platform of a test; it must succeed. */
export async function develop(world: World, platform: TestPlatform, ...words: string[]): Promise<string> {
  const done = await tryToDevelop(world, platform, ...words);
  assert.equal(done.code, 0, done.stderr);
  return done.stdout;
}

export async function tryToDevelop(
  world: World,
  platform: TestPlatform,
  ...words: string[]
): Promise<Finished> {
  return command(words, await shellOf(world, platform));
}
