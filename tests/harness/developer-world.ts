import assert from 'node:assert/strict';
import { connectionTo } from '#tests/client/given-client.ts';
import { command } from '#tests/harness/command-line.ts';
import type { Environment, Finished } from '#tests/harness/corridor-process.ts';
import type { TestPlatform, World } from '#tests/harness/harness.ts';

/** The settings of a developer's shell for this platform: the line that `npm start` prints. */
export async function shellEnvironment(world: World, platform: TestPlatform): Promise<Environment> {
  const { baseUrl, tokenId, clientSecret } = await connectionTo(world, platform);
  return { CORRIDOR_URL: baseUrl, CORRIDOR_AUTH: `${tokenId}:${clientSecret}` };
}

/** Returns the output of a command for developers on a test's platform; the command must succeed. */
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
  return command(words, await shellEnvironment(world, platform));
}
