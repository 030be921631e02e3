import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { codeBlocks } from '#tests/checks/markdown.ts';

export interface WalletsPage {
  /** The folder of the page's files, with the project's packages beside them. */
  readonly folder: string;
  /** By name, as in the page: blocks that name the same file are joined. */
  readonly files: ReadonlyMap<string, string>;
  remove(): Promise<void>;
}

/** The code of docs/wallets.md, as copied by a reader. */
export async function copyWalletsPage(): Promise<WalletsPage> {
  const files = new Map<string, string>();
  for (const { file, text } of codeBlocks(await readFile('docs/wallets.md', 'utf8'))) {
    if (file) files.set(file, [files.get(file), text].filter(Boolean).join('\n'));
  }
  const folder = await mkdtemp(join(tmpdir(), 'corridor-wallets-page-'));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  for (const [name, text] of files) await writeFile(join(folder, name), text);
  return { folder, files, remove: () => rm(folder, { recursive: true, force: true }) };
}
