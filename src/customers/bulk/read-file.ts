import { type Readable, pipeline as stream, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, type Info, type Options, type Parser, parse } from 'csv-parse';
import { type Columns, FileError, readHeader } from '#customers/bulk/columns.ts';
import { isBlankCell } from '#customers/bulk/read-row.ts';

/** What reading a file once to its end tells. */
export interface Survey {
  readonly columns: Columns;
  /** Where the first row begins. */
  readonly position: number;
  readonly rows: number;
}

export interface FileRow {
  readonly cells: readonly string[];
  /** Where the next row begins. */
  readonly end: number;
}

/** A row is kept in memory as a whole, so its size is limited. */
const RECORD_MAX_BYTES = 65_536;
/** The parser's own limit does not count empty fields, so a line of nothing but commas could fill the memory. */
const LINE_MAX_BYTES = 4 * RECORD_MAX_BYTES;

/** RFC 4180, with the line endings of any system. */
const FORM: Options = {
  relax_column_count: true,
  skip_empty_lines: true,
  record_delimiter: ['\r\n', '\n', '\r'],
  max_record_size: RECORD_MAX_BYTES,
};

/** Reads a file to its end, so that one that is truncated or not CSV is refused before any row is imported. */
export async function surveyFile(content: Readable): Promise<Survey> {
  const found: { columns?: Columns; position: number; rows: number } = { position: 0, rows: 0 };
  const parser: Parser = parse({
    ...FORM,
    bom: true,
    on_record(cells: string[], { bytes }) {
      forgetLength(parser);
      if (isBlankRow(cells)) return null;
      if (found.columns) found.rows++;
      else Object.assign(found, { columns: readHeader(cells), position: bytes });
      return null;
    },
  });
  parser.resume();
  await pipeline(content, onlyText(), parser).catch(translate);
  const { columns, position, rows } = found;
  if (!columns || rows === 0) throw new FileError('The file has no rows.', { reason: 'no_data_rows' });
  return { columns, position, rows };
}

/** The rows from a position where one begins; the file is closed when the caller stops. */
export async function* readRows(content: Readable, position: number): AsyncGenerator<FileRow> {
  const parser: Parser = parse({
    ...FORM,
    info: true,
    on_record(row: string[]) {
      forgetLength(parser);
      return row;
    },
  });
  // Errors are raised by the parser, which is read below.
  stream(content, dropBytes(position), parser, () => undefined);
  for await (const { record, info } of parser as Parser & AsyncIterable<{ record: string[]; info: Info }>) {
    if (!isBlankRow(record)) yield { cells: record, end: position + info.bytes };
  }
}

function isBlankRow(cells: readonly string[]): boolean {
  return cells.every(isBlankCell);
}

/**
 * Rows may be short (customers.md §2.5.28). For each row whose length differs from the first one's, the parser makes an
 * error with a copy of the row and drops it again, which is most of its work. With the count reset, each row is the
 * first.
 */
function forgetLength({ info }: Parser): void {
  (info as { records: number }).records = 0;
}

/** Refuses what is not UTF-8, which the parser's decoder would silently replace, and lines that are too long. */
function onlyText(): Transform {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let lineBytes = 0;
  const checkSize = (chunk?: Buffer): Error | null => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      return new FileError('The file is not UTF-8 text.', { reason: 'not_utf8' });
    }
    if (!chunk) return null;
    const lineEnd = Math.max(chunk.lastIndexOf('\n'), chunk.lastIndexOf('\r'));
    lineBytes = lineEnd < 0 ? lineBytes + chunk.length : chunk.length - lineEnd - 1;
    if (lineBytes <= LINE_MAX_BYTES) return null;
    return new FileError('The file contains a row that is too long.', { reason: 'unreadable' });
  };
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(checkSize(chunk), chunk),
    flush: (done) => done(checkSize()),
  });
}

function dropBytes(count: number): Transform {
  let left = count;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const dropped = Math.min(left, chunk.length);
      left -= dropped;
      done(null, chunk.subarray(dropped));
    },
  });
}

/** The parser's own message may contain data of the file. */
function translate(error: unknown): never {
  if (!(error instanceof CsvError)) throw error;
  const line = Number(error.lines);
  const isTooLong = error.code === 'CSV_MAX_RECORD_SIZE';
  const message = isTooLong
    ? `The row in line ${line} is too long.`
    : `The file is not valid CSV (RFC 4180): see line ${line}.`;
  throw new FileError(message, { reason: 'unreadable', line });
}
