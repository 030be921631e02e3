import { Command, InvalidArgumentError } from 'commander';
import { findAllPlatforms } from '#capabilities/platform/platform-store.ts';
import { countArgument, readId, timeArgument } from '#cli/arguments.ts';
import { choosePlatform } from '#cli/operator/shell/choose-platform.ts';
import { given } from '#cli/operator/shell/listing.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { printRows, reportProgress } from '#cli/print.ts';
import {
  type AuditedActor,
  type AuditFilter,
  type AuditLine,
  listAuditRows,
  openAuditLines,
} from '#foundation/audit/store.ts';
import { readCursor, writeCursor } from '#foundation/http/paging.ts';
import { findPlatformIdByResource } from '#foundation/http/resource-platform-store.ts';
import { isUuid, publicId } from '#foundation/lib/ids.ts';
import { listReads, type OpenedRead } from '#foundation/records/reads-store.ts';

interface ListOptions {
  platform?: string;
  actor?: AuditedActor;
  action?: string;
  resource?: string;
  since?: Date;
  until?: Date;
  limit: number;
  cursor?: string;
  reads?: true;
  json?: boolean;
}

export function auditCommand(): Command {
  const audit = new Command('audit').addHelpText('after', '\nExample:\n  $ corridor audit list --limit 20');
  audit
    .command('list')
    .description('print rows of the audit log of both environments, the newest first')
    .option(
      '--platform <platform>',
      'only rows about this platform: its id, the beginning of its id, or its name',
    )
    .option('--resource <id>', 'only rows about this resource, such as Transaction:0190a5d2-…', textArgument)
    .option(
      '--actor <actor>',
      'only actions of this token, agent or operator: an id or a name',
      actorArgument,
    )
    .option('--action <action>', 'only this action')
    .option('--since <time>', 'only rows from this time on, such as 2026-03-01 or 2h (ago)', timeArgument)
    .option('--until <time>', 'only rows up to this time', timeArgument)
    .option('--limit <count>', 'print at most this many rows', countArgument(1, 10_000), 50)
    .option('--reads', 'who looked at data of people instead: fields, searches, files, documents, pages')
    .option('--cursor <cursor>', 'continue after a previous page; repeat its filters')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ corridor audit list --action "authentication failed" --since 2026-03-01\n' +
        '  $ corridor audit list --resource Customer:0190a5d2-… --actor ada',
    )
    .action((options: ListOptions) =>
      asOperator((operator) => (options.reads ? listWhoLooked : listAudit)(operator, options)),
    );
  return audit;
}

async function listAudit(operator: Operator, options: ListOptions): Promise<void> {
  const { json = false, limit, cursor, reads: _reads, ...asked } = options;
  const filter = await resolveFilter(operator, asked);
  const people = await operator.people();
  // The cursor does not bind the times: `2h` is another time when the next page is read.
  const { since: _since, until: _until, actor, ...bound } = filter;
  const request = { list: 'audit list', filters: { ...bound, actor: actor?.id }, cursor };
  const scope = { platformId: 'all', vault: people.vault };
  const after = cursor === undefined ? undefined : readCursor(scope, request);
  const found = await listAuditRows(operator.database, filter, { limit: limit + 1, after });
  const rows = await openAuditLines(people, found.slice(0, limit));
  // Written after the query, so that a list does not begin with the row about itself.
  await operator.audit({
    action: 'audit list',
    platformId: filter.platform,
    details: given({ ...asked, platform: filter.platform, actor: actor?.id }),
  });
  const names = await platformNames(operator);
  printRows(
    rows.map((row) => (json ? presentWhole(row) : presentRow(row, names))),
    { json, none: 'No rows.' },
  );
  const last = rows.at(-1);
  if (last && found.length > limit) {
    const next = writeCursor(scope, request, [last.at.toISOString(), last.id]);
    reportProgress(`There are more: add --cursor ${next}`);
  }
}

/** The rows of `--reads`: they have a table of their own, by record (operator.md §4.2). */
async function listWhoLooked(operator: Operator, options: ListOptions): Promise<void> {
  const { json = false, limit, cursor, actor, resource, since, until } = options;
  const platform = options.platform === undefined ? undefined : await choosePlatform(operator, options);
  const people = await operator.people();
  const filter = { platform, actor: actor?.id, resource, since, until };
  const request = { list: 'audit reads', filters: { platform, actor: actor?.id, resource }, cursor };
  const scope = { platformId: 'all', vault: people.vault };
  const after = cursor === undefined ? undefined : readCursor(scope, request);
  const found = await listReads({ ...people, database: operator.database }, filter, {
    limit: limit + 1,
    after,
  });
  const rows = found.slice(0, limit);
  await operator.audit({
    action: 'audit list',
    platformId: platform,
    details: given({ actor: actor?.id, resource, reads: true }),
  });
  printRows(rows.map(presentRead), { json, none: 'No rows.' });
  const last = rows.at(-1);
  if (last && found.length > limit) {
    const next = writeCursor(scope, request, [last.at.toISOString(), last.id]);
    reportProgress(`There are more: add --cursor ${next}`);
  }
}

function presentRead(row: OpenedRead) {
  return {
    ...{ at: row.at, operator: row.actor_id, roles: row.roles.join(', '), kind: row.kind },
    ...{ resource: row.resource, fields: row.fields.join(', '), reason: row.reason },
    terms: row.term_hash?.toString('hex').slice(0, TERM_SHOWN),
    platform: row.platform_id && publicId('Platform', row.platform_id),
  };
}

/** Enough to see that two searches had the same terms. */
const TERM_SHOWN = 16;

/** A token or an agent acts on its own platform only, so the index by platform finds its rows. */
async function resolveFilter(
  operator: Operator,
  { platform, actor, ...others }: Omit<ListOptions, 'json' | 'limit' | 'cursor'>,
): Promise<AuditFilter> {
  const named = platform === undefined ? undefined : await choosePlatform(operator, { platform });
  if (named !== undefined || !actor || actor.isOperator) return { ...others, actor, platform: named };
  const { database } = operator;
  const own =
    (await findPlatformIdByResource(database, 'Token', actor.id)) ??
    (await findPlatformIdByResource(database, 'Agent', actor.id));
  return { ...others, actor, platform: own };
}

async function platformNames({ database }: Operator): Promise<Map<string, string>> {
  return new Map((await findAllPlatforms(database)).map(({ id, name }) => [id, name]));
}

function presentRow(row: AuditLine, names: ReadonlyMap<string, string>) {
  return {
    ...presentFacts(row),
    reason: reasonOf(row),
    platform: row.platform_id && (names.get(row.platform_id) ?? publicId('Platform', row.platform_id)),
  };
}

function presentWhole(row: AuditLine) {
  const platform = row.platform_id && publicId('Platform', row.platform_id);
  return { ...presentFacts(row), platform, reason: reasonOf(row), details: row.details as never };
}

function presentFacts(row: AuditLine) {
  return {
    at: row.at,
    actor: actorName(row),
    action: row.action,
    resource: row.resource,
    from: row.remote_address,
    request: row.request_id,
  };
}

function reasonOf({ details }: AuditLine): string | undefined {
  return typeof details.reason === 'string' ? details.reason : undefined;
}

/** `token Token:0190a5d2-…`, `operator ada` */
export function actorName({ actor_kind: kind, actor_id: id }: AuditLine): string {
  const type = ({ token: 'Token', agent: 'Agent' } as const)[kind];
  return `${kind} ${type && isUuid(id) ? publicId(type, id) : id}`;
}

function actorArgument(text: string): AuditedActor {
  const id = readId('Token', text) ?? readId('Agent', text);
  return id === undefined ? { id: textArgument(text), isOperator: true } : { id, isOperator: false };
}

function textArgument(text: string): string {
  const trimmed = text.trim();
  if (trimmed !== '') return trimmed;
  throw new InvalidArgumentError('It must not be empty.');
}
