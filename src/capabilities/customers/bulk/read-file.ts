import { type Readable, pipeline as stream, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { CsvError, type Info, type Options, type Parser, parse } from 'csv-parse';
import { type Columns, FileError, readHeader } from '#capabilities/customers/bulk/columns.ts';
import { isBlankCell } from '#capabilities/customers/bulk/read-row.ts';

/** The result of reading a file once to its end. */
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
/** The parser's own limit ignores empty fields, so a line of commas only could exhaust the memory. */
const LINE_MAX_BYTES = 4 * RECORD_MAX_BYTES;

/** The parser's chunk size: at most a few thousand of the shortest possible rows. */
const PIECE_BYTES = 4_096;

/** The limits of a file (customers.md §2.5.28a). */
export interface RowLimits {
  /** Empty rows included. */
  readonly rowsMax: number;
  readonly emptyRowsMax: number;
}

/** RFC 4180, with the line endings of any system. An empty line is an empty row, so that it is counted. */
const FORM: Options = {
  relax_column_count: true,
  skip_empty_lines: false,
  record_delimiter: ['\r\n', '\n', '\r'],
  max_record_size: RECORD_MAX_BYTES,
};

/**
 * Reads a file to its end, so that a truncated file or one that is not CSV is refused before any row is imported. Stops
 * at the first row above the limits.
 */
export async function surveyFile(content: Readable, limits: RowLimits): Promise<Survey> {
  const found: { columns?: Columns; position: number; rows: number } = { position: 0, rows: 0 };
  const count = new RowCount(limits);
  const parser: Parser = parse({
    ...FORM,
    bom: true,
    on_record(cells: string[], { bytes }) {
      forgetLength(parser);
      const isBlank = isBlankRow(cells);
      count.add(isBlank);
      if (isBlank) return null;
      if (found.columns) found.rows++;
      else Object.assign(found, { columns: readHeader(cells), position: bytes });
      return null;
    },
  });
  parser.resume();
  await pipeline(content, createTextGuard(), splitChunks, parser).catch(translate);
  const { columns, position, rows } = found;
  if (!columns || rows === 0) throw new FileError('The file has no rows.', { reason: 'no_data_rows' });
  return { columns, position, rows };
}

/** Yields the rows from a position where a row begins; the file is closed when the caller stops. */
export async function* readRows(content: Readable, position: number): AsyncGenerator<FileRow> {
  const parser: Parser = parse({
    ...FORM,
    info: true,
    on_record(row: string[]) {
      forgetLength(parser);
      return row;
    },
  });
  // The parser, which is read below, raises the errors.
  stream(content, dropBytes(position), splitChunks, parser, () => undefined);
  for await (const { record, info } of parser as Parser & AsyncIterable<{ record: string[]; info: Info }>) {
    if (!isBlankRow(record)) yield { cells: record, end: position + info.bytes };
  }
}

/** Counts the rows, including the header, and refuses the first row above the limits. */
class RowCount {
  readonly #limits: RowLimits;
  #rows = -1;
  #emptyRows = 0;

  constructor(limits: RowLimits) {
    this.#limits = limits;
  }

  add(isBlank: boolean): void {
    const { rowsMax, emptyRowsMax } = this.#limits;
    this.#rows++;
    this.#emptyRows = isBlank ? this.#emptyRows + 1 : 0;
    if (this.#emptyRows > emptyRowsMax) {
      const details = { reason: 'too_many_empty_rows', limit: emptyRowsMax };
      throw new FileError(`The file has more than ${emptyRowsMax} consecutive empty rows.`, details);
    }
    if (this.#rows > rowsMax) {
      const message = `The file has more than ${rowsMax} rows, including empty ones: send it in parts.`;
      throw new FileError(message, { reason: 'too_many_rows', limit: rowsMax });
    }
  }
}

/** The parser blocks for a whole chunk; between small chunks the process serves other requests. */
async function* splitChunks(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      yield chunk.subarray(at, at + PIECE_BYTES);
      await letOthersRun();
    }
  }
}

function isBlankRow(cells: readonly string[]): boolean {
  return cells.every(isBlankCell);
}

/**
 * Rows may be short (customers.md §2.5.28). For each row whose length differs from the first row's, the parser builds
 * an error with a copy of the row and drops it again, which would be most of its work. Resetting the count makes the
 * parser treat each row as the first.
 */
function forgetLength({ info }: Parser): void {
  (info as { records: number }).records = 0;
}

/** Refuses bytes that are not UTF-8, which the parser would silently replace, and lines that are too long. */
function createTextGuard(): Transform {
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

/** Replaces the parser's own message, which may contain data of the file. */
function translate(error: unknown): never {
  if (!(error instanceof CsvError)) throw error;
  const line = Number(error.lines);
  const isTooLong = error.code === 'CSV_MAX_RECORD_SIZE';
  const message = isTooLong
    ? `The row in line ${line} is too long.`
    : `The file is not valid CSV (RFC 4180): see line ${line}.`;
  throw new FileError(message, { reason: 'unreadable', line });
}
