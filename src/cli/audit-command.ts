import { Command } from 'commander';
import { type AuditFilter, type AuditLine, listAuditRows, openAuditLine } from '#audit/store.ts';
import { countArgument, idArgument, timeArgument } from '#cli/arguments.ts';
import { asOperator, type Operator } from '#cli/operator.ts';
import { printRows } from '#cli/print.ts';
import { publicId } from '#lib/ids.ts';

interface ListOptions extends AuditFilter {
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
    .action((filter: ListOptions) => asOperator((operator) => listAudit(operator, filter)));
  return audit;
}

async function listAudit({ database, audit, keys }: Operator, filter: ListOptions): Promise<void> {
  const found = await listAuditRows(database, filter);
  // Most rows are about nobody's address, and are read without any key.
  const vault = found.some(({ end_user_ip }) => end_user_ip !== null) ? (await keys()).vault : undefined;
  const rows = vault ? found.map((row) => openAuditLine(vault, row)) : found;
  const { json = false, limit, ...asked } = filter;
  // Written after the query, so that a list does not begin with the row about itself.
  await audit({ action: 'audit list', platformId: filter.platform, details: asked });
  printRows(
    rows.map((row) => ({ ...presentAuditRow(row), ...(json && { details: row.details as never }) })),
    { json, none: 'No rows.' },
  );
}

function presentAuditRow(row: AuditLine) {
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
