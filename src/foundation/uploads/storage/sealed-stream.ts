import { createCipheriv, createDecipheriv } from 'node:crypto';
import { Readable } from 'node:stream';

export const KEY_BYTES = 32;

/**
 * Seals a stream in pieces, so that a file of any size passes through with one piece in memory. Each piece is
 * AES-256-GCM under the content's own key; its nonce is its number and whether it is the last one, so pieces
 * cannot be reordered, left out, repeated or cut off unnoticed. `context` binds the whole to its place. A
 * sealed piece is its ciphertext and tag; all but the last are of one size.
 */
export function sealStream(plain: Readable, key: Uint8Array, context: string): Readable {
  return Readable.from(sealedPieces(plain, key, context), { objectMode: false });
}

/** Ends with an error if any of the bytes differs from the sealed ones. */
export function openStream(sealed: Readable, key: Uint8Array, context: string): Readable {
  return Readable.from(openedPieces(sealed, key, context), { objectMode: false });
}

const PIECE_BYTES = 65_536;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;
const CIPHER = 'aes-256-gcm';

async function* sealedPieces(plain: Readable, key: Uint8Array, context: string): AsyncGenerator<Buffer> {
  for await (const { bytes, number, isLast } of splitPieces(plain, PIECE_BYTES)) {
    const cipher = createCipheriv(CIPHER, key, pieceNonce(number, isLast));
    cipher.setAAD(associatedData(context));
    yield cipher.update(bytes);
    cipher.final();
    yield cipher.getAuthTag();
  }
}

async function* openedPieces(sealed: Readable, key: Uint8Array, context: string): AsyncGenerator<Buffer> {
  for await (const { bytes, number, isLast } of splitPieces(sealed, PIECE_BYTES + TAG_BYTES)) {
    if (bytes.length < TAG_BYTES) throw new Error('sealed content is cut off');
    const decipher = createDecipheriv(CIPHER, key, pieceNonce(number, isLast));
    decipher.setAAD(associatedData(context));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const plain = decipher.update(bytes.subarray(0, -TAG_BYTES));
    // Throws if the tag does not match: no byte of a piece is passed on before that check.
    decipher.final();
    yield plain;
  }
}

interface Piece {
  readonly bytes: Buffer;
  readonly number: number;
  readonly isLast: boolean;
}

/** The stream in pieces of one size, the last one shorter or empty; every stream has a last piece. */
async function* splitPieces(stream: Readable, size: number): AsyncGenerator<Piece> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let number = 0;
  for await (const chunk of stream) {
    held.push(chunk as Buffer);
    heldBytes += (chunk as Buffer).length;
    // A full piece is held back until more bytes arrive: only then is it known not to be the last.
    if (heldBytes <= size) continue;
    const all = Buffer.concat(held);
    let at = 0;
    for (; heldBytes - at > size; at += size) {
      yield { bytes: all.subarray(at, at + size), number: number++, isLast: false };
    }
    held = [all.subarray(at)];
    heldBytes -= at;
  }
  yield { bytes: Buffer.concat(held), number, isLast: true };
}

function pieceNonce(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUInt32BE(number, NONCE_BYTES - 5);
  nonce.writeUInt8(isLast ? 1 : 0, NONCE_BYTES - 1);
  return nonce;
}

function associatedData(context: string): Buffer {
  return Buffer.from(`content:1:${context}`);
}
