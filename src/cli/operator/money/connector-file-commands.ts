import type { Command } from 'commander';
import { listBatches } from '#capabilities/bank-files/batch-store.ts';
import { listFiles } from '#capabilities/bank-files/file-store.ts';
import { findConnector } from '#capabilities/connectors/registry-store.ts';
import { OperatorError } from '#cli/failure.ts';
import { type ConnectorOptions, change, changing, example } from '#cli/operator/money/connector-commands.ts';
import { confirmed } from '#cli/operator/shell/confirm.ts';
import { asOperator } from '#cli/operator/shell/operator.ts';
import { printRows } from '#cli/print.ts';

const FILES_SHOWN = 50;

/** `corridor connector file …`: files that went to a bank and came from it (bank-files.md §2, §4). */
export function addFileCommands(connector: Command): void {
  const file = connector.command('file').description('files of a connector by files');
  file.addHelpText('after', '\nExample:\n  $ corridor connector file list nordbank');
  addList(file);
  addChanges(file);
}

function addList(file: Command): void {
  file
    .command('list')
    .description('list the newest batches of orders, and the newest files of the bank')
    .argument('<name>', 'the name of the connector')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor connector file list nordbank')
    .action((name: string, { json = false }: { json?: boolean }) =>
      asOperator(async ({ database: { query } }) => {
        const found = await findConnector(query, name);
        if (!found) throw new OperatorError(`There is no connector ${name}.`);
        const written = (await listBatches(query, found.id, FILES_SHOWN)).map((batch) => ({
          ...{
            id: batch.id,
            direction: 'TO_BANK',
            name: batch.name,
            state: batch.status,
            at: batch.updated_at,
          },
          detail: `${batch.orders ?? 0} orders`,
        }));
        const received = (await listFiles(query, found.id, FILES_SHOWN)).map((row) => ({
          ...{ id: row.id, direction: 'FROM_BANK', name: row.name, at: row.received_at },
          state: row.closed_at === null ? row.outcome : 'CLOSED',
          detail:
            row.reason === null
              ? (row.message ?? '')
              : `${row.reason}${row.line === null ? '' : ` (line ${row.line})`}`,
        }));
        printRows([...written, ...received], { json, none: 'There are no files.' });
      }),
    );
}

function addChanges(file: Command): void {
  const resend = changing(file, 'resend', {
    operation: 'resendBankFile',
    description: 'write a file again: the same bytes under the same name',
  })
    .argument('<batch>', 'the id of its batch')
    .addHelpText('after', example('file resend 0190a5d2-7a10-7c31-9f0e-1d2c3b4a5968'));
  confirmed(resend, 'A bank may carry out a file that it gets twice.').action(
    (batch: string, options: ConnectorOptions) =>
      change(options, { operation: 'resendBankFile', params: { batch } }),
  );
  changing(file, 'close', {
    operation: 'closeBankFile',
    description: 'say that somebody has seen why a file was not taken',
    second: false,
  })
    .argument('<file>', 'the id of the file')
    .addHelpText('after', example('file close 0190a5d2-7a10-7c31-9f0e-1d2c3b4a5968'))
    .action((id: string, options: ConnectorOptions) =>
      change(options, { operation: 'closeBankFile', params: { file: id } }),
    );
}
