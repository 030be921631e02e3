import type { ComponentChildren } from 'preact';
import type { Pages } from '../api/query.ts';
import { Failed, Skeleton } from './states.tsx';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** `end` for amounts and other figures. */
  readonly align?: 'end';
  /** The column gets what the others leave. */
  readonly isWide?: boolean;
}

export interface TableProps<Row> {
  /** Names the table for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The page of a row. The first cell becomes its link, so it contains no link of its own. */
  readonly linkOf?: ((row: Row) => string | undefined) | undefined;
}

/** A table whose rows can be walked with `j`, `k` and `Enter`. On a narrow screen each row is a card. */
export function Table<Row>({ caption, columns, rows, keyOf, linkOf }: TableProps<Row>) {
  return (
    <div class="table-box">
      <table class="table">
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, align, isWide }) => (
              <th key={title} scope="col" class={cellClass(align, isWide)}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <TableRow key={keyOf(row)} row={row} columns={columns} link={linkOf?.(row)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function TableRow<Row>({
  row,
  columns,
  link,
}: {
  row: Row;
  columns: readonly Column<Row>[];
  link: string | undefined;
}) {
  return (
    <tr class={link === undefined ? undefined : 'table-linked'}>
      {columns.map(({ title, cell, align, isWide }, i) => (
        <td key={title} class={cellClass(align, isWide)} data-label={title}>
          {i === 0 && link !== undefined ? (
            <a href={link} class="table-link" data-row-link>
              {cell(row)}
            </a>
          ) : (
            cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}

function cellClass(align: 'end' | undefined, isWide: boolean | undefined): string | undefined {
  return [align && 'table-end', isWide && 'table-wide'].filter(Boolean).join(' ') || undefined;
}

export interface PagedTableProps<Row> extends Omit<TableProps<Row>, 'rows'> {
  readonly pages: Pages<Row>;
  /** For the failure: "The payments could not be loaded." */
  readonly what: string;
  /** Shown in place of an empty table. */
  readonly empty: ComponentChildren;
}

/** A list of the API, with its states: loading, failed, empty, rows, more rows. */
export function PagedTable<Row>({ pages, what, empty, ...table }: PagedTableProps<Row>) {
  if (pages.isLoading) return <Skeleton lines={8} />;
  if (pages.failure && pages.rows.length === 0) {
    return <Failed what={what} failure={pages.failure} retry={pages.retry} />;
  }
  if (pages.rows.length === 0) return <>{empty}</>;
  return (
    <>
      <Table {...table} rows={pages.rows} />
      {pages.failure && <Failed what={what} failure={pages.failure} retry={pages.retry} />}
      <p class="table-foot">
        <span class="soft" role="status">
          {countOf(pages)}
        </span>
        {pages.more && (
          <button type="button" onClick={pages.more} disabled={pages.isLoadingMore}>
            {pages.isLoadingMore ? 'Loading…' : 'Show more'}
          </button>
        )}
      </p>
    </>
  );
}

function countOf<Row>({ rows, total, more }: Pages<Row>): string {
  if (total !== undefined && total > rows.length) return `${rows.length} of ${total.toLocaleString('en')}`;
  return more ? `The first ${rows.length}` : `${rows.length} in total`;
}
