import pg from 'pg';
import type { Statement } from '#foundation/database/sql.ts';

/** The columns of a statement's rows. */
interface Description {
  readonly names: readonly string[];
  readonly parsers: readonly ((text: string | Buffer) => unknown)[];
  /** A row without values: copies of it share one shape. */
  readonly empty: Readonly<Record<string, unknown>>;
}

/** The parts of the driver's connection that a query writes to; the driver's types omit most of them. */
interface Wire {
  bind(message: object): void;
  execute(message: object): void;
  sync(): void;
}

interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number; readonly format: string }[];
}

const INT8 = 20;

/** `int8` is money or a sequence: a bigint, never a rounded number. */
function parserOf(oid: number): Description['parsers'][number] {
  return oid === INT8 ? (BigInt as (text: string | Buffer) => bigint) : pg.types.getTypeParser(oid);
}

/** The statements that each connection has described. */
const described = new WeakMap<Wire, Map<string, Description>>();

/** Runs a statement on this connection and returns its rows. */
export function runPrepared<Row>(client: pg.ClientBase, statement: Statement): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const settle = (failure: Error | null, rows: unknown[] = []): void => {
      if (failure) reject(failure);
      else resolve(rows as Row[]);
    };
    client.query(new PreparedQuery(statement, settle));
  });
}

/** The driver's types omit the method that sends a prepared statement. */
const DriverQuery = pg.Query as unknown as new (
  statement: Statement,
) => pg.Query & { prepare(wire: Wire): void };

/**
 * A query of the driver that asks for the description of its columns only once per connection. The driver asks each time,
 * and builds the shape of the rows again, which costs both sides as much as the row itself.
 */
class PreparedQuery extends DriverQuery {
  /** The driver wraps this in a callback of its own. */
  callback: (failure: Error | null, rows?: unknown[]) => void;
  readonly #statement: Statement;
  readonly #rows: unknown[] = [];
  #wire: Wire | undefined;
  #description: Description | undefined;
  #failure: Error | undefined;

  constructor(statement: Statement, callback: PreparedQuery['callback']) {
    super(statement);
    this.#statement = statement;
    this.callback = callback;
  }

  override prepare(wire: Wire): void {
    this.#wire = wire;
    this.#description = described.get(wire)?.get(this.#statement.name);
    if (!this.#description) {
      super.prepare(wire);
      return;
    }
    wire.bind({ statement: this.#statement.name, values: this.#statement.values });
    wire.execute({});
    wire.sync();
  }

  handleRowDescription({ fields }: RowDescription): void {
    const description = {
      names: fields.map(({ name }) => name),
      parsers: fields.map(({ dataTypeID }) => parserOf(dataTypeID)),
      empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
    };
    this.#description = description;
    const wire = this.#wire as Wire;
    const known = described.get(wire) ?? new Map<string, Description>();
    described.set(wire, known.set(this.#statement.name, description));
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const { names, parsers, empty } = this.#description as Description;
    const row: Record<string, unknown> = { ...empty };
    try {
      for (let i = 0; i < names.length; i++) {
        const text = fields[i];
        if (text !== null && text !== undefined)
          row[names[i] as string] = (parsers[i] as Description['parsers'][number])(text);
      }
    } catch (error) {
      this.#failure = error as Error;
    }
    this.#rows.push(row);
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.callback(this.#failure ?? null, this.#rows);
  }
}
