#!/usr/bin/env -S node --max-semi-space-size=8
// Plain JavaScript that any Node can read: it brings the command to the Node that the project needs. With more room
// for young objects than the first line allows, a server under load would hold a hundred megabytes of garbage.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE_MAJOR = 24;
const MARK = 'CORRIDOR_NODE_CHOSEN';

if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR) {
  delete process.env[MARK];
  quietExperimentalWarnings();
  // Halves the time to start. It lies among the code itself, so that only whoever may change that can fill it.
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/corridor', import.meta.url)));
  const { runCommandLine } = await import('../src/cli/main.ts');
  await runCommandLine(process.argv.slice(2));
} else {
  runElsewhere();
}

/** Built-in parts that are marked experimental are a choice of ours, not news for the operator. */
function quietExperimentalWarnings() {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') console.error(`${warning.name}: ${warning.message}`);
  });
}

function runElsewhere() {
  const node = process.env[MARK] ? undefined : findNode();
  if (!node) {
    console.error(
      `corridor: needs Node.js ${NODE_MAJOR} or newer, and this is ${process.version}; ` +
        'install the packages again with their optional dependencies, or use a newer Node.js',
    );
    process.exitCode = 1;
    return;
  }
  const child = spawn(node, ['--max-semi-space-size=8', ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, [MARK]: '1' },
  });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`corridor: cannot run ${node}: ${error.message}`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    for (const name of signals) process.removeAllListeners(name);
    // Ending the same way tells the caller the same thing.
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code ?? 1;
  });
}

function findNode() {
  const program = process.platform === 'win32' ? 'node.exe' : 'bin/node';
  const kind = `${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  for (const name of [`node-${kind}`, `node-bin-${kind}`]) {
    try {
      const path = join(dirname(require.resolve(`${name}/package.json`)), program);
      if (existsSync(path)) return path;
    } catch {
      // This package is for another machine, or was left out.
    }
  }
  const linked = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));
  return existsSync(linked) ? linked : undefined;
}
