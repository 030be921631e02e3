import { Command } from 'commander';
import { confirmed } from '#cli/operator/shell/confirm.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { reasonOption } from '#cli/options.ts';
import { printObject, reportProgress } from '#cli/print.ts';
import { runKeyCommand } from '#foundation/database/key-commands.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { KeyStoreDisagrees, requireAgreement } from '#foundation/person-keys/agreement.ts';
import { repairKeys } from '#foundation/person-keys/repair.ts';

interface RepairOptions {
  acceptLoss?: boolean;
  reason: string;
  json?: boolean;
}

export function personKeysCommand(): Command {
  const example =
    '\nExample:\n  $ corridor person-keys repair --reason "the newest backup of the keys is a day old"';
  const group = new Command('person-keys').addHelpText('after', example);
  confirmed(
    group.command('repair'),
    'The keys of all erased customers are destroyed again. With --accept-loss, customers whose keys do not exist lose their personal data for good.',
  )
    .description('repair a database of keys that is older than the service’s database')
    .option(
      '--accept-loss',
      'record customers whose keys do not exist as erased, so that the service starts; their rows are emptied once nothing prevents a deletion',
    )
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
First look for something newer: a replica of the database of keys, or a newer backup. Without --accept-loss the command only
destroys the keys of erased customers again, and shows how many customers have no key. You may run it again.
${example}
  $ corridor person-keys repair --accept-loss --reason "the keys of three customers are lost"`,
    )
    .action((options: RepairOptions) =>
      asOperator((operator) =>
        runKeyCommand(operator.url, 'person-keys repair', () => repair(operator, options)),
      ),
    );
  return group;
}

async function repair(
  { database, keys, people, audit }: Operator,
  { acceptLoss = false, reason, json = false }: RepairOptions,
): Promise<void> {
  const { store } = await people();
  await audit({ action: 'person-keys repair begun', details: { acceptLoss, reason } });
  const { erasedAgain, lost, firstLost } = await repairKeys({
    database,
    store,
    acceptsLoss: acceptLoss,
    onBatch: (done) => reportProgress(`${done} keys destroyed again …`),
  });
  await audit({ action: 'person-keys repair', details: { acceptLoss, erasedAgain, lost } });
  const left = await requireAgreement(database, store, await keys()).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof KeyStoreDisagrees) return error.message;
      throw error;
    },
  );
  if (left === undefined) reportProgress('The databases agree now. Start the service with "corridor serve".');
  else reportProgress(left);
  const customers = firstLost.map((id) => publicId('Customer', id));
  printObject(
    { erasedAgain, lost, lossAccepted: acceptLoss, agrees: left === undefined, firstLost: customers },
    { json },
  );
}
