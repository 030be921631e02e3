import type { Command } from 'commander';
import { idArgument } from '#cli/arguments.ts';
import { findResourceWork, ownerOption, type PlatformOptions } from '#cli/operator/shell/choose-platform.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import type { Findable } from '#cli/operator/shell/store.ts';
import { fullName } from '#cli/options.ts';
import { printObject } from '#cli/print.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { ResourceType } from '#foundation/lib/ids.ts';

type Shown = Readonly<Record<string, unknown>>;

/** A command that prints one resource of a platform, which its id finds. */
interface ShowCommand {
  readonly type: Findable & ResourceType;
  /** The name of the argument, and its description; by default `its id`. */
  readonly argument: string;
  readonly about?: string;
  readonly description: string;
}

/** Loads the resource, and writes an audit row where it prints data about a person. */
interface Loaded<Item extends Shown> extends ShowCommand {
  load(tx: Tx, id: string): Promise<Item>;
  print?(item: Item, options: { json: boolean }): void;
}

/** For commands that print more than one thing. */
interface PrintedByHand extends ShowCommand {
  show(operator: Operator, id: string, options: PlatformOptions): Promise<void>;
}

/** Adds `show <id>` to a command. */
export function addShow<Item extends Shown>(parent: Command, command: Loaded<Item> | PrintedByHand): void {
  const { type, argument, about = 'its id', description } = command;
  const show = 'show' in command ? command.show : printLoaded(command);
  const shown = parent.command('show');
  shown
    .description(description)
    .argument(`<${argument}>`, about, idArgument(type))
    .addOption(ownerOption())
    .option('--json', 'print JSON')
    .addHelpText('after', () => `\nExample:\n  $ ${fullName(shown)} ${type}:0190a5d2-…`)
    .action((id: string, options: PlatformOptions) => asOperator((operator) => show(operator, id, options)));
}

function printLoaded<Item extends Shown>({ type, load, print = printObject }: Loaded<Item>) {
  return async (operator: Operator, id: string, options: PlatformOptions): Promise<void> => {
    const work = await findResourceWork(operator, options, type, id);
    print(await work.write((tx) => load(tx, id)), { json: options.json ?? false });
  };
}
