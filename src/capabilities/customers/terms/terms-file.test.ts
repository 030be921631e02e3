import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readTermsFile } from '#capabilities/customers/terms/terms-file.ts';
import { codeBlocks } from '#tests/checks/markdown.ts';

const V1 = {
  version: 'V1',
  title: 'Terms of Acme Pay',
  publishedOn: '2026-01-02',
  sections: [{ heading: 'First', paragraphs: ['One.', 'Two.'] }],
};
const V2 = { ...V1, version: '2026-03', publishedOn: '2026-03-01' };

describe('the operator’s terms (customers.md §2.1.16a)', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'corridor-terms-'));
  });
  after(() => rm(folder, { recursive: true }));

  const read = async (content: unknown) => {
    const path = join(folder, 'terms.json');
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return readTermsFile(path);
  };

  it('customers.md §2.1.16a: a file has every version, oldest first', async () => {
    assert.deepEqual(await read([V1, V2]), [V1, V2]);
  });

  it('customers.md §2.1.16a: the file in docs/operating.md is valid', async () => {
    const blocks = codeBlocks(await readFile('docs/operating.md', 'utf8'));
    const shown = blocks.find(({ language, text }) => language === 'json' && text.includes('publishedOn'));
    const [terms] = await read(shown?.text ?? '');
    assert.equal(terms?.title, 'Terms of Acme Pay');
  });

  it('customers.md §2.1.16a: invalid terms are refused with the path of the problem', async () => {
    const wrong: [unknown, RegExp][] = [
      ['{', /^Error: it is not JSON$/],
      ['', /^Error: it is not JSON$/],
      [{}, /^Error: terms must be an array/],
      [[], /^Error: terms must/],
      [[null], /^Error: terms\.0 /],
      [[{ ...V1, version: 'a/b' }], /^Error: terms\.0\.version/],
      [[{ ...V1, title: ' ' }], /^Error: terms\.0\.title/],
      [[{ ...V1, sections: [] }], /^Error: terms\.0\.sections/],
      [
        [{ ...V1, sections: [{ heading: 'First', paragraphs: [] }] }],
        /^Error: terms\.0\.sections\.0\.paragraphs/,
      ],
      [[{ ...V1, publishedOn: '2026-02-30' }], /^Error: terms\.0\.publishedOn must be a date/],
      [[V1, { ...V2, version: 'V1' }], /^Error: terms\.1\.version is a duplicate$/],
      [[V2, V1], /^Error: terms\.1 was published before the previous entry/],
    ];
    for (const [content, expected] of wrong)
      await assert.rejects(read(content), (error) => expected.test(String(error)), JSON.stringify(content));
    await assert.rejects(readTermsFile(join(folder, 'none.json')), /ENOENT/);
  });
});
