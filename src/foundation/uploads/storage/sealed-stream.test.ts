import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { KEY_BYTES, openStream, sealStream } from '#foundation/uploads/storage/sealed-stream.ts';

const PIECE = 65_536;
const SEALED_PIECE = PIECE + 16;

describe('sealed streams', () => {
  const key = randomBytes(KEY_BYTES);
  const seal = (plain: Buffer, context = 'a') => buffer(sealStream(inChunks(plain), key, context));
  const open = (sealed: Buffer, context = 'a', withKey = key) =>
    buffer(openStream(inChunks(sealed), withKey, context));

  it('a sealed stream opens to the same bytes, for every length and size of chunks', async () => {
    const lengths = fc.oneof(
      fc.integer({ min: 0, max: 200_000 }),
      fc.constantFrom(0, 1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 3 * PIECE + 5),
    );
    await fc.assert(
      fc.asyncProperty(lengths, fc.integer({ min: 1, max: 100_000 }), async (length, chunk) => {
        const plain = randomBytes(length);
        const sealed = await buffer(sealStream(inChunks(plain, chunk), key, 'a'));
        assert.ok((await buffer(openStream(inChunks(sealed, chunk + 7), key, 'a'))).equals(plain));
      }),
      { numRuns: 40 },
    );
  });

  it('the sealed bytes show nothing of the content', async () => {
    const sealed = await seal(Buffer.from('a secret sentence '.repeat(10_000)));
    assert.equal(sealed.includes('secret'), false);
  });

  it('a changed byte anywhere, another key or another place is refused', async () => {
    const sealed = await seal(randomBytes(PIECE + 100));
    for (const at of [0, PIECE - 1, PIECE, SEALED_PIECE, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await assert.rejects(open(changed), `byte ${at}`);
    }
    await assert.rejects(open(sealed, 'b'));
    await assert.rejects(open(sealed, 'a', randomBytes(KEY_BYTES)));
  });

  it('a stream with pieces cut off, left out, swapped, repeated or added is refused', async () => {
    const sealed = await seal(randomBytes(3 * PIECE));
    const piece = (n: number) => sealed.subarray(n * SEALED_PIECE, (n + 1) * SEALED_PIECE);
    const forgeries = {
      'cut at a piece': sealed.subarray(0, 2 * SEALED_PIECE),
      'cut inside a piece': sealed.subarray(0, sealed.length - 20),
      'cut to nothing': Buffer.alloc(0),
      'first left out': Buffer.concat([piece(1), piece(2)]),
      swapped: Buffer.concat([piece(1), piece(0), piece(2)]),
      repeated: Buffer.concat([piece(0), piece(0), piece(1), piece(2)]),
      added: Buffer.concat([sealed, piece(2)]),
    };
    for (const [name, forged] of Object.entries(forgeries)) await assert.rejects(open(forged), name);
  });

  it('an error of the source reaches the reader', async () => {
    const broken = Readable.from(
      (async function* () {
        yield randomBytes(10);
        throw new Error('broken off');
      })(),
      { objectMode: false },
    );
    await assert.rejects(buffer(sealStream(broken, key, 'a')), /broken off/);
  });
});

function inChunks(bytes: Buffer, size = 10_000): Readable {
  return Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    })(),
    { objectMode: false },
  );
}
