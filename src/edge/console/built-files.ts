import { createHash, randomUUID } from 'node:crypto';
import { access, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type CachedContent, cacheContent } from '#foundation/http/document/cached-content.ts';

/** The folder above src/. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** An image carries the built console here, and no sources of it. */
const PACKAGED = 'packages/console/dist';
const PACKAGED_KEY = 'packaged';
const BUILDER = 'packages/console/build.ts';
const CACHE = 'node_modules/.cache/corridor-console';
/** Everything that a build depends on: folders and files. */
const SOURCES = ['packages/console/src', 'packages/client/src'];
const SOURCE_FILES = [
  'packages/console/build.ts',
  'packages/console/package.json',
  'src/foundation/http/look.css',
  'package-lock.json',
];

/** The built console: names are relative to its folder, such as `assets/main-1A2B3C.js`. */
export interface BuiltConsole {
  readonly entry: string;
  readonly styles: readonly string[];
  /** What the entry imports. */
  readonly preloads: readonly string[];
  readonly files: ReadonlyMap<string, CachedContent>;
}

/** Opens the built console. In a checkout it builds it first, once for each state of the sources. */
export class ConsoleFiles {
  readonly #root: string;
  #opened: { readonly key: string; readonly built: Promise<BuiltConsole> } | undefined;
  /** The hash of the sources, and when they were written. */
  #hashed: { readonly written: string; readonly key: Promise<string> } | undefined;

  constructor(root = ROOT) {
    this.#root = root;
  }

  async open(): Promise<BuiltConsole> {
    const key = (await this.#readKey()) ?? PACKAGED_KEY;
    if (this.#opened?.key !== key) this.#opened = { key, built: this.#load(key) };
    return this.#opened.built;
  }

  /** Undefined: there are no sources. They are read again only if a file of them was written since. */
  async #readKey(): Promise<string | undefined> {
    const paths = await listSources(this.#root);
    if (paths === undefined) return undefined;
    const written = await readTimes(this.#root, paths);
    if (this.#hashed?.written !== written) {
      this.#hashed = { written, key: hashSources(this.#root, paths) };
    }
    return this.#hashed.key;
  }

  /** The last opened one: reading a file must not look at all the sources. */
  async current(): Promise<BuiltConsole> {
    return this.#opened?.built ?? this.open();
  }

  async #load(key: string): Promise<BuiltConsole> {
    try {
      return await readBuilt(
        key === PACKAGED_KEY ? join(this.#root, PACKAGED) : await build(this.#root, key),
      );
    } catch (error) {
      // The next visitor tries again.
      if (this.#opened?.key === key) this.#opened = undefined;
      throw error;
    }
  }
}

/** Undefined: there are no sources. */
async function listSources(root: string): Promise<string[] | undefined> {
  const listed = await Promise.all(SOURCES.map((folder) => listFiles(root, folder)));
  return listed[0]?.length === 0 ? undefined : [...listed.flat(), ...SOURCE_FILES].sort();
}

/** Changes whenever a file is written, removed or added. */
async function readTimes(root: string, paths: readonly string[]): Promise<string> {
  const times = paths.map(async (path) => {
    const found = await stat(join(root, path), { bigint: true }).catch(() => undefined);
    return `${path} ${found?.ino} ${found?.size} ${found?.ctimeNs} ${found?.mtimeNs}`;
  });
  return (await Promise.all(times)).join('\n');
}

async function hashSources(root: string, paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of paths) {
    const content = await readFile(join(root, path)).catch(() => '');
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 32);
}

async function listFiles(root: string, folder: string): Promise<string[]> {
  const found = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(() => []);
  return found
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

/** Builds aside and renames, so that a folder is complete, whichever of several processes was first. */
async function build(root: string, key: string): Promise<string> {
  const folder = join(root, CACHE, key);
  if (await isThere(folder)) return folder;
  const { buildConsole } = (await import(pathToFileURL(join(root, BUILDER)).href)) as {
    buildConsole(folder: string): Promise<void>;
  };
  const aside = `${folder}-${randomUUID()}`;
  try {
    await buildConsole(aside);
    await rename(aside, folder);
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    if (!(await isThere(folder))) throw error;
  }
  return folder;
}

function isThere(folder: string): Promise<boolean> {
  return access(join(folder, 'manifest.json')).then(
    () => true,
    () => false,
  );
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.map': 'application/json; charset=utf-8',
};

/** A name contains the hash of its content, so browsers may keep the content for ever. */
async function readBuilt(folder: string): Promise<BuiltConsole> {
  const { entry, styles, preloads, files } = JSON.parse(
    await readFile(join(folder, 'manifest.json'), 'utf8'),
  ) as {
    readonly entry: string;
    readonly styles: readonly string[];
    readonly preloads: readonly string[];
    readonly files: readonly string[];
  };
  const contents = files.map(async (name): Promise<[string, CachedContent]> => {
    const type = TYPES[extname(name)] ?? 'application/octet-stream';
    const headers = { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' };
    return [name, await cacheContent(await readFile(join(folder, name)), headers)];
  });
  return { entry, styles, preloads, files: new Map(await Promise.all(contents)) };
}
