import type { Command } from 'commander';
import { platformFromRecord } from '#capabilities/platform/platform-store.ts';
import { type BusinessTime, businessTimeArgument, countArgument } from '#cli/arguments.ts';
import { addPlatforms, choosePlatforms, type PlatformsOptions } from '#cli/operator/shell/choose-platform.ts';
import { asOperator, type Operator, type Reader } from '#cli/operator/shell/operator.ts';
import { actionName, fullName } from '#cli/options.ts';
import { type Cell, describePlatform, escapeControls, printRows, reportProgress } from '#cli/print.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { Page, PageRequest } from '#foundation/http/paging.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { readAcross } from '#foundation/records/read-across.ts';

/** The options of every list in pages, the newest first. */
export interface ListingOptions extends PlatformsOptions {
  after?: BusinessTime;
  before?: BusinessTime;
  limit: number;
  cursor?: string;
}

type PagedOptions = PlatformsOptions & Pick<ListingOptions, 'limit' | 'cursor'>;

const LIMIT_MAX = 10_000;

/** Adds these options. Each list is one of the API's and follows an index, so a page costs the same on a large platform. */
export function addListing(command: Command): Command {
  return addPages(
    command
      .option(
        '--after <time>',
        'only those created from this time on, such as 2026-03-01 or 2h (ago)',
        businessTimeArgument,
      )
      .option('--before <time>', 'only those created up to this time', businessTimeArgument),
  );
}

/** The same without times. */
export function addPages(command: Command, limitMax = LIMIT_MAX): Command {
  return addPlatforms(
    command
      .option('--limit <count>', 'print at most this many', countArgument(1, limitMax), 100)
      .option('--cursor <cursor>', 'continue after a previous page; repeat its filters'),
  ).option('--json', 'print JSON');
}

/** Describes a list command apart from its filters, which the command has already. */
interface ListCommand {
  /** The options of the example in its help. */
  readonly example: string;
}

export function addPagedList<Item extends object, Filters>(
  command: Command,
  {
    example,
    page,
    ...list
  }: ListCommand &
    Omit<PagedList<Item>, 'action' | 'page'> & {
      page(tx: ReadTx, request: PageRequest, filters: Filters): Promise<Page<Item>>;
    },
): void {
  addPages(command)
    .addHelpText('after', () => renderExample(command, example))
    .action((options: PagedOptions & Filters) =>
      asOperator(async (operator) => {
        const of = (tx: ReadTx, request: PageRequest) => page(tx, request, options);
        await listPages(operator, options, { ...list, action: actionName(command), page: of });
      }),
    );
}

/** Makes a command print a short list; with `limitMax`, the operator chooses how much of it. */
export function addShortList<Item extends object, Filters>(
  command: Command,
  {
    example,
    limitMax,
    rows,
    ...list
  }: ListCommand &
    Omit<ShortList<Item>, 'action' | 'rows'> & {
      readonly limitMax?: number;
      rows(tx: ReadTx, filters: Filters): Promise<readonly Item[]>;
    },
): void {
  if (limitMax !== undefined)
    command.option('--limit <count>', 'print at most this many', countArgument(1, limitMax), 100);
  addPlatforms(command)
    .option('--json', 'print JSON')
    .addHelpText('after', () => renderExample(command, example))
    .action((options: PlatformsOptions & Filters) =>
      asOperator(async (operator) => {
        const of = (tx: ReadTx) => rows(tx, options);
        await listRows(operator, options, { ...list, action: actionName(command), rows: of });
      }),
    );
}

function renderExample(command: Command, example: string): string {
  return `\nExample:\n  $ ${fullName(command)} ${example}`.trimEnd();
}

/** Filters that were given, without those that were not. */
export function given<T extends Record<string, unknown>>(
  filters: T,
): { [Name in keyof T]?: NonNullable<T[Name]> } {
  const some = Object.entries(filters).filter(([, value]) => value !== undefined);
  return Object.fromEntries(some) as { [Name in keyof T]?: NonNullable<T[Name]> };
}

interface OperatorList<Item> {
  /** The words of the command, for the audit log and the cursor. */
  readonly action: string;
  /** Printed where the list is empty. */
  readonly none: string;
  /** The fields that a table shows; by default all. JSON has the whole item. */
  row?(item: Item): Record<string, Cell>;
}

/** A list in pages, the newest first. */
export interface PagedList<Item> extends OperatorList<Item> {
  /** The rows of one platform. */
  page(tx: ReadTx, request: PageRequest): Promise<Page<Item>>;
}

/** Prints one page over all chosen platforms, and returns the printed items. */
export async function listPages<Item extends object>(
  operator: Operator,
  options: PagedOptions,
  list: PagedList<Item>,
): Promise<Item[]> {
  const over = await openPlatforms(operator, options);
  const { vault } = await operator.keys();
  const { limit, cursor } = options;
  const { rows, nextCursor } = await readAcross<Item>(
    over.readers,
    { platformId: over.scope, vault },
    { list: list.action, filters: filtersOf(options), limit, cursor },
    list.page,
  );
  await over.audit(list.action);
  print(over, options, list, rows);
  if (nextCursor !== undefined) reportProgress(`There are more: add --cursor ${nextCursor}`);
  return rows.map(({ item }) => item);
}

/** The filters that a cursor is bound to, without times: `2h` is another time on the next page. */
function filtersOf(options: Readonly<Record<string, unknown>> | object): Record<string, unknown> {
  const { limit, cursor, json, platform, environment, after, before, ...filters } = options as Record<
    string,
    unknown
  >;
  return Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, String(value)]));
}

/** A list that is short by nature, or whose beginning is enough. */
export interface ShortList<Item> extends OperatorList<Item> {
  /** The rows of one platform, at most as many as are shown. */
  rows(tx: ReadTx): Promise<readonly Item[]>;
  /** The time by which the rows of several platforms are sorted. */
  at(item: Item): Date | null | undefined;
  readonly order: 'oldest first' | 'newest first';
}

/** Prints the list over all chosen platforms, and returns the printed items. */
export async function listRows<Item extends object>(
  operator: Operator,
  options: PlatformsOptions & { readonly limit?: number },
  list: ShortList<Item>,
): Promise<Item[]> {
  const over = await openPlatforms(operator, options);
  const found: { item: Item; source: number }[] = [];
  for (const [source, reader] of over.readers.entries()) {
    for (const item of await reader.read((tx) => list.rows(tx))) found.push({ item, source });
  }
  const sign = list.order === 'oldest first' ? 1 : -1;
  const time = ({ item }: { item: Item }) => list.at(item)?.getTime() ?? Number.POSITIVE_INFINITY;
  // Rows of one platform stay in the order that they came in.
  if (over.readers.length > 1) found.sort((a, b) => (time(a) === time(b) ? 0 : sign * (time(a) - time(b))));
  const shown = found.slice(0, options.limit);
  await over.audit(list.action);
  print(over, options, list, shown);
  return shown.map(({ item }) => item);
}

interface Listed {
  readonly readers: readonly Reader[];
  /** The scope of a cursor: one platform, or all of an environment. */
  readonly scope: string;
  /** Names them, above the list. */
  readonly heading: string;
  audit(action: string): Promise<void>;
}

async function openPlatforms(operator: Operator, options: PlatformsOptions): Promise<Listed> {
  const { chosen, others } = await choosePlatforms(operator, options);
  const readers = await operator.readers(chosen.map(platformFromRecord));
  const [first, ...more] = chosen;
  const environment = first?.environment.toLowerCase() ?? '';
  const one = options.platform !== undefined || more.length + others === 0 ? first : undefined;
  return {
    readers,
    scope: one?.id ?? `all of ${environment}`,
    heading: one ? `Platform: ${describePlatform(one)}` : renderHeading(environment, chosen.length, others),
    async audit(action) {
      const where = one ? { platformId: one.id } : { details: { environment } };
      await operator.audit({ action, ...where });
    },
  };
}

function renderHeading(environment: string, chosen: number, others: number): string {
  const listed = `All platforms of ${environment}: ${chosen}`;
  const other = environment === 'production' ? 'sandbox' : 'production';
  return others > 0 ? `${listed}; --environment ${other} lists the other ${others}` : listed;
}

/** A table with the name of each row's platform, or the items with its id and name. */
function print<Item extends object>(
  { readers, heading }: Listed,
  { json = false }: PlatformsOptions,
  { none, row = (item) => item as Record<string, Cell> }: OperatorList<Item>,
  rows: readonly { readonly item: Item; readonly source: number }[],
): void {
  const names = platformNames(readers);
  const shown = rows.map(({ item, source }) => {
    const platform = readers[source]?.platform;
    if (!json) return { ...row(item), platform: names[source] };
    return { ...item, platform: platform && publicId('Platform', platform.id), platformName: platform?.name };
  });
  reportProgress(escapeControls(heading));
  printRows(shown as Record<string, Cell>[], { json, none });
}

/** The platform's name, or its id where several platforms share the name. */
function platformNames(readers: readonly Reader[]): string[] {
  const names = readers.map(({ platform }) => platform.name);
  return readers.map(({ platform: { id, name } }) =>
    names.filter((other) => other === name).length > 1 ? publicId('Platform', id) : name,
  );
}
