import type { Command } from 'commander';
import { type BusinessTime, businessTimeArgument, countArgument } from '#cli/arguments.ts';
import { type PlatformOptions, platformOption } from '#cli/choose-platform.ts';
import { type Cell, printRows, reportProgress } from '#cli/print.ts';
import type { Page } from '#http/paging.ts';

/** The options of every list that goes on page after page, the newest first. */
export interface ListingOptions extends PlatformOptions {
  after?: BusinessTime;
  before?: BusinessTime;
  limit: number;
  cursor?: string;
}

const LIMIT_MAX = 10_000;

/** Adds them. The lists are those of the API, each along an index, so that a page costs the same on a large platform. */
export function addListing(command: Command): Command {
  return command
    .option(
      '--after <time>',
      'only what was created then or later, such as 2026-03-01 or 2h',
      businessTimeArgument,
    )
    .option('--before <time>', 'only what was created then or earlier', businessTimeArgument)
    .option('--limit <count>', 'how many at most', countArgument(1, LIMIT_MAX), 100)
    .option('--cursor <cursor>', 'go on where a page ended, with the same filters')
    .addOption(platformOption())
    .option('--json', 'print JSON');
}

/** Filters that were given, without those that were not. */
export function given<T extends Record<string, unknown>>(
  filters: T,
): { [Name in keyof T]?: NonNullable<T[Name]> } {
  const some = Object.entries(filters).filter(([, value]) => value !== undefined);
  return Object.fromEntries(some) as { [Name in keyof T]?: NonNullable<T[Name]> };
}

/** A page as a table or as the API has it. Where it goes on is told on standard error. */
export function printPage<Item>(
  { data, nextCursor }: Page<Item>,
  { json = false }: PlatformOptions,
  { none, row }: { none: string; row: (item: Item) => Record<string, Cell> },
): void {
  printRows((json ? data : data.map(row)) as Record<string, Cell>[], { json, none });
  if (nextCursor !== undefined) reportProgress(`There are more: add --cursor ${nextCursor}`);
}
