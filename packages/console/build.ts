import { createHash } from 'node:crypto';
import { glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';

const HERE = dirname(fileURLToPath(import.meta.url));
const ENTRY = 'src/app/main.tsx';

/** The variables that every page of Corridor shares. */
const LOOK = join(HERE, '../../src/foundation/http/look.css');

/** Styles of a later room may override those of an earlier one. */
const ROOMS = ['look', 'ui', 'app', 'developer', 'operator'];

/** What the server must know of a build. */
export interface ConsoleManifest {
  readonly entry: string;
  readonly styles: readonly string[];
  /** What the entry imports: a browser that knows of it at once loads all of it together. */
  readonly preloads: readonly string[];
  readonly files: readonly string[];
  /** Gzipped bytes: of everything that the shell loads, and of what each further route adds to it. */
  readonly routes: Readonly<Record<string, number>>;
}

/** Builds the console into a folder: hashed files in `assets`, and `manifest.json`, which is written last. */
export async function buildConsole(outDir: string): Promise<void> {
  await rm(outDir, { recursive: true, force: true });
  await mkdir(join(outDir, 'assets'), { recursive: true });
  const [styles, { outputs }] = await Promise.all([buildStyles(outDir), buildScripts(outDir)]);
  const nameOf = (path: string) => relative(outDir, join(HERE, path)).split(sep).join('/');
  const entry = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === ENTRY);
  if (entry === undefined) throw new Error('the build has no entry');
  const manifest: ConsoleManifest = {
    entry: nameOf(entry),
    styles: [styles],
    preloads: [...closureOf(outputs, entry)].filter((path) => path !== entry).map(nameOf),
    files: [...Object.keys(outputs).map(nameOf), styles].sort(),
    routes: await measureRoutes(outputs, entry, join(outDir, styles)),
  };
  await writeFile(join(outDir, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

async function buildScripts(outDir: string): Promise<Metafile> {
  const { metafile } = await build({
    entryPoints: { main: ENTRY },
    absWorkingDir: HERE,
    outdir: outDir,
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome123', 'firefox121', 'safari17.5'],
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // Libraries that were written for React find what they need in Preact.
    alias: { react: 'preact/compat', 'react-dom': 'preact/compat' },
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
    metafile: true,
    logLevel: 'error',
  });
  return metafile;
}

/** Bundles every .css file below src/ into one: a few kilobytes, so that no route loads without its styles. */
async function buildStyles(outDir: string): Promise<string> {
  const own = await Array.fromAsync(glob('src/**/*.css', { cwd: HERE }));
  const roomOf = (path: string) => ROOMS.indexOf(path.split(sep)[1] ?? '');
  own.sort((a, b) => roomOf(a) - roomOf(b) || (a < b ? -1 : 1));
  const paths = [LOOK, 'uplot/dist/uPlot.min.css', ...own.map((path) => join(HERE, path))];
  const { outputFiles } = await build({
    stdin: {
      contents: paths.map((path) => `@import ${JSON.stringify(path)};`).join('\n'),
      loader: 'css',
      resolveDir: HERE,
    },
    bundle: true,
    minify: true,
    write: false,
    target: ['chrome123', 'firefox121', 'safari17.5'],
    logLevel: 'error',
  });
  const text = outputFiles[0]?.text ?? '';
  const name = `assets/main-${createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase()}.css`;
  await writeFile(join(outDir, name), text);
  return name;
}

/** The shell counts with its styles; a further route counts with all that it loads and the shell does not. */
async function measureRoutes(
  outputs: Metafile['outputs'],
  entry: string,
  styles: string,
): Promise<Record<string, number>> {
  const sizes = new Map<string, number>();
  for (const path of Object.keys(outputs)) sizes.set(path, gzipSync(await readFile(join(HERE, path))).length);
  const shell = closureOf(outputs, entry);
  const sum = (paths: Iterable<string>) => [...paths].reduce((all, path) => all + (sizes.get(path) ?? 0), 0);
  const routes = Object.entries(outputs)
    .filter(([path, { entryPoint }]) => entryPoint !== undefined && path !== entry)
    .map(([path, { entryPoint = '' }]) => {
      const added = [...closureOf(outputs, path)].filter((needed) => !shell.has(needed));
      return [entryPoint.replace(/^src\//, ''), sum(added)] as const;
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const shellBytes = sum(shell) + gzipSync(await readFile(styles)).length;
  return { shell: shellBytes, ...Object.fromEntries(routes) };
}

/** A file with all that it imports at once. */
function closureOf(outputs: Metafile['outputs'], path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const { path: next, kind } of outputs[path]?.imports ?? []) {
    if (kind === 'import-statement') closureOf(outputs, next, found);
  }
  return found;
}

if (import.meta.main) await buildConsole(process.argv[2] ?? join(HERE, 'dist'));
