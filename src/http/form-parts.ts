import { badFormat } from '#http/body.ts';
import type { Refusal } from '#lib/refusals.ts';

/** One part of a form. Its content is read, or passed over, before the next part comes. */
export interface Part extends PartHead {
  readonly content: AsyncGenerator<Buffer>;
}

interface PartHead {
  /** Absent where the part does not say which field it is. */
  readonly name: string | undefined;
  readonly fileName: string | undefined;
  readonly mediaType: string;
}

/**
 * The parts of a multipart form (RFC 7578), pulled out of its bytes one after the other. Nothing here can fail while
 * nobody waits for it: what is wrong with a form is thrown to whoever asks for the next part, or the next piece of one.
 */
export async function* formParts(bytes: AsyncIterator<Buffer>, boundary: string): AsyncGenerator<Part> {
  const form = new FormBytes(bytes, boundary);
  await form.passOver();
  while (!(await form.isAtEnd())) {
    const head = readHead(await form.takeHead());
    yield { ...head, content: form.content() };
    await form.passOver();
  }
}

const HEAD_MAX_BYTES = 16_384;
const HEAD_END = Buffer.from('\r\n\r\n');
const FORM_END = Buffer.from('--');

class FormBytes {
  readonly #bytes: AsyncIterator<Buffer>;
  readonly #delimiter: Buffer;
  /** The first delimiter may stand at the very beginning, without the line end that belongs to it. */
  #held = Buffer.from('\r\n');
  /** What comes before the first delimiter is content, too: of nothing. */
  #isInContent = true;

  constructor(bytes: AsyncIterator<Buffer>, boundary: string) {
    this.#bytes = bytes;
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  async *content(): AsyncGenerator<Buffer> {
    for (let piece = await this.#next(); piece; piece = await this.#next()) yield piece;
  }

  async passOver(): Promise<void> {
    while (await this.#next());
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#held.length < FORM_END.length) await this.#receive();
    return this.#held.subarray(0, FORM_END.length).equals(FORM_END);
  }

  /** From the end of the delimiter to where the content begins. */
  async takeHead(): Promise<string> {
    for (;;) {
      const at = this.#held.indexOf(HEAD_END);
      if ((at < 0 ? this.#held.length : at) > HEAD_MAX_BYTES)
        throw unreadable(`a part has headers of more than ${HEAD_MAX_BYTES} bytes`);
      if (at >= 0) {
        const head = this.#take(at);
        this.#take(HEAD_END.length);
        this.#isInContent = true;
        return head.toString('utf8');
      }
      await this.#receive();
    }
  }

  /** The next piece of the content; nothing once the delimiter has been passed. */
  async #next(): Promise<Buffer | undefined> {
    while (this.#isInContent) {
      const at = this.#held.indexOf(this.#delimiter);
      if (at >= 0) {
        this.#isInContent = false;
        const last = this.#take(at);
        this.#take(this.#delimiter.length);
        return last.length > 0 ? last : undefined;
      }
      // The last bytes may be the beginning of a delimiter.
      const certain = this.#held.length - this.#delimiter.length + 1;
      if (certain > 0) return this.#take(certain);
      await this.#receive();
    }
    return undefined;
  }

  #take(length: number): Buffer {
    const taken = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    return taken;
  }

  /** Whatever keeps the bytes from coming, the form is not whole. */
  async #receive(): Promise<void> {
    const { done, value } = await this.#bytes.next().catch(() => ({ done: true as const, value: undefined }));
    if (done) throw unreadable('it ends before its closing boundary');
    this.#held = Buffer.concat([this.#held, value]);
  }
}

function readHead(text: string): PartHead {
  const [padding, ...lines] = text.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  if (padding?.trim() !== '') throw unreadable('a boundary is followed by something else on its line');
  const headers = new Map(lines.map(readHeader));
  if (!AS_IT_IS.test(headers.get('content-transfer-encoding') ?? 'binary'))
    throw unreadable('a part has a Content-Transfer-Encoding; send its bytes as they are');
  const mediaType = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() || 'text/plain';
  const { name, fileName } = readDisposition(headers.get('content-disposition') ?? '');
  return { name, fileName, mediaType };
}

/** Other encodings have no place in a form (RFC 7578 §4.7); undecoded, a file would be kept that nobody can open. */
const AS_IT_IS = /^(7bit|8bit|binary)$/i;

function readHeader(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  if (colon < 1 || /[\r\n]/.test(line)) throw unreadable('a part has a malformed header');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

const PARAMETER = /;\s*([^\s=;]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*)/g;

function readDisposition(text: string): Pick<PartHead, 'name' | 'fileName'> {
  if (!/^form-data\s*(;|$)/i.test(text)) return { name: undefined, fileName: undefined };
  const parameters = new Map(
    [...text.matchAll(PARAMETER)].map(([, name = '', value = '']) => [name.toLowerCase(), plain(value)]),
  );
  const fileName = encoded(parameters.get('filename*')) ?? parameters.get('filename');
  return { name: parameters.get('name'), fileName: fileName === undefined ? undefined : baseName(fileName) };
}

/** A backslash stands for itself but before a quote or another one: there are file names with a path before them. */
function plain(value: string): string {
  const text = value.match(/^"(.*?)"?$/s)?.[1];
  return text === undefined ? value.trim() : text.replaceAll(/\\(["\\])/g, '$1');
}

/** `utf-8''%e2%82%ac.pdf`: older clients send names that are not ASCII like this. */
function encoded(value: string | undefined): string | undefined {
  const text = value?.match(/^utf-8'[^']*'(.*)$/i)?.[1];
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function baseName(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return name === '.' || name === '..' ? '' : name;
}

export function unreadable(why: string): Refusal {
  return badFormat(`The multipart body cannot be read: ${why}.`);
}
