import type { Command } from 'commander';
import { idArgument } from '#cli/arguments.ts';
import { type ConnectorOptions, change, named } from '#cli/operator/money/connector-commands.ts';
import { asOperator } from '#cli/operator/shell/operator.ts';
import { performOperation } from '#cli/operator/shell/perform.ts';
import { printObject } from '#cli/print.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** `corridor connector owner`: whose books hold what nobody claims, and what a settlement account began with. */
export function addOwnerCommand(connector: Command): void {
  named(connector, 'owner', {
    operation: ['setConnectorOwner', 'bookOpeningBalance'],
    description: 'name the platform whose books hold the unclaimed money of a settlement account',
    called: 'owner nordbank main-eur Platform:0190a5d2-…',
  })
    .argument('<settlement-account>', 'the settlement account')
    .argument('<platform>', 'a platform of production', idArgument('Platform'))
    .option('--opening', 'book, once, the money that the account began with in the books of its owner')
    .action(
      (
        name: string,
        settlementAccount: string,
        platform: PlatformId,
        options: ConnectorOptions & { opening?: true },
      ) =>
        options.opening
          ? bookOpening(options, { connector: name, settlementAccount, platform })
          : change(options, {
              operation: 'setConnectorOwner',
              params: { name },
              body: { settlementAccount, platform: publicId('Platform', platform) },
            }),
    );
}

interface Opening {
  readonly connector: string;
  readonly settlementAccount: string;
  readonly platform: PlatformId;
}

/** It is booked in the books of a platform, other than everything else about connectors. */
function bookOpening(options: ConnectorOptions, { platform, ...body }: Opening): Promise<void> {
  return asOperator(async (operator) => {
    const work = await operator.work(platform);
    const booked = await performOperation(operator, work, {
      ...{ operation: 'bookOpeningBalance', params: { platformId: platform }, body, options },
      present: async (_tx, reply: Record<string, unknown>) => reply,
    });
    if (booked) printObject(booked, { json: options.json ?? false });
  });
}
