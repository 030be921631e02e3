import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import { fillOnce } from '#tests/harness/fill-once.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The binary that users start. */
export const REAL_BINARY = join(ROOT, 'bin/corridor.mjs');

/** The variable that names the folder of a run of tests to its processes. */
export const RUN_FOLDER = 'TEST_RUN_FOLDER';

let bundled: Promise<string> | undefined;

/**
 * The binary that tests start. In a run it is a bundle of the same program, made once, by the first test that needs it:
 * each start takes half as long, because Node.js loads a few files in place of two thousand modules. Outside a run, such as
 * in a drill, it is the real one.
 */
export function testedBinary(): Promise<string> {
  const folder = process.env[RUN_FOLDER];
  if (folder === undefined) return Promise.resolve(REAL_BINARY);
  bundled ??= bundleOnce(join(folder, 'binary'));
  return bundled;
}

async function bundleOnce(folder: string): Promise<string> {
  const entry = join(folder, 'corridor.mjs');
  await fillOnce(folder, async () => {
    await bundle(folder);
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await writeFile(entry, ENTRY);
  });
  return entry;
}

/** As bin/corridor.mjs, for a Node.js that is new enough. */
const ENTRY = `import module from 'node:module';
module.enableCompileCache(new URL('cache', import.meta.url).pathname);
const { runCommandLine } = await import('./main.mjs');
await runCommandLine(process.argv.slice(2));
`;

async function bundle(folder: string): Promise<void> {
  const { build, stop } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/cli/main.ts'],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // Modules that are loaded only when they are needed stay apart.
    splitting: true,
    format: 'esm',
    platform: 'node',
    // Some packages have a variant for older bundlers that cannot be followed.
    mainFields: ['module', 'main'],
    banner: {
      js: `import { createRequire as ownRequire } from 'node:module'; const require = ownRequire(import.meta.url);`,
    },
    external: APART,
    logLevel: 'error',
    metafile: true,
    plugins: [SOURCES],
  });
  await stop();
  const loaded = Object.values(metafile.inputs).flatMap(({ imports }) => imports);
  const crippled = loaded.filter(
    ({ kind, path }) => kind === 'dynamic-import' && metafile.inputs[path]?.format === 'cjs',
  );
  if (crippled.length > 0) throw new Error(`to be listed in APART: ${crippled.map(({ path }) => path)}`);
}

/** CommonJS packages that a module loads by `import()`: in the bundle they would have a default export only. */
const APART = ['pino', 'pino-pretty'];

/** Our modules find files beside them, such as migrations, by their own address: they keep it. */
const SOURCES: Plugin = {
  name: 'sources',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const url = JSON.stringify(pathToFileURL(path).href);
      return { contents: text.replaceAll('import.meta.url', url), loader: 'ts' };
    });
  },
};
