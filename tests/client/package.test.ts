// lane: whole — every example over HTTP; a package that is built

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { NAMED_TOKENS } from '#foundation/lib/wire-names.ts';
import { isAsTold, parseOutputs } from '#tests/checks/guides.ts';
import { codeBlocks } from '#tests/checks/markdown.ts';
import { openGuidedShell } from '#tests/harness/guided-shell.ts';
import { generateOperatorClient } from '#tests/tools/operator-client.ts';
import { packClient } from '../../packages/client/build.ts';
import { generateClient } from '../../packages/client/generate.ts';

const run = promisify(execFile);

describe('the client as a package', () => {
  let folder: string;
  let archive: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'corridor-client-'));
    archive = await packClient(join(folder, 'dist'));
    const installed = join(folder, 'node_modules/@corridor/client');
    await mkdir(installed, { recursive: true });
    await run('tar', ['-xzf', archive, '--strip-components=1', '-C', installed]);
    const { dependencies } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    for (const name of Object.keys(dependencies)) {
      const place = join(folder, 'node_modules', name);
      await mkdir(resolve(place, '..'), { recursive: true });
      await symlink(resolve('node_modules', name), place);
    }
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  });

  after(() => rm(folder, { recursive: true, force: true }));

  it('decision 0029: the generated files fit the present docs/openapi.json', async () => {
    const document = JSON.parse(await readFile('docs/openapi.json', 'utf8'));
    for (const [name, text] of Object.entries(await generateClient(document, NAMED_TOKENS))) {
      const path = `packages/client/src/generated/${name}`;
      assert.ok((await readFile(path, 'utf8')) === text, `${path} is old: run "npm run client:generate"`);
    }
  });

  it('the console’s client of operators fits the present docs/operators.openapi.json', async () => {
    const document = JSON.parse(await readFile('docs/operators.openapi.json', 'utf8'));
    for (const [name, text] of Object.entries(await generateOperatorClient(document, NAMED_TOKENS))) {
      const path = `packages/console/src/api/operator/generated/${name}`;
      assert.ok((await readFile(path, 'utf8')) === text, `${path} is old: run "npm run client:generate"`);
    }
  });

  it('decision 0029: it is JavaScript with declarations, readme and licence, and nothing else', async () => {
    const installed = join(folder, 'node_modules/@corridor/client');
    const files = await readdir(installed, { recursive: true, withFileTypes: true });
    const names = files.filter((file) => file.isFile()).map(({ name }) => name);
    assert.deepEqual(
      names.filter((name) => !/\.(js|d\.ts)$|^(package\.json|README\.md|LICENSE)$/.test(name)),
      [],
    );
    assert.ok(names.includes('index.js') && names.includes('wallet.d.ts'));
  });

  it('decision 0029: a plain module imports it, and a program with types compiles against it, for a browser too', async () => {
    const program = `
      import { createCorridor } from '@corridor/client';
      import { newSigningKey, stamp } from '@corridor/client/wallet';
      const { createQuote } = createCorridor({ baseUrl: 'http://localhost' });
      console.log(typeof createQuote, (await stamp(await newSigningKey(), 'text')).length > 100);`;
    await writeFile(join(folder, 'plain.mjs'), program);
    const { stdout } = await run(process.execPath, ['plain.mjs'], { cwd: folder });
    assert.equal(stdout, 'function true\n');
    await writeFile(
      join(folder, 'typed.ts'),
      program.replace('console.log(', 'String([').replace(/\);$/, ']);'),
    );
    const options = '--noEmit --strict --module nodenext --target es2022 --lib es2022,dom --types'.split(' ');
    const compiler = resolve('node_modules/typescript/bin/tsc');
    await run(process.execPath, [compiler, ...options, '', 'typed.ts'], { cwd: folder });
  });

  it('the programs of its README run unchanged, twice, in a folder of their own beside a new service', async (t) => {
    const blocks = codeBlocks(await readFile('packages/client/README.md', 'utf8'));
    const programs = blocks.flatMap(({ file, text }, i) =>
      file ? [{ file, text, prints: blocks[i + 1]?.text ?? '' }] : [],
    );
    assert.ok(programs.length >= 5);
    const shell = await openGuidedShell(t);
    const own = await mkdtemp(join(tmpdir(), 'corridor-client-readme-'));
    t.after(() => rm(own, { recursive: true, force: true }));
    for (const { file, text } of programs) await writeFile(join(own, file), text);
    const lines = [`cd ${own}`, `npm install --prefer-offline --no-audit --no-fund ${archive} > /dev/null`];
    for (const { file } of [...programs, ...programs]) lines.push(`echo '=== step '; node ${file}`);
    const { code, stdout, stderr } = await shell.run(lines.join('\n'));
    assert.equal(code, 0, stdout + stderr);
    assert.equal(stderr, '');
    const outputs = parseOutputs(stdout);
    for (const [i, { file, prints }] of [...programs, ...programs].entries()) {
      assert.ok(isAsTold(prints, outputs[i] ?? ''), `${file} printed\n${outputs[i]}`);
    }
  });
});
