import { spawn } from 'node:child_process';
import { glob, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '#database/embedded/start-embedded.ts';
import { prepareTemplate } from '#tests/databases.ts';

/**
 * Runs the tests: one throw-away PostgreSQL for the whole run, one process for all files.
 *
 *   npm test                      everything
 *   npm test -- src/http          files below a folder, or single files
 *
 * With `TEST_DATABASE_URL` on a server of your own, as a superuser: to try another version of PostgreSQL.
 */
const given = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const flags = process.argv.slice(2).filter((argument) => argument.startsWith('--'));

const outside = process.env.TEST_DATABASE_URL;
const code = outside ? await runOn(outside) : await runOnEmbedded();
process.exit(code);

async function runOnEmbedded(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'corridor-tests-'));
  const database = await startEmbedded({
    dataDir: folder,
    say: () => undefined,
    // Nothing here outlives the run: durability would only cost time. Crash tests bring clusters of their own.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
  });
  try {
    return await runOn(database.url);
  } finally {
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function runOn(url: string): Promise<number> {
  await prepareTemplate(url);
  return runTests(await testFiles(), url);
}

async function testFiles(): Promise<string[]> {
  const all = (await Array.fromAsync(glob('{src,tests}/**/*.test.ts'))).sort();
  if (given.length === 0) return all;
  return all.filter((file) => given.some((prefix) => file.startsWith(prefix.replace(/^\.\//, ''))));
}

function runTests(files: string[], url: string): Promise<number> {
  if (files.length === 0) {
    console.error('no test file matches');
    return Promise.resolve(1);
  }
  const child = spawn(
    process.execPath,
    ['--test', '--test-isolation=none', '--test-reporter=spec', '--enable-source-maps', ...flags, ...files],
    { stdio: 'inherit', env: { ...process.env, TEST_DATABASE_URL: url, NODE_ENV: 'test' } },
  );
  return new Promise((resolve) => child.on('exit', (exit) => resolve(exit ?? 1)));
}
