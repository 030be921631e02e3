import { Readable } from 'node:stream';
import type { TransactionSource } from '#capabilities/payments/transactions/sources.ts';
import { openStatement } from '#capabilities/statements/read-statement.ts';
import { ibanOf, renderCamt, requireIsoCurrency } from '#capabilities/statements/render-camt.ts';
import { renderCsv } from '#capabilities/statements/render-csv.ts';
import { renderPage } from '#capabilities/statements/render-page.ts';
import type { StatementFormat, StatementQuery } from '#capabilities/statements/schemas.ts';
import { Reply } from '#foundation/http/idempotency/reply.ts';
import type { Reader } from '#foundation/records/read-across.ts';

export type FileFormat = Exclude<StatementFormat, 'json'>;

/** A statement as a file, in pieces. */
export interface StatementFile {
  readonly name: string;
  readonly headers: Record<string, string>;
  pieces(): AsyncGenerator<string>;
}

export interface FileWanted {
  readonly id: AccountId | undefined;
  readonly query: StatementQuery & { readonly format: FileFormat };
  readonly sources: readonly TransactionSource[];
}

const EXTENSIONS = { csv: 'csv', camt053: 'xml', html: 'html' } as const satisfies Record<FileFormat, string>;

/** Opens a statement as a file; everything that refuses it does so before the first piece. */
export async function openStatementFile(reader: Reader, wanted: FileWanted): Promise<StatementFile> {
  const { id, query, sources } = wanted;
  const { format, version = '08' } = query;
  const statement = await openStatement(reader, sources, id, query);
  const { account, period } = statement;
  const name = `statement-${account.id}-${period.from}-${period.to}.${EXTENSIONS[format]}`;
  const viewer = { platform: reader.platform };
  if (format === 'html') return { name, ...renderPage(statement, viewer) };
  if (format === 'csv') {
    const headers = { 'content-type': 'text/csv; charset=utf-8; header=present' };
    return { name, headers, pieces: () => renderCsv(statement, viewer) };
  }
  requireIsoCurrency(viewer, account.currency);
  const terms = await reader.read(async (tx) => ({
    ...{ version, viewer, issuer: tx.runtime.names.word, iban: ibanOf(tx, statement) },
  }));
  const headers = { 'content-type': 'application/xml; charset=utf-8' };
  return { name, headers, pieces: () => renderCamt(statement, terms) };
}

/** A reply that is sent as it is read. */
export function replyWith({ name, headers, pieces }: StatementFile): Reply<never> {
  const isPage = name.endsWith('.html');
  return new Reply(200, Readable.from(pieces(), { objectMode: false }) as never, {
    ...headers,
    ...(!isPage && { 'content-disposition': `attachment; filename="${name}"` }),
    'x-content-type-options': 'nosniff',
  });
}
