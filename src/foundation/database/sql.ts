/** A piece of SQL with its values, made by the `sql` tag; pieces nest. */
export class Sql {
  readonly parts: readonly string[];
  readonly values: readonly unknown[];

  constructor(parts: readonly string[], values: readonly unknown[]) {
    this.parts = parts;
    this.values = values;
  }
}

/** A row as text, before its values are parsed. */
export type TextRow = readonly (string | null)[];

/** A statement of a commit that gets its rows after the commit. */
export class AnsweredSql extends Sql {
  readonly rows: TextRow[] = [];
  readonly onCommit: (rows: readonly TextRow[]) => void;

  constructor({ parts, values }: Sql, onCommit: (rows: readonly TextRow[]) => void) {
    super(parts, values);
    this.onCommit = onCommit;
  }
}

/**
 * Called once the transaction of these statements is committed. A failure cannot undo that: what it concerns is found in
 * the database later, like after a crash.
 */
export function tellCommitted(pieces: readonly Sql[]): void {
  for (const piece of pieces) {
    if (!(piece instanceof AnsweredSql)) continue;
    try {
      piece.onCommit(piece.rows);
    } catch (error) {
      process.emitWarning(error as Error);
    }
  }
}

export interface Statement {
  /** Stable per text, so that PostgreSQL prepares each statement once per connection. */
  readonly name: string;
  readonly text: string;
  readonly values: WireValue[];
  /** Collects the rows; without it a pipeline discards them. */
  readonly rows?: TextRow[];
}

/** A parameter in the form of the wire protocol: text, or raw bytes. */
export type WireValue = string | Buffer | null;

/** Values become parameters, never text; a nested `sql` piece is inlined. */
export function sql(parts: TemplateStringsArray, ...values: unknown[]): Sql {
  return new Sql(parts, values);
}

/** Pieces joined by a separator, for lists of conditions. */
export function joinSql(pieces: readonly Sql[], separator: ' and ' | ', ' | ' or ' | ' union all '): Sql {
  if (pieces.length === 0) return new Sql([''], []);
  const between = Array.from({ length: pieces.length - 1 }, () => separator);
  return new Sql(['', ...between, ''], pieces);
}

/** Fixed text of our own (a column, a direction), inlined; never text that a caller sent. */
export function rawSql(text: string): Sql {
  return new Sql([text], []);
}

export function compile(piece: Sql): Statement {
  const values: WireValue[] = [];
  const shape = follow(piece, ANY_SHAPE, values);
  shape.statement ??= named(render(piece));
  const { name, text } = shape.statement;
  return piece instanceof AnsweredSql ? { name, text, values, rows: piece.rows } : { name, text, values };
}

/**
 * The pieces of a statement up to a place in it, and what followed there at earlier calls. The same code makes a statement
 * of the same pieces at each call, so its text is rendered once.
 */
class Shape {
  statement: Pick<Statement, 'name' | 'text'> | undefined;
  #afterParameter: Shape | undefined;
  #afterPiece: WeakMap<readonly string[], Shape> | undefined;

  afterParameter(): Shape {
    this.#afterParameter ??= new Shape();
    return this.#afterParameter;
  }

  afterPiece(parts: readonly string[]): Shape {
    this.#afterPiece ??= new WeakMap();
    const known = this.#afterPiece.get(parts);
    if (known) return known;
    const shape = new Shape();
    this.#afterPiece.set(parts, shape);
    return shape;
  }
}

const ANY_SHAPE = new Shape();

/** The shape of a statement that goes on with this piece, whose values are added. */
function follow(piece: Sql, before: Shape, values: WireValue[]): Shape {
  let shape = before.afterPiece(piece.parts);
  for (const value of piece.values) {
    if (value instanceof Sql) {
      shape = follow(value, shape, values);
    } else {
      values.push(parameter(value));
      shape = shape.afterParameter();
    }
  }
  return shape;
}

function render(piece: Sql): string {
  let count = 0;
  const textOf = ({ parts: [first = '', ...rest], values }: Sql): string =>
    rest.reduce((text, part, i) => {
      const value = values[i];
      return text + (value instanceof Sql ? textOf(value) : `$${++count}`) + part;
    }, first);
  return textOf(piece);
}

function named(text: string): Pick<Statement, 'name' | 'text'> {
  return { name: statementName(text), text };
}

/** Called before anything is sent, so that a value that cannot be serialized throws without any effect. */
function parameter(value: unknown): WireValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value;
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return arrayText(value);
  if (value instanceof Date) return timeText(value);
  return value instanceof Uint8Array ? Buffer.from(value) : JSON.stringify(value);
}

/** PostgreSQL's text form of an array. The driver would escape and quote every element; most need neither. */
export function arrayText(elements: readonly unknown[]): string {
  let text = '{';
  for (let i = 0; i < elements.length; i++) text += (i === 0 ? '' : ',') + elementText(elements[i]);
  return `${text}}`;
}

function elementText(element: unknown): string {
  if (element === null || element === undefined) return 'NULL';
  if (typeof element === 'bigint') return element.toString();
  if (typeof element === 'string') return NEEDS_NO_QUOTES.test(element) ? element : quoted(element);
  if (Buffer.isBuffer(element)) return `"\\\\x${element.toString('hex')}"`;
  if (element instanceof Date) return timeText(element);
  if (typeof element === 'object') return quoted(JSON.stringify(element));
  return String(element);
}

let lastTime = Number.NaN;
let lastText = '';

/** Rows that are written together mostly have the same time, and formatting a time costs more than any other element. */
function timeText(date: Date): string {
  const time = date.getTime();
  if (time !== lastTime) {
    lastText = plainYear(date.toISOString());
    lastTime = time;
  }
  return lastText;
}

/** ISO text has a year zero, and a sign and six digits where PostgreSQL writes a plain year, or `BC`. */
function plainYear(text: string): string {
  if (!/^([+-]|0000)/.test(text)) return text;
  const [, year = '', rest] = /^([+-]?\d+)(-.*)$/.exec(text) ?? [];
  const shown = Number(year) > 0 ? [year, ''] : [1 - Number(year), ' BC'];
  return `${String(Number(shown[0])).padStart(4, '0')}${rest}${shown[1]}`;
}

const NEEDS_NO_QUOTES = /^(?!null$)[\w.:+-]+$/i;

function quoted(element: string): string {
  return `"${element.replace(/["\\]/g, '\\$&')}"`;
}

/** FNV-1a over the text, twice: short, fast and distinct enough for one program's own statements. */
function statementName(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x01000193;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ (code + i), 0x85ebca6b);
  }
  return `s${(a >>> 0).toString(36)}${(b >>> 0).toString(36)}_${text.length}`;
}
