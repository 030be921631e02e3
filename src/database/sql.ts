/** A piece of SQL with its values, made by the `sql` tag; pieces nest. */
export class Sql {
  readonly parts: readonly string[];
  readonly values: readonly unknown[];

  constructor(parts: readonly string[], values: readonly unknown[]) {
    this.parts = parts;
    this.values = values;
  }
}

export interface Statement {
  /** Stable per text, so that PostgreSQL prepares each statement once per connection. */
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

/** Values become parameters, never text; a nested `sql` piece is put in as it is. */
export function sql(parts: TemplateStringsArray, ...values: unknown[]): Sql {
  return new Sql(parts, values);
}

/** Pieces joined by a separator, for lists of conditions. */
export function joinSql(pieces: readonly Sql[], separator: ' and ' | ', ' | ' or '): Sql {
  if (pieces.length === 0) return new Sql([''], []);
  const between = Array.from({ length: pieces.length - 1 }, () => separator);
  return new Sql(['', ...between, ''], pieces);
}

/** A piece of fixed text of our own (a column, a direction); never anything a caller sent. */
export function rawSql(text: string): Sql {
  return new Sql([text], []);
}

export function compile(piece: Sql): Statement {
  const values: unknown[] = [];
  const text = render(piece, values);
  return { name: statementName(text), text, values };
}

function render(piece: Sql, values: unknown[]): string {
  let text = piece.parts[0] ?? '';
  for (let i = 0; i < piece.values.length; i++) {
    const value = piece.values[i];
    if (value instanceof Sql) {
      text += render(value, values);
    } else {
      values.push(value);
      text += `$${values.length}`;
    }
    text += piece.parts[i + 1] ?? '';
  }
  return text;
}

/** FNV-1a over the text, twice: short, quick and distinct enough for one program's own statements. */
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
