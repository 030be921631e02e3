import type pg from 'pg';
import type { Statement, TextRow } from '#foundation/database/sql.ts';

/** The part of the driver's connection that a query writes to; the driver's types omit most of it. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  parse(message: { name: string; text: string }): void;
  bind(message: { statement: string; values: readonly unknown[] }): void;
  execute(message: object): void;
  close(message: { type: 'S'; name: string }): void;
  sync(): void;
}

/** Runs the statements on this connection in one round trip. */
export function runPipeline(client: pg.ClientBase, statements: readonly Statement[]): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new Pipeline(statements, (failure) => (failure ? reject(failure) : resolve())));
  });
}

/** The statements that each connection has prepared for pipelines. */
const prepared = new WeakMap<Wire, Set<string>>();

/**
 * Sends all statements before the first answer arrives. The server runs them in order, in one transaction (an implicit one
 * if none is open), so one failure undoes all. An `AnsweredSql` gets its rows, as text; other rows are discarded.
 */
class Pipeline implements pg.Submittable {
  /** The driver wraps this in a callback of its own. Called once, with the failure or null. */
  callback: (failure: Error | null) => void;
  readonly #statements: readonly Statement[];
  #done = 0;
  #known = new Set<string>();

  constructor(statements: readonly Statement[], callback: (failure: Error | null) => void) {
    this.#statements = statements;
    this.callback = callback;
  }

  submit(connection: unknown): null {
    const wire = connection as Wire;
    this.#known = prepared.get(wire) ?? new Set();
    prepared.set(wire, this.#known);
    wire.stream.cork();
    try {
      const sent = new Set<string>();
      for (const statement of this.#statements) this.#send(wire, statement, sent);
      wire.sync();
    } finally {
      wire.stream.uncork();
    }
    return null;
  }

  #send(wire: Wire, { name: given, text, values }: Statement, sent: Set<string>): void {
    // The driver may have prepared the same text on this connection itself, under the plain name.
    const name = `p${given}`;
    if (!this.#known.has(name) && !sent.has(name)) {
      // After a failure it is unknown whether the server had already prepared it.
      wire.close({ type: 'S', name });
      wire.parse({ name, text });
      sent.add(name);
    }
    wire.bind({ statement: name, values });
    wire.execute({});
  }

  handleCommandComplete(): void {
    const statement = this.#statements[this.#done];
    if (statement) this.#known.add(`p${statement.name}`);
    this.#done++;
  }

  handleDataRow({ fields }: { fields: TextRow }): void {
    this.#statements[this.#done]?.rows?.push(fields);
  }

  handleError(failure: Error): void {
    this.callback(failure);
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }

  handleRowDescription(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
}
