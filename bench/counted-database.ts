import type { Database } from '#foundation/database/database.ts';
import { compile, type Sql } from '#foundation/database/sql.ts';
import type { Piece } from './valgrind.ts';

/** One call of the database, with all its round trips. */
export interface Call {
  readonly does: 'query' | 'lookUp' | 'commit' | 'transaction';
  /** The texts of its statements, as far as they are known beforehand. */
  readonly texts: readonly string[];
  readonly pieces: readonly Piece[];
}

/** A database whose calls are counted. */
export interface CountedDatabase {
  readonly database: Database;
  /** Counts from now on. */
  begin(collect: () => Promise<Piece[]>): void;
  /** The calls since the last question. */
  take(): Call[];
}

/** Lets calls happen one at a time, so that everything that the server did meanwhile belongs to the call. */
export function countCalls(inner: Database): CountedDatabase {
  let collect: (() => Promise<Piece[]>) | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let calls: Call[] = [];
  const counted = <T>(does: Call['does'], statements: readonly Sql[], run: () => Promise<T>): Promise<T> => {
    const turn = last.then(async () => {
      await collect?.();
      try {
        return await run();
      } finally {
        const pieces = (await collect?.()) ?? [];
        calls.push({ does, texts: statements.map((statement) => compile(statement).text), pieces });
      }
    });
    last = turn.catch(() => undefined);
    return turn;
  };
  const database: Database = {
    ...inner,
    query: (piece) => counted('query', [piece], () => inner.query(piece)),
    lookUp: (piece) => counted('lookUp', [piece], () => inner.lookUp(piece)),
    commit: (pieces) => counted('commit', pieces, () => inner.commit(pieces)),
    transaction: (steps) => counted('transaction', [], () => inner.transaction(steps)),
  };
  return {
    database,
    begin(collecting) {
      collect = collecting;
      calls = [];
    },
    take() {
      const taken = calls;
      calls = [];
      return taken;
    },
  };
}
