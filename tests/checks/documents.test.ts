import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { readConfig } from '#app/config.ts';
import { parseRateDocument } from '#capabilities/pricing/rate-source/rate-document.ts';
import { DOCUMENT_BLOCKS } from '#tests/checks/document-blocks.ts';
import { type CodeBlock, codeBlocks } from '#tests/checks/markdown.ts';
import { command } from '#tests/harness/command-line.ts';

/** Guides have a test of their own, which runs them. */
const DOCUMENTS = [
  '*.md',
  'docs/*.md',
  'docs/{decisions,rules}/*.md',
  'deploy/*.md',
  'packages/*/*.md',
  'src/**/*.md',
];

describe('code in documents', () => {
  it('is run by a named test, or is listed as code that no test can run', async () => {
    const documents = (await Promise.all(DOCUMENTS.map((pattern) => Array.fromAsync(glob(pattern))))).flat();
    const unknown: string[] = [];
    const unused = new Set(Object.values(DOCUMENT_BLOCKS).flat());
    for (const path of documents) {
      for (const { language, file, text, line } of codeBlocks(await readFile(path, 'utf8'))) {
        const head = `${language} ${file ? `${file} ` : ''}${text}`;
        const entry = DOCUMENT_BLOCKS[path]?.find(({ starts }) => starts.test(head));
        if (entry) unused.delete(entry);
        else unknown.push(`${path}:${line}: ${head.slice(0, 60)}`);
      }
    }
    assert.deepEqual(unknown, []);
    assert.deepEqual([...unused], [], 'these blocks are gone');
    for (const { by, because } of Object.values(DOCUMENT_BLOCKS).flat()) {
      assert.ok((by === undefined) !== (because === undefined));
      if (by) await readFile(by);
    }
  });

  const readBlocks = async (path: string, ...languages: string[]): Promise<CodeBlock[]> => {
    const blocks = codeBlocks(await readFile(path, 'utf8'));
    return blocks.filter(({ language }) => languages.includes(language));
  };

  it('names existing commands and options of the command line', async () => {
    const commands = new Set<string>();
    for (const path of ['README.md', 'docs/operating.md', 'docs/wallets.md']) {
      for (const { text } of await readBlocks(path, 'sh')) {
        const whole = text.replace(/\\\n\s*/g, '').split('\n');
        for (const line of whole) {
          const words = /npm run -s corridor -- (.+?)(?:\s+#.*)?$/.exec(line)?.[1];
          if (words) commands.add(words);
        }
      }
    }
    assert.ok(commands.size > 15);
    for (const words of commands) {
      const [first = '', ...others] = words.split(' ');
      const names = [first];
      let { code, stdout, stderr } = await command([...names, '--help'], {});
      // A command that has commands of its own is followed by the name of one of them.
      for (const word of others) {
        if (!stdout.startsWith(`Usage: corridor ${names.join(' ')} [options] [command]`)) break;
        names.push(word);
        ({ code, stdout, stderr } = await command([...names, '--help'], {}));
      }
      assert.equal(code, 0, `${words}: ${stderr}`);
      assert.ok(stdout.startsWith(`Usage: corridor ${names.join(' ')}`), words);
      for (const [option] of words.matchAll(/--[a-z-]+/g))
        assert.match(stdout, new RegExp(`${option}\\b`), words);
    }
  });

  it('CONTRIBUTING.md and README.md name existing scripts', async () => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));
    for (const path of ['CONTRIBUTING.md', 'README.md', 'docs/operating.md', 'packages/client/README.md']) {
      for (const [, name = ''] of (await readFile(path, 'utf8')).matchAll(
        /npm run (?:-s )?([a-z][a-z:-]*)/g,
      )) {
        assert.ok(Object.hasOwn(scripts, name), `${path}: npm run ${name}`);
      }
    }
  });

  it('README.md shows the output of the first start', async () => {
    const [shown] = await readBlocks('README.md', '');
    const files = ['src/cli/serve/server.ts', 'src/cli/serve/console-line.ts'];
    const source = (await Promise.all(files.map((path) => readFile(path, 'utf8')))).join('\n');
    const [title = '', ...facts] = (shown?.text ?? '').trim().split('\n');
    assert.ok(source.includes(`'${title}'`));
    for (const fact of facts.filter((line) => line.trim() !== '…')) {
      const name = fact.trim().split(/ {2,}/)[0] ?? '';
      assert.ok(source.includes(`'${name}'`) || source.includes(`{ ${name}: `), name);
    }
  });

  it('docs/agents.md configures a command with existing options', async () => {
    const [configuration] = await readBlocks('docs/agents.md', 'json');
    const { args } = JSON.parse(configuration?.text ?? '').mcpServers.payments as { args: string[] };
    const { stdout } = await command([args[0] ?? '', '--help'], {});
    const options = args.filter((word) => word.startsWith('--'));
    assert.ok(options.length >= 3);
    for (const option of options) assert.match(stdout, new RegExp(`${option}\\b`));
  });

  it('docs/providers.md shows rates and a setting that the service accepts', async () => {
    const [rates] = await readBlocks('docs/providers.md', 'json');
    const { timestamp } = JSON.parse(rates?.text ?? '');
    const taken = parseRateDocument(rates?.text ?? '', { now: new Date(timestamp), ageMaxMs: 60_000 });
    assert.ok('perUsd' in taken, JSON.stringify(taken));
    const [setting] = await readBlocks('docs/providers.md', '');
    const [name = '', ...value] = (setting?.text ?? '').trim().split('=');
    assert.equal(readConfig({ [name]: value.join('=') }).providers.issuers?.length, 2);
  });
});
