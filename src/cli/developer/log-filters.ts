import type { Command } from 'commander';
import type { ServerOptions } from '#cli/developer/connect.ts';
import { type Moment, momentArgument } from '#cli/developer/moment.ts';
import { choiceOption } from '#cli/options.ts';

/** The options that select requests. */
export interface LogOptions extends ServerOptions {
  readonly status?: '2XX' | '3XX' | '4XX' | '5XX';
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path?: string;
  readonly since?: Moment;
}

export function withFilters(command: Command): Command {
  return command
    .addOption(choiceOption('--status <class>', 'only statuses of this class', ['2XX', '3XX', '4XX', '5XX']))
    .addOption(
      choiceOption('--method <method>', 'only this method', ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    )
    .option('--path <path>', 'only this path, as documented or as called')
    .option('--since <time>', 'only from this time on, such as 2026-03-01 or 2h (ago)', momentArgument);
}

/** The API's filters, without the time. */
export function filtersOf({ status, method, path }: LogOptions) {
  return {
    ...(status && { statusClass: status }),
    ...(method && { method }),
    ...(path !== undefined && { path }),
  };
}
