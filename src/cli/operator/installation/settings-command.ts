import { Command, InvalidArgumentError } from 'commander';
import { changeApprovalSettings } from '#capabilities/proposals/change-settings.ts';
import { type ApprovalSettings, loadApprovalSettings } from '#capabilities/proposals/settings-store.ts';
import { UsageError } from '#cli/failure.ts';
import { confirmed } from '#cli/operator/shell/confirm.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { reasonOption } from '#cli/options.ts';
import { printObject } from '#cli/print.ts';
import { Work } from '#foundation/database/work.ts';
import { AMOUNT_MAX } from '#foundation/lib/money.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';

interface Options {
  json?: boolean;
}

interface SetOptions extends Options {
  reason: string;
}

const HELP = `
Settings (name=value):
  operatorApprovals             required or off: whether changes that need a second operator wait for one
  operatorApprovalAbove.<CUR>   what one operator may move alone in a day, in the smallest unit; 0: nothing`;

/** `corridor settings …`: settings of the whole installation, which no operation changes (operator.md §5.1). */
export function settingsCommand(): Command {
  const settings = new Command('settings').addHelpText('after', '\nExample:\n  $ corridor settings show');
  settings
    .command('show')
    .description('print the settings of the installation')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor settings show')
    .action(({ json = false }: Options) => asOperator((operator) => show(operator, json)));
  const set = settings.command('set');
  confirmed(
    set,
    'Afterwards one operator alone may be able to move money, or two may be needed where one was enough.',
  )
    .description('change settings of the installation, all of them or none')
    .argument('<settings...>', 'written name=value', settingArgument)
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `${HELP}\n\nExample:\n  $ corridor settings set operatorApprovalAbove.EUR=100000 --reason "decision of 3 March"`,
    )
    .action((change: Partial<ApprovalSettings>, options: SetOptions) =>
      asOperator((operator) => setAll(operator, change, options)),
    );
  return settings;
}

async function show(operator: Operator, json: boolean): Promise<void> {
  const [reader] = await operator.readers([INSTALLATION]);
  const found = await reader?.read(loadApprovalSettings);
  await operator.audit({ action: 'settings show' });
  if (found) print(found, json);
}

async function setAll(
  operator: Operator,
  change: Partial<ApprovalSettings>,
  { reason, json = false }: SetOptions,
): Promise<void> {
  const work = new Work(await operator.runtime(), INSTALLATION, operator.actor);
  print(await work.write((tx) => changeApprovalSettings(tx, { ...change, reason })), json);
}

function print({ approvals, above }: ApprovalSettings, json: boolean): void {
  printObject({ operatorApprovals: approvals, operatorApprovalAbove: above }, { json });
}

/** For commander: merges one `name=value` into those before it. */
function settingArgument(text: string, previous: Partial<ApprovalSettings> = {}): Partial<ApprovalSettings> {
  const [, name, currency, value = ''] = /^(\w+)(?:\.(\w+))?=(.+)$/.exec(text) ?? [];
  if (name === 'operatorApprovals' && currency === undefined) {
    if (previous.approvals !== undefined) throw new UsageError('operatorApprovals is given twice');
    return { ...previous, approvals: readApprovals(value.toLowerCase()) };
  }
  if (name === 'operatorApprovalAbove' && currency !== undefined) {
    const code = currency.toUpperCase();
    if (previous.above?.[code] !== undefined) throw new UsageError(`the amount of ${code} is given twice`);
    return { ...previous, above: { ...previous.above, [code]: readAmount(value) } };
  }
  throw new InvalidArgumentError(
    'It must be operatorApprovals=required, operatorApprovals=off or, for an amount, operatorApprovalAbove.EUR=100000.',
  );
}

function readApprovals(value: string): ApprovalSettings['approvals'] {
  if (value === 'off' || value === 'required') return value;
  throw new InvalidArgumentError('operatorApprovals must be required or off.');
}

function readAmount(value: string): number {
  if (/^\d{1,16}$/.test(value) && BigInt(value) <= AMOUNT_MAX) return Number(value);
  throw new InvalidArgumentError('An amount must be a whole number of the smallest unit.');
}
