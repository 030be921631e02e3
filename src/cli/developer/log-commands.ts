import type { Corridor, RequestLog, RequestLogSummary } from '@corridor/client';
import { Command, Option } from 'commander';
import { countArgument } from '#cli/arguments.ts';
import { asDeveloper, onServer, type ServerOptions } from '#cli/developer/connect.ts';
import { filtersOf, type LogOptions, withFilters } from '#cli/developer/log-filters.ts';
import { resolveRealTime } from '#cli/developer/moment.ts';
import { OperatorError, UsageError } from '#cli/failure.ts';
import { printJson, printObject, printRows } from '#cli/print.ts';
import { parseId, publicId } from '#foundation/lib/ids.ts';

export function logsCommand(): Command {
  const logs = new Command('logs').addHelpText('after', '\nExample:\n  $ corridor logs tail --status 4xx');
  withFilters(onServer(logs.command('tail').description('print requests as they arrive, until Ctrl-C')))
    .addOption(
      new Option('--lines <count>', 'begin with this many of the latest requests; not with --since')
        .argParser(countArgument(0, PAGE))
        .default(10)
        .conflicts('since'),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ corridor logs tail\n  $ corridor logs tail --since 10m --status 4xx',
    )
    .action(async (options: LogOptions & { lines: number }) => {
      const { tailLogs } = await import('#cli/developer/tail-logs.ts');
      await asDeveloper(options, (corridor) => tailLogs(corridor, options));
    });
  withFilters(onServer(logs.command('list').description('print the newest requests')))
    .option('--limit <count>', 'print at most this many', countArgument(1, 10_000), 50)
    .addHelpText('after', '\nExample:\n  $ corridor logs list --method post --path /quotes')
    .action((options: LogOptions & { limit: number }) =>
      asDeveloper(options, (corridor) => list(corridor, options)),
    );
  onServer(
    logs
      .command('show')
      .description('print one request, with the logged parts of its bodies')
      .argument('<request>', 'its request id (X-Request-Id), or the id of its entry'),
  )
    .addHelpText('after', '\nExample:\n  $ corridor logs show 0190a5d2-…')
    .action((id: string, options: ServerOptions) =>
      asDeveloper(options, (corridor) => show(corridor, id, options)),
    );
  return logs;
}

const PAGE = 100;

async function list(corridor: Corridor, options: LogOptions & { limit: number }): Promise<void> {
  const { since, limit, json = false } = options;
  const found: RequestLogSummary[] = [];
  const pages = corridor.listRequestLogs({
    ...filtersOf(options),
    ...(since && { createdAfter: resolveRealTime(since) }),
    limit: Math.min(limit, PAGE),
  });
  for await (const request of pages) {
    found.push(request);
    if (found.length >= limit) break;
  }
  const rows = found.map((request) => ({
    ...{ at: request.createdAt, method: request.method, path: request.path, status: request.status },
    ...{ code: request.code, ms: request.durationMs, idempotency: request.idempotency },
    ...{ caller: request.agentId ?? request.tokenId, request: request.requestId },
    unknownFields: request.unknownFields?.join(', '),
  }));
  if (json) printJson(found);
  else printRows(rows, { json, none: 'No requests.' });
}

async function show(corridor: Corridor, id: string, { json = false }: ServerOptions): Promise<void> {
  printObject({ ...(await findRequest(corridor, id)) }, { json });
}

/** Finds it by the request id that an error names, or by the entry id of `logs list --json`. */
async function findRequest(corridor: Corridor, id: string): Promise<RequestLog> {
  const uuid = parseId('RequestLog', id);
  if (uuid === undefined)
    throw new UsageError('<request> must be a request id, which is a UUID, or RequestLog:<uuid>');
  const entry = publicId('RequestLog', uuid);
  if (id.startsWith('RequestLog:')) return corridor.getRequestLogById(entry);
  const { data } = await corridor.listRequestLogs({ requestId: uuid, limit: 1 });
  const [found] = data;
  if (found) return corridor.getRequestLogById(found.id);
  throw new OperatorError(
    `Your platform's log has no request ${uuid}: entries are kept for seven days, and a request that failed to authenticate has none.`,
  );
}
