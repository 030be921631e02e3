import { Command } from 'commander';
import { countArgument, timeArgument } from '#cli/arguments.ts';
import { OperatorError } from '#cli/failure.ts';
import {
  addPlatforms,
  findResourceReader,
  type PlatformOptions,
  type PlatformsOptions,
} from '#cli/operator/shell/choose-platform.ts';
import { listPages } from '#cli/operator/shell/listing.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { addShow } from '#cli/operator/shell/show.ts';
import { choiceOption } from '#cli/options.ts';
import { printObject } from '#cli/print.ts';
import { REQUEST_LIST } from '#edge/request-log/request-records.ts';
import { loadRequest } from '#edge/request-log/routes.ts';
import { type METHODS, STATUS_CLASSES } from '#edge/request-log/schemas.ts';
import { publicId } from '#foundation/lib/ids.ts';

interface ListOptions extends PlatformsOptions {
  status?: (typeof STATUS_CLASSES)[number];
  method?: (typeof METHODS)[number];
  path?: string;
  request?: string;
  since?: Date;
  limit: number;
  cursor?: string;
}

export function requestsCommand(): Command {
  const requests = new Command('requests').addHelpText(
    'after',
    '\nExample:\n  $ corridor requests list --status 4xx',
  );
  const list = requests
    .command('list')
    .description('print the newest requests')
    .addOption(choiceOption('--status <class>', 'only statuses of this class', STATUS_CLASSES))
    .option('--method <method>', 'only this method', (text: string) => text.toUpperCase())
    .option('--path <path>', 'only this path, as documented or as called')
    .option('--request <id>', 'only the request with this X-Request-Id')
    .option('--since <time>', 'only from this time on, such as 2026-03-01 or 2h (ago)', timeArgument)
    .option('--limit <count>', 'print at most this many', countArgument(1, 1_000), 50)
    .option('--cursor <cursor>', 'continue after a previous page; repeat its filters');
  addPlatforms(list)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor requests list --status 4xx --path /quotes')
    .action((options: ListOptions) => asOperator((operator) => listAll(operator, options)));
  addShow(requests, {
    type: 'RequestLog',
    argument: 'request',
    description: 'print one request, with the logged parts of its bodies',
    show,
  });
  return requests;
}

async function listAll(operator: Operator, { since, ...options }: ListOptions): Promise<void> {
  const { status, method, path, request } = options;
  const filter = { status, method, path, request, createdAfter: since };
  await listPages(operator, options, {
    action: 'requests list',
    none: 'No requests.',
    page: (tx, page) => REQUEST_LIST.page(tx, page, filter),
    row: (request) => ({
      ...{ at: request.createdAt, method: request.method, path: request.path, status: request.status },
      ...{ code: request.code, ms: request.durationMs, idempotency: request.idempotency },
      ...{ caller: request.agentId ?? request.tokenId, request: request.requestId, id: request.id },
      unknownFields: request.unknownFields?.join(', '),
    }),
  });
}

async function show(operator: Operator, id: Id<'RequestLog'>, options: PlatformOptions): Promise<void> {
  const work = await findResourceReader(operator, options, 'RequestLog', id);
  const found = await work.read((tx) => loadRequest(tx, id));
  if (!found) throw new OperatorError(`This platform has no request ${publicId('RequestLog', id)}.`);
  await operator.audit({
    action: 'requests show',
    platformId: work.platform.id,
    resource: publicId('RequestLog', id),
  });
  printObject(found, { json: options.json ?? false });
}
