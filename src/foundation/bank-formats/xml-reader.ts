import { SaxesParser, type SaxesTagNS } from 'saxes';
import { FileFault } from '#foundation/bank-formats/file-fault.ts';

/**
 * Reads XML as a stream, by local names, with values as text (bank-files.md §4.2). A file that is not well-formed to its last
 * byte is refused.
 */

export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlNode[];
  text: string;
  /** Where it begins in the file. */
  readonly line: number;
}

export interface XmlReading {
  /** Elements that are handed over when they end, and then dropped, so that a long file needs no more memory than one. */
  readonly pieces: ReadonlySet<string>;
  onPiece(node: XmlNode, ancestors: readonly XmlNode[]): void;
}

export interface XmlDocument {
  readonly root: XmlNode;
  readonly namespace: string;
}

const CHUNK_BYTES = 65_536;
const DEPTH_MAX = 100;
/** About what an element or an attribute needs, and a text besides its characters. */
const NODE_BYTES = 256;
const TEXT_BYTES = 32;
/** An entry with 20,000 usual transactions. */
const HELD_BYTES_MAX = 256 * 1024 * 1024;

export function readXml(bytes: Uint8Array, reading: XmlReading): XmlDocument {
  const { decode, encoding } = chooseDecoder(bytes);
  const parser = new SaxesParser({ xmlns: true, position: true });
  const open: XmlNode[] = [];
  const held = newHeld(() => refuse('too much of it belongs together'));
  let document: XmlDocument | undefined;
  const refuse = (reason: string): never => {
    throw new FileFault(reason, parser.line);
  };
  parser.on('error', (error) =>
    refuse(`it is not well-formed XML: ${error.message.replace(/^\d+:\d+: /, '')}`),
  );
  parser.on('doctype', () => refuse('it has a DOCTYPE'));
  parser.on('xmldecl', (declaration) => {
    const declared = declaration.encoding?.toLowerCase();
    if (declared !== undefined && !encoding.names.includes(declared))
      refuse(`it declares ${declared}, and is not written in it`);
  });
  parser.on('opentagstart', () => held.begin());
  parser.on('attribute', ({ value }) => held.add(NODE_BYTES + value.length));
  parser.on('opentag', (tag: SaxesTagNS) => {
    const node = nodeOf(tag, parser.line);
    if (open.length >= DEPTH_MAX) refuse('its elements are nested too deep');
    open.at(-1)?.children.push(node);
    open.push(node);
    document ??= { root: node, namespace: tag.uri };
  });
  const addText = (text: string) => {
    const node = open.at(-1);
    if (!node) return;
    held.add(TEXT_BYTES + text.length);
    node.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const node = open.pop();
    const isPiece = node !== undefined && reading.pieces.has(node.name);
    held.end(isPiece);
    if (!isPiece) return;
    open.at(-1)?.children.pop();
    reading.onPiece(node, open);
  });
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    parser.write(decode(bytes.subarray(at, at + CHUNK_BYTES), at + CHUNK_BYTES >= bytes.length));
  }
  parser.close();
  return document ?? refuse('it is empty');
}

/** Counts about how many bytes are held, and refuses a file with too many. A piece that was dropped does not count. */
function newHeld(refuse: () => never) {
  let bytes = 0;
  const before: number[] = [];
  const add = (more: number) => {
    bytes += more;
    if (bytes > HELD_BYTES_MAX) refuse();
  };
  return {
    add,
    begin() {
      before.push(bytes);
      add(NODE_BYTES);
    },
    end(isDropped: boolean) {
      const outside = before.pop() ?? 0;
      if (isDropped) bytes = outside;
    },
  };
}

function nodeOf({ local, attributes }: SaxesTagNS, line: number): XmlNode {
  const named = Object.values(attributes).map(({ local: name, value }) => [name, value] as const);
  return { name: local, attributes: Object.fromEntries(named), children: [], text: '', line };
}

interface Decoder {
  readonly encoding: { readonly names: readonly string[] };
  decode(chunk: Uint8Array, isLast: boolean): string;
}

const UTF_8 = { names: ['utf-8', 'utf8', 'us-ascii', 'ascii'] };
const UTF_16 = { names: ['utf-16', 'utf-16le', 'utf-16be'] };
const LATIN_1 = { names: ['iso-8859-1', 'latin1', 'us-ascii'] };

/** By the first bytes, and by what they declare: UTF-8 without any word. */
function chooseDecoder(bytes: Uint8Array): Decoder {
  const [first = 0, second = 0] = bytes;
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0))
    return unicode('utf-16be', UTF_16);
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0))
    return unicode('utf-16le', UTF_16);
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const [, declared = 'utf-8'] =
    /^(?:\xef\xbb\xbf)?<\?xml[^>]*?encoding\s*=\s*["']([^"']+)["']/i.exec(head) ?? [];
  if (LATIN_1.names.includes(declared.toLowerCase())) return { encoding: LATIN_1, decode: latin1 };
  if (UTF_8.names.includes(declared.toLowerCase())) return unicode('utf-8', UTF_8);
  throw new FileFault(`it is written in ${declared}: only UTF-8, UTF-16 and ISO-8859-1 are read`, 1);
}

function latin1(chunk: Uint8Array): string {
  return Buffer.from(chunk).toString('latin1');
}

function unicode(label: string, encoding: Decoder['encoding']): Decoder {
  const decoder = new TextDecoder(label, { fatal: true });
  return {
    encoding,
    decode: (chunk, isLast) => {
      try {
        return decoder.decode(chunk, { stream: !isLast });
      } catch {
        throw new FileFault(`a character of it is no ${label.toUpperCase()}`);
      }
    },
  };
}

/** The first element below, by the names on the way to it. */
export function find(node: XmlNode | undefined, ...path: readonly string[]): XmlNode | undefined {
  return path.reduce<XmlNode | undefined>(
    (at, name) => at?.children.find((child) => child.name === name),
    node,
  );
}

export function findAll(node: XmlNode | undefined, ...path: readonly string[]): XmlNode[] {
  const parents = path.slice(0, -1);
  const name = path.at(-1);
  const above = parents.reduce<XmlNode[]>(
    (nodes, step) => nodes.flatMap(({ children }) => children.filter((child) => child.name === step)),
    node ? [node] : [],
  );
  return above.flatMap(({ children }) => children.filter((child) => child.name === name));
}

/** The text of an element below; undefined if there is none, or it is empty. */
export function textOf(node: XmlNode | undefined, ...path: readonly string[]): string | undefined {
  const text = find(node, ...path)?.text.trim();
  return text === '' ? undefined : text;
}

/** The same where it must be there. */
export function needText(node: XmlNode, ...path: readonly string[]): string {
  const text = textOf(node, ...path);
  if (text === undefined) throw new FileFault(`${node.name} has no ${path.join('/')}`, node.line);
  return text;
}
