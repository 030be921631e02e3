import pg from 'pg';
import type { Statement } from '#foundation/database/sql.ts';

/** The columns of a statement's rows. */
interface Description {
  readonly names: readonly string[];
  readonly parsers: readonly ((text: string | Buffer) => unknown)[];
  /** A row without values: copies of it share one shape. */
  readonly empty: Readonly<Record<string, unknown>>;
}

/** The parts of the driver's connection that a query uses; the driver's types omit most of them. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  /** The statements that the server has prepared, and those that it was asked to prepare, by name. */
  readonly parsedStatements: Readonly<Record<string, string>>;
  readonly submittedNamedStatements: Record<string, string>;
  parse(message: { name: string; text: string }): void;
  bind(message: object): void;
  describe(message: { type: 'P'; name: string }): void;
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

/**
 * A prepared statement with its rows. The query of the driver asks for the description of its columns each time, and builds
 * the shape of the rows again, which costs both sides as much as the row itself. It also copies its settings by their
 * property descriptors, and is an emitter of events, which costs as much again.
 */
class PreparedQuery implements pg.Submittable {
  /** The driver wraps this in a callback of its own. */
  callback: (failure: Error | null, rows?: unknown[]) => void;
  /** The driver notes the text under the name when the server has prepared it. */
  readonly name: string;
  readonly text: string;
  readonly #values: Statement['values'];
  readonly #rows: unknown[] = [];
  #wire: Wire | undefined;
  #description: Description | undefined;
  #failure: Error | undefined;

  constructor({ name, text, values }: Statement, callback: PreparedQuery['callback']) {
    this.name = name;
    this.text = text;
    this.#values = values;
    this.callback = callback;
  }

  submit(connection: unknown): null {
    const wire = connection as Wire;
    this.#wire = wire;
    this.#description = described.get(wire)?.get(this.name);
    wire.stream.cork();
    try {
      this.#send(wire);
    } finally {
      wire.stream.uncork();
    }
    return null;
  }

  #send(wire: Wire): void {
    const { name, text } = this;
    if (wire.parsedStatements[name] === undefined && wire.submittedNamedStatements[name] === undefined) {
      wire.parse({ name, text });
      wire.submittedNamedStatements[name] = text;
    }
    wire.bind({ statement: name, values: this.#values });
    if (!this.#description) wire.describe({ type: 'P', name: '' });
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
    described.set(wire, known.set(this.name, description));
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

  handleError(failure: Error): void {
    this.callback(failure);
  }

  handleCommandComplete(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}

  handleReadyForQuery(): void {
    this.callback(this.#failure ?? null, this.#rows);
  }
}

// In its pipeline mode the driver accepts only its own queries; their constructor is what costs so much.
Object.setPrototypeOf(PreparedQuery.prototype, pg.Query.prototype);
