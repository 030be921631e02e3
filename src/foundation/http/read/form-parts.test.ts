import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formParts } from '#foundation/http/read/form-parts.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

interface Read {
  readonly name: string | undefined;
  readonly fileName: string | undefined;
  readonly mediaType: string;
  readonly content: string;
}

describe('the parts of a form', () => {
  it('every form is parsed into the parts that a client put in, in chunks of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { maxLength: 6 }),
        fc.integer({ min: 1, max: 200 }),
        async (entries, size) => {
          const form = new FormData();
          for (const { name, content, fileName } of entries) {
            if (fileName === undefined) form.append(name, content);
            else form.append(name, new Blob([content], { type: 'application/pdf' }), fileName);
          }
          const sent = new Response(form);
          const boundary = sent.headers.get('content-type')?.split('boundary=')[1] ?? '';
          const parts = await read(Buffer.from(await sent.arrayBuffer()), boundary, size);
          assert.deepEqual(
            parts,
            entries.map(({ name, content, fileName }) => ({
              name,
              fileName,
              mediaType: fileName === undefined ? 'text/plain' : 'application/pdf',
              // Clients send the line ends of a text field like this.
              content: fileName === undefined ? content.replaceAll(/\r\n|\r|\n/g, '\r\n') : content,
            })),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  it('a form that is cut off anywhere is refused, in chunks of any size', async () => {
    const whole = part('name="a"', 'one') + part('name="f"; filename="b.pdf"', 'x\r\n--\r\n-') + END;
    for (const size of [1, 7, 1_000]) {
      assert.equal((await read(Buffer.from(whole), 'b', size)).length, 2);
      for (let length = 0; length < whole.length; length++) {
        await assert.rejects(
          read(Buffer.from(whole.slice(0, length)), 'b', size),
          unreadable,
          `${length} bytes`,
        );
      }
    }
  });

  it('content that is not read, or not read to its end, is skipped', async () => {
    const form =
      part('name="a"', 'one'.repeat(100)) + part('name="b"', 'two'.repeat(100)) + part('name="c"', '') + END;
    const names: (string | undefined)[] = [];
    for await (const { name, content } of formParts(chunks(Buffer.from(form), 10), 'b')) {
      names.push(name);
      if (name === 'b') await content.next();
    }
    assert.deepEqual(names, ['a', 'b', 'c']);
  });

  it('the header forms that known clients send are understood', async () => {
    const dispositions: [string, string | undefined, string | undefined][] = [
      ['form-data; name=a; filename=b.pdf', 'a', 'b.pdf'],
      ['FORM-DATA;NAME="a";FileName="b.pdf"', 'a', 'b.pdf'],
      ['form-data; name="a"; filename="C:\\papers\\b.pdf"', 'a', 'b.pdf'],
      ['form-data; name="a"; filename="/tmp/b.pdf"', 'a', 'b.pdf'],
      ['form-data; name="a"; filename=".."', 'a', ''],
      ['form-data; name="a"; filename=""', 'a', ''],
      ['form-data; name="a\\"b"; filename="c\\\\d"', 'a"b', 'd'],
      ['form-data; name="a"; filename*=utf-8\'\'%E2%82%AC.pdf', 'a', '€.pdf'],
      ['form-data; name="a"; filename="b.pdf"; filename*=utf-8\'\'%E2%.pdf', 'a', 'b.pdf'],
      ['form-data; name="a"; filename="b.pdf', 'a', 'b.pdf'],
      ['form-data; name="a"; filename="b%22c.pdf"', 'a', 'b%22c.pdf'],
      ['form-data; name="a"; filename="b.pdf"\r\nContent-Transfer-Encoding: Binary', 'a', 'b.pdf'],
      ['form-data;\r\n name="a"', 'a', undefined],
      ['form-data; name="ä;b"', 'ä;b', undefined],
      ['form-data', undefined, undefined],
      ['attachment; name="a"', undefined, undefined],
    ];
    for (const [disposition, name, fileName] of dispositions) {
      const form = `a preamble\r\n--b \t\r\ncontent-disposition:${disposition}\r\n\r\nv${END}an epilogue`;
      const [found] = await read(Buffer.from(form), 'b', 1_000);
      assert.deepEqual([found?.name, found?.fileName, found?.content], [name, fileName, 'v'], disposition);
    }
    assert.deepEqual(await read(Buffer.from('--b--'), 'b', 1_000), []);
  });

  it('a malformed form is refused: other delimiters, encodings, malformed or overlong headers', async () => {
    const encodings = ['base64', 'quoted-printable'].map((name) => `Content-Transfer-Encoding: ${name}`);
    const heads = ['nothing', ': empty', 'a: b\nc: d', `a: ${'b'.repeat(20_000)}`, ...encodings];
    const forms = heads.map((head) => `--b\r\n${head}\r\n\r\nv${END}`);
    for (const form of [...forms, `--bc\r\n\r\nv${END}`, '--c--', 'x'.repeat(100_000)])
      await assert.rejects(read(Buffer.from(form), 'b', 1_000), unreadable, form.slice(0, 40));
  });
});

const END = '\r\n--b--';

function part(parameters: string, content: string): string {
  return `\r\n--b\r\nContent-Disposition: form-data; ${parameters}\r\n\r\n${content}`;
}

const text = fc.string({ unit: fc.constantFrom('a', '-', '\r', '\n', '--', 'é', '€', '"', ' ') });
const entry = fc.record({
  // Clients differ in how they encode quotes and line ends in names.
  name: fc.string({ unit: fc.constantFrom('a', 'b', '.', 'é', ';', '='), minLength: 1 }),
  content: text,
  fileName: fc.option(fc.string({ unit: fc.constantFrom('a', 'é', '€', ';', ' '), minLength: 1 }), {
    nil: undefined,
  }),
});

function unreadable(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'INVALID_REQUEST_FORMAT';
}

async function* chunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Buffer, boundary: string, size: number): Promise<Read[]> {
  const found: Read[] = [];
  for await (const { content, ...head } of formParts(chunks(bytes, size), boundary)) {
    found.push({ ...head, content: Buffer.concat(await Array.fromAsync(content)).toString('utf8') });
  }
  return found;
}
