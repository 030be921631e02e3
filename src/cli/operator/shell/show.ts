import type { Command } from 'commander';
import { idArgument } from '#cli/arguments.ts';
import { findResourceWork, ownerOption, type PlatformOptions } from '#cli/operator/shell/choose-platform.ts';
import { confirmed } from '#cli/operator/shell/confirm.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { actionName, fullName, reasonOption } from '#cli/options.ts';
import { printObject } from '#cli/print.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { Findable } from '#foundation/http/resource-platform-store.ts';
import { publicId, type ResourceType } from '#foundation/lib/ids.ts';

type Shown = Readonly<Record<string, unknown>>;

/** A command on one resource of a platform, which its id finds. */
interface ResourceCommand {
  readonly type: Findable & ResourceType;
  /** The name of the argument, and its description; by default `its id`. */
  readonly argument: string;
  readonly about?: string;
  readonly description: string;
}

/** Loads the resource. The command is audited, because it may print data about a person. */
interface Loaded<Item extends Shown> extends ResourceCommand {
  load(tx: Tx, id: string): Promise<Item>;
  print?(item: Item, options: { json: boolean }): void;
}

/** For commands that print more than one thing. */
interface PrintedByHand extends ResourceCommand {
  show(operator: Operator, id: string, options: PlatformOptions): Promise<void>;
}

/** Changes the resource, for a reason that the operator gives, and prints the result. */
interface Change<Item extends Shown, Options extends ChangeOptions> extends ResourceCommand {
  /** Says what will happen, before the operator confirms it; without it, the command does not ask. */
  readonly effect?: string | undefined;
  /** The description of the reason, and the options of the example. */
  readonly why?: string;
  readonly example?: string;
  change(tx: Tx, id: string, options: Options): Promise<Item>;
  print?(item: Item, options: { json: boolean }): void;
}

/** The options of every command that changes a resource. */
export interface ChangeOptions extends PlatformOptions {
  reason: string;
}

/** Adds `show <id>` to a command. */
export function addShow<Item extends Shown>(parent: Command, command: Loaded<Item> | PrintedByHand): void {
  const { type, argument, about = 'its id', description } = command;
  const shown = parent.command('show');
  const show = 'show' in command ? command.show : printLoaded(shown, command);
  shown
    .description(description)
    .argument(`<${argument}>`, about, idArgument(type))
    .addOption(ownerOption())
    .option('--json', 'print JSON')
    .addHelpText('after', () => `\nExample:\n  $ ${fullName(shown)} ${type}:0190a5d2-…`)
    .action((id: string, options: PlatformOptions) => asOperator((operator) => show(operator, id, options)));
}

function printLoaded<Item extends Shown>(
  command: Command,
  { type, load, print = printObject }: Loaded<Item>,
) {
  return async (operator: Operator, id: string, options: PlatformOptions): Promise<void> => {
    const work = await findResourceWork(operator, options, type, id);
    const item = await work.write((tx) => {
      audit(tx, { action: actionName(command), resource: publicId(type, id) });
      return load(tx, id);
    });
    print(item, { json: options.json ?? false });
  };
}

/** Adds a command that changes one resource. The use case writes its audit row. */
export function addChange<Item extends Shown, Options extends ChangeOptions>(
  parent: Command,
  name: string,
  { type, argument, about = 'its id', description, effect, why, ...more }: Change<Item, Options>,
): Command {
  const { example = '--reason "case 4711"', change, print = printObject } = more;
  const command = parent.command(name).description(description);
  if (effect !== undefined) confirmed(command, effect);
  return command
    .argument(`<${argument}>`, about, idArgument(type))
    .addOption(ownerOption())
    .addOption(reasonOption(why))
    .option('--json', 'print JSON')
    .addHelpText('after', () => `\nExample:\n  $ ${fullName(command)} ${type}:0190a5d2-… ${example}`)
    .action((id: string, options: Options) =>
      asOperator(async (operator) => {
        const work = await findResourceWork(operator, options, type, id);
        print(await work.write((tx) => change(tx, id, options)), { json: options.json ?? false });
      }),
    );
}
