import type { Ordered } from '#tests/harness/command-line.ts';
import type { Finished } from '#tests/harness/corridor-process.ts';

const [main = ''] = process.argv.slice(2);
const { runCommandLine } = (await import(main)) as typeof import('#cli/main.ts');

/** The process of command-line.ts: runs the commands that it is sent, one at a time. */
process.on('message', async ({ words, environment, folder }: Ordered) => {
  const own = process.env;
  const home = process.cwd();
  // Only the given settings: those of the person who runs the tests must not matter.
  process.env = { PATH: own.PATH, HOME: own.HOME, ...environment };
  if (folder !== undefined) process.chdir(folder);
  const stdout = capture(process.stdout);
  const stderr = capture(process.stderr);
  await runCommandLine(words);
  process.stdout.removeAllListeners('error');
  const finished: Finished = { code: Number(process.exitCode ?? 0), stdout: stdout(), stderr: stderr() };
  process.exitCode = undefined;
  process.env = own;
  process.chdir(home);
  process.send?.(finished);
});

/** Captures everything that is written from now on. The returned function gives it, and restores the stream. */
function capture(stream: NodeJS.WriteStream): () => string {
  let text = '';
  stream.write = (chunk: string | Uint8Array) => {
    text += chunk;
    return true;
  };
  return () => {
    // The prototype's own, again.
    Reflect.deleteProperty(stream, 'write');
    return text;
  };
}
