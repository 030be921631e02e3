import { execFileSync } from 'node:child_process';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '../..');

/** Builds the package as others get it, JavaScript with declarations, in a folder; gives the path of its archive there. */
export async function packClient(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', join(HERE, 'tsconfig.build.json'), '--outDir', folder]);
  const { private: _private, devDependencies: _forUs, exports, ...shared } = await readJson('package.json');
  const built = Object.entries<string>(exports).map(([name, source]) => {
    const path = source.replace('./src/', './').replace(/\.ts$/, '');
    return [name, { types: `${path}.d.ts`, default: `${path}.js` }];
  });
  const manifest = { ...shared, exports: Object.fromEntries(built) };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await cp(join(HERE, 'README.md'), join(folder, 'README.md'));
  await cp(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  const packed = execFileSync('npm', ['pack', '--silent'], { cwd: folder, encoding: 'utf8' });
  return join(folder, packed.trim());
}

async function readJson(name: string) {
  return JSON.parse(await readFile(join(HERE, name), 'utf8'));
}

if (import.meta.main) console.log(await packClient(join(HERE, 'dist')));
