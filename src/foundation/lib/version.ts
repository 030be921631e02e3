import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const HASH = /^[0-9a-f]{40,64}$/;

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

/** The version that runs, as package.json says. */
export const VERSION = manifest.version;

/**
 * The commit that runs, shortened: from the file `COMMIT` that an image is built with, else from the clone. Code that comes
 * with neither has none.
 */
export function readCommit(root = ROOT): string | undefined {
  const commit = readLine(join(root, 'COMMIT')) || readHead(root);
  return commit !== undefined && HASH.test(commit) ? commit.slice(0, 12) : undefined;
}

/** Version and commit in one line, for people. */
export function describeVersion(): string {
  const commit = readCommit();
  return commit === undefined ? VERSION : `${VERSION} (commit ${commit})`;
}

/** The commit that a clone is at, read from Git's own files: Git itself may not be installed where the service runs. */
function readHead(root: string): string | undefined {
  // In a worktree `.git` is a file that names the folder.
  const elsewhere = readLine(join(root, '.git'))?.match(/^gitdir: (.+)$/)?.[1];
  const folder = resolve(root, elsewhere ?? '.git');
  const head = readLine(join(folder, 'HEAD'));
  const branch = head?.match(/^ref: (refs\/.+)$/)?.[1];
  if (branch === undefined) return head;
  const common = resolve(folder, readLine(join(folder, 'commondir')) ?? '.');
  return readLine(join(common, branch)) ?? findPacked(common, branch);
}

function findPacked(folder: string, branch: string): string | undefined {
  const lines = readText(join(folder, 'packed-refs'))?.split('\n');
  return lines?.find((line) => line.endsWith(` ${branch}`))?.split(' ')[0];
}

function readLine(path: string): string | undefined {
  return readText(path)?.trim();
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
