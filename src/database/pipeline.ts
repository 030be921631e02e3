import type pg from 'pg';
import type { Statement } from '#database/sql.ts';

/** What the driver gives a query to write to; its types leave most of it out. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  parse(message: { name: string; text: string }): void;
  bind(message: { statement: string; values: readonly unknown[] }): void;
  execute(message: object): void;
  close(message: { type: 'S'; name: string }): void;
  sync(): void;
}

/** Does the statements on this connection, in one trip. */
export function runPipeline(client: pg.ClientBase, statements: readonly Statement[]): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new Pipeline(statements, (failure) => (failure ? reject(failure) : resolve())));
  });
}

/** The statements that each connection has prepared for pipelines. */
const prepared = new WeakMap<Wire, Set<string>>();

/**
 * Statements that travel together: all are sent before the first answer, and the server does them in order, in one
 * transaction (its own, if none is open). One that fails undoes all. Their rows are nobody's business.
 */
class Pipeline implements pg.Submittable {
  /** Set by the driver to what it was called back with; called once, with what went wrong. */
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
    // The same text on the same connection may also be prepared by the driver itself, under the plain name.
    const name = `p${given}`;
    if (!this.#known.has(name) && !sent.has(name)) {
      // After a failure nobody knows whether the server came as far as preparing it.
      wire.close({ type: 'S', name });
      wire.parse({ name, text });
      sent.add(name);
    }
    wire.bind({ statement: name, values: values.map(wireValue) });
    wire.execute({});
  }

  handleCommandComplete(): void {
    const statement = this.#statements[this.#done];
    if (statement) this.#known.add(`p${statement.name}`);
    this.#done++;
  }

  handleError(failure: Error): void {
    this.callback(failure);
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
}

/** As the protocol has it: text, or bytes as they are. */
function wireValue(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value;
  if (value instanceof Date) return value.toISOString();
  return String(value);
}
