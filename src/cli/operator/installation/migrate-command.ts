import { Command } from 'commander';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { printJson, printLine } from '#cli/print.ts';
import { migrate } from '#foundation/database/migrate.ts';

export function migrateCommand(): Command {
  return new Command('migrate')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor migrate')
    .action(({ json = false }: { json?: boolean }) =>
      asOperator((operator) => bringUpToDate(operator, json), { isMigrating: true }),
    );
}

async function bringUpToDate({ url, audit }: Operator, json: boolean): Promise<void> {
  const outcome = await migrate(url);
  await audit({ action: 'migrate', details: { ...outcome } });
  if (json) return printJson(outcome);
  const { migrations, functions } = outcome;
  for (const name of migrations) printLine(`Applied migration ${name}.`);
  for (const name of functions) printLine(`Applied functions of ${name}.`);
  if (migrations.length + functions.length === 0) printLine('The schema is up to date.');
}
