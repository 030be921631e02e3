import assert from 'node:assert/strict';
import { glob, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { codeBlocks } from '#tests/checks/markdown.ts';

const DOCUMENTS = ['docs/**/*.md', 'src/**/*.md', 'deploy/*.md', 'packages/{client,console}/*.md', '*.md'];
/** Migrations are never edited, so they name files as they were when each was written. */
const SOURCES = ['{src,tests,bench,packages/{client,console}/src}/**/*.{ts,tsx,sql}'];
/** Every file that may be named; hidden and generated folders are not. */
const FILES = [
  '{src,tests,bench,bin,migrations,docs,deploy,packages/{client,console}/src}/**/*.*',
  'packages/{client,console}/*.*',
  '*.*',
];

/** A file by its extension, or a folder by the top-level names of the repository. */
const FILE = /(?<![\w…-])[\w.#][\w.#-]*(?:\/[\w.-]+)*\.(?:ts|mjs|sql|md|json|cmd)\b(?![\w(/-])/g;
const FOLDER = /(?<![\w/.#<…-])(?:src|tests|docs|bench|bin|migrations|deploy)\/(?:[\w.-]+\/)*(?![\w.*{<-])/g;

/** Stand in most folders of `src/`. */
const COMMON = ['routes.ts', 'schemas.ts', 'store.ts', 'examples.ts'];

/** Texts that look like a file of ours and are not: external or generated files, an address, a tagged template. */
const NOT_OURS: readonly string[] = [
  ...['drill-report.md', 'IFSC.json', 'corridor.cdx.json', 'console/api/openapi.json', 'tx.sql'],
];

interface Mention {
  /** The file that contains it. */
  readonly path: string;
  readonly line: number;
  readonly name: string;
}

describe('paths in documents and comments', async () => {
  const files = await find(FILES);
  const known = new Set(files);
  const names = new Set(files.map((path) => basename(path)));

  it('every document names files and folders that exist', async () => {
    const mentions = (await readAll(DOCUMENTS)).flatMap(([path, text]) => {
      const own = filesMadeIn(text);
      return findMentions(path, text).filter(({ name }) => !own.has(name));
    });
    assert.ok(mentions.length > 100);
    assert.deepEqual(await missing(mentions, known, names), []);
  });

  it('every comment names files and folders that exist', async () => {
    const mentions = (await readAll(SOURCES)).flatMap(([path, text]) => findMentions(path, commentsOf(text)));
    assert.ok(mentions.length > 100);
    assert.deepEqual(await missing(mentions, known, namesNear), []);

    /** A bare name in a comment is a file of the same folder of a floor, or one that every capability has. */
    function namesNear(path: string): ReadonlySet<string> {
      const folder = /^src\/[^/]+\/[^/]+\/|^[^/]+\//.exec(path)?.[0] ?? '';
      const near = files.filter((file) => file.startsWith(folder)).map((file) => basename(file));
      return new Set([...near, ...COMMON]);
    }
  });
});

/** The files that a document's reader saves: blocks with a file name, and files that its shell code writes. */
function filesMadeIn(text: string): ReadonlySet<string> {
  const written = [...text.matchAll(/^cat > (\S+) <</gm)].map(([, name = '']) => name);
  return new Set([...codeBlocks(text).map(({ file }) => file), ...written]);
}

async function missing(
  mentions: readonly Mention[],
  known: ReadonlySet<string>,
  names: ReadonlySet<string> | ((path: string) => ReadonlySet<string>),
): Promise<string[]> {
  const found = await Promise.all(
    mentions.map(async ({ path, line, name }) => {
      const bare = typeof names === 'function' ? names(path) : names;
      const places = [name, join(dirname(path), name), name.replace('#', 'src/')];
      const isThere = name.endsWith('/')
        ? await isFolder(name)
        : places.some((place) => known.has(place)) || bare.has(name) || isRules(name, known);
      return isThere ? [] : [`${path}:${line}: ${name}`];
    }),
  );
  return found.flat();
}

/** `money.md §3.1` is a rule of docs/rules/money.md. */
function isRules(name: string, known: ReadonlySet<string>): boolean {
  return known.has(`docs/rules/${name}`);
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function findMentions(path: string, text: string): Mention[] {
  return text.split('\n').flatMap((content, i) => {
    const plain = content.replace(/https?:\/\/\S+/g, '');
    const found = [...plain.matchAll(FILE), ...plain.matchAll(FOLDER)];
    return found.filter(([name]) => !NOT_OURS.includes(name)).map(([name]) => ({ path, line: i + 1, name }));
  });
}

/** The text with everything but comments blanked, so that lines keep their numbers. */
function commentsOf(text: string): string {
  return text
    .split('\n')
    .map((line) => /^\s*(?:\/\*|\*|\/\/|--)(.*)$|\s(?:\/\/|--)\s(.*)$/.exec(line)?.slice(1).join(' ') ?? '')
    .join('\n');
}

async function readAll(patterns: readonly string[]): Promise<(readonly [string, string])[]> {
  const paths = await find(patterns);
  return Promise.all(paths.map(async (path) => [path, await readFile(path, 'utf8')] as const));
}

async function find(patterns: readonly string[]): Promise<string[]> {
  const found = await Promise.all(patterns.map((pattern) => Array.fromAsync(glob(pattern))));
  return [...new Set(found.flat())].sort();
}
