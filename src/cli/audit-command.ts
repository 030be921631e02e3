import { Command } from 'commander';
import { countArgument, idArgument, timeArgument } from '#cli/arguments.ts';
import { asOperator, type Operator } from '#cli/operator.ts';
import { printRows } from '#cli/print.ts';
import { joinSql, type Sql, sql } from '#database/sql.ts';
import { publicId } from '#lib/ids.ts';

interface Filter {
  platform?: string;
  actor?: string;
  action?: string;
  since?: Date;
  limit: number;
  json?: boolean;
}

export function auditCommand(): Command {
  const audit = new Command('audit')
    .description('who did what, and when')
    .addHelpText('after', '\nExample:\n  $ corridor audit list --limit 20');
  audit
    .command('list')
    .description('print the newest rows of the audit table')
    .option('--platform <platform>', 'only what concerns this platform', idArgument('Platform'))
    .option('--actor <id>', 'only what this operator, token or agent did')
    .option('--action <action>', 'only this action')
    .option('--since <time>', 'only what happened from then on', timeArgument)
    .option('--limit <count>', 'at most so many rows', countArgument(1, 10_000), 50)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  $ corridor audit list --action "authentication failed" --since 2026-03-01',
    )
    .action((filter: Filter) => asOperator((operator) => listAudit(operator, filter)));
  return audit;
}

async function listAudit({ database, audit }: Operator, filter: Filter): Promise<void> {
  const rows = await database.query<AuditRow>(sql`
    select at, actor_kind, actor_id, action, resource, platform_id, request_id, remote_address, details
      from audit_log where ${conditions(filter)} order by at desc, id desc limit ${filter.limit}`);
  const { json = false, limit, ...asked } = filter;
  // Written after the query, so that a list does not begin with the row about itself.
  await audit({ action: 'audit list', platformId: filter.platform, details: asked });
  printRows(
    rows.map((row) => ({ ...presentAuditRow(row), ...(json && { details: row.details as never }) })),
    { json, none: 'No rows.' },
  );
}

interface AuditRow {
  at: Date;
  actor_kind: string;
  actor_id: string;
  action: string;
  resource: string | null;
  platform_id: string | null;
  request_id: string | null;
  remote_address: string | null;
  details: Record<string, unknown>;
}

function presentAuditRow(row: AuditRow) {
  return {
    at: row.at,
    actor: `${row.actor_kind} ${row.actor_id}`,
    action: row.action,
    resource: row.resource,
    platform: row.platform_id && publicId('Platform', row.platform_id),
    from: row.remote_address,
    request: row.request_id,
  };
}

function conditions({ platform, actor, action, since }: Filter): Sql {
  return joinSql(
    [
      sql`true`,
      ...(platform === undefined ? [] : [sql`platform_id = ${platform}`]),
      ...(actor === undefined ? [] : [sql`actor_id = ${actor}`]),
      ...(action === undefined ? [] : [sql`action = ${action}`]),
      ...(since === undefined ? [] : [sql`at >= ${since}`]),
    ],
    ' and ',
  );
}
