import { badFormat } from '#foundation/http/read/body.ts';
import type { Refusal } from '#foundation/lib/refusals.ts';

/** One part of a form. Its content is read or skipped before the next part follows. */
export interface Part extends PartHeaders {
  readonly content: AsyncGenerator<Buffer>;
}

interface PartHeaders {
  /** Absent if the part does not name its field. */
  readonly name: string | undefined;
  readonly fileName: string | undefined;
  readonly mediaType: string;
}

/**
 * The parts of a multipart form (RFC 7578), pulled from its bytes one after the other. No error goes unhandled: it is
 * thrown to the caller that asks for the next part, or for the next chunk of a part.
 */
export async function* formParts(bytes: AsyncIterator<Buffer>, boundary: string): AsyncGenerator<Part> {
  const form = new FormBytes(bytes, boundary);
  await form.skipContent();
  while (!(await form.isAtEnd())) {
    const head = parseHeaders(await form.readHeaders());
    yield { ...head, content: form.content() };
    await form.skipContent();
  }
}

const HEAD_MAX_BYTES = 16_384;
const HEAD_END = Buffer.from('\r\n\r\n');
const FORM_END = Buffer.from('--');

class FormBytes {
  readonly #bytes: AsyncIterator<Buffer>;
  readonly #delimiter: Buffer;
  /** The first delimiter may be at the very beginning, without its line end, which is added here. */
  #held = Buffer.from('\r\n');
  /** Bytes before the first delimiter are treated as content, too, and skipped. */
  #isInContent = true;

  constructor(bytes: AsyncIterator<Buffer>, boundary: string) {
    this.#bytes = bytes;
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  async *content(): AsyncGenerator<Buffer> {
    for (let piece = await this.#next(); piece; piece = await this.#next()) yield piece;
  }

  async skipContent(): Promise<void> {
    while (await this.#next());
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#held.length < FORM_END.length) await this.#receive();
    return this.#held.subarray(0, FORM_END.length).equals(FORM_END);
  }

  /** Reads from the end of the delimiter to the beginning of the content. */
  async readHeaders(): Promise<string> {
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

  /** The next chunk of the content; undefined once the delimiter has been read. */
  async #next(): Promise<Buffer | undefined> {
    while (this.#isInContent) {
      const at = this.#held.indexOf(this.#delimiter);
      if (at >= 0) {
        this.#isInContent = false;
        const last = this.#take(at);
        this.#take(this.#delimiter.length);
        return last.length > 0 ? last : undefined;
      }
      // The last bytes could be the beginning of a delimiter.
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

  /** Refuses a form whose bytes end early, for whatever reason: it is incomplete. */
  async #receive(): Promise<void> {
    const { done, value } = await this.#bytes.next().catch(() => ({ done: true as const, value: undefined }));
    if (done) throw unreadable('it ends before its closing boundary');
    this.#held = Buffer.concat([this.#held, value]);
  }
}

function parseHeaders(text: string): PartHeaders {
  const [padding, ...lines] = text.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  if (padding?.trim() !== '') throw unreadable('a boundary is followed by something else on its line');
  const headers = new Map(lines.map(parseHeader));
  if (!IDENTITY_ENCODINGS.test(headers.get('content-transfer-encoding') ?? 'binary'))
    throw unreadable('a part has a Content-Transfer-Encoding; send its bytes as they are');
  const mediaType = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() || 'text/plain';
  const { name, fileName } = parseDisposition(headers.get('content-disposition'));
  return { name, fileName, mediaType };
}

/** Other encodings are deprecated in forms (RFC 7578 §4.7), and a file stored undecoded could not be opened. */
const IDENTITY_ENCODINGS = /^(7bit|8bit|binary)$/i;

function parseHeader(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  if (colon < 1 || /[\r\n]/.test(line)) throw unreadable('a part has a malformed header');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

const PARAMETER = /;\s*([^\s=;]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*)/g;

function parseDisposition(text = ''): Pick<PartHeaders, 'name' | 'fileName'> {
  if (!/^form-data\s*(;|$)/i.test(text)) return { name: undefined, fileName: undefined };
  const parameters = new Map(
    [...text.matchAll(PARAMETER)].map(([, name = '', value = '']) => [name.toLowerCase(), unquoted(value)]),
  );
  const fileName = percentDecoded(parameters.get('filename*')) ?? parameters.get('filename');
  return { name: parameters.get('name'), fileName: fileName === undefined ? undefined : baseName(fileName) };
}

/** A backslash only escapes a quote or another backslash: some file names come with a Windows path. */
function unquoted(value: string): string {
  const text = value.match(/^"(.*?)"?$/s)?.[1];
  return text === undefined ? value.trim() : text.replaceAll(/\\(["\\])/g, '$1');
}

/** `utf-8''%e2%82%ac.pdf`: how older clients send names that are not ASCII. */
function percentDecoded(value: string | undefined): string | undefined {
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
