#!/usr/bin/env -S node --max-semi-space-size=8
// Plain JavaScript that any Node.js can read: it brings the command to one that is new enough, or says what to do.
// Its limit on young objects keeps some fifty megabytes of garbage out of a server under load.
import { spawn } from 'node:child_process';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE_MAJOR = 26;
const HAS_BEEN_MOVED = 'CORRIDOR_NODE_CHOSEN';

if (process.platform === 'win32') {
  refuse(
    'runs on Linux and macOS; on Windows run it in WSL, https://learn.microsoft.com/windows/wsl/install',
  );
} else if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR) {
  delete process.env[HAS_BEEN_MOVED];
  // Halves the time to start. It lies among the code itself, so that only whoever may change that can fill it.
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/corridor', import.meta.url)));
  await import('./short-imports.mjs');
  const { runCommandLine } = await import('../src/cli/main.ts');
  await runCommandLine(process.argv.slice(2));
} else {
  runOnPackagedNode();
}

function runOnPackagedNode() {
  // A package that is older than the code, left from before an update, would come back here for ever.
  const node = process.env[HAS_BEEN_MOVED] ? undefined : findPackagedNode();
  if (!node) {
    refuseNode(
      'The packaged one is missing or outdated: run "npm ci" again with its optional packages (they are for ' +
        `Linux and macOS on x64 and arm64), or install Node.js ${NODE_MAJOR}`,
    );
    return;
  }
  const child = spawn(node, ['--max-semi-space-size=8', ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, [HAS_BEEN_MOVED]: '1' },
  });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on('error', ({ code }) => {
    refuseNode(
      `The packaged one cannot be run here (${code}): it needs glibc, which Alpine does not have. Use a system or ` +
        `image with glibc, such as Debian's, or install Node.js ${NODE_MAJOR} and set DATABASE_URL`,
    );
  });
  child.on('exit', (code, signal) => {
    for (const name of signals) process.removeAllListeners(name);
    // Ending the same way tells the caller the same thing.
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code ?? 1;
  });
}

function findPackagedNode() {
  const machine = `${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  for (const name of [`node-${machine}`, `node-bin-${machine}`]) {
    try {
      return join(dirname(require.resolve(`${name}/package.json`)), 'bin/node');
    } catch {
      // This package is for another machine, or was left out.
    }
  }
  return undefined;
}

function refuseNode(whatToDo) {
  refuse(`needs Node.js ${NODE_MAJOR} or newer, and this is ${process.version}. ${whatToDo}`);
}

function refuse(reason) {
  console.error(`corridor: ${reason}.`);
  process.exitCode = 1;
}
