import { Argument, type Command } from 'commander';
import { acceptAnyCase, idArgument } from '#cli/arguments.ts';
import { findResourceWork, ownerOption, type PlatformOptions } from '#cli/operator/shell/choose-platform.ts';
import { confirmed } from '#cli/operator/shell/confirm.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { performOperation, performs, type SecondOptions } from '#cli/operator/shell/perform.ts';
import { actionName, fullName, noteOption, reasonOption } from '#cli/options.ts';
import { printObject } from '#cli/print.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
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
interface Change<Item extends Shown, Options extends ChangeOptions, Reply> extends ResourceCommand {
  /** Says what will happen, before the operator confirms it; without it, the command does not ask. */
  readonly effect?: string | undefined;
  /** The description of the reason, and the options of the example. */
  readonly why?: string;
  readonly example?: string;
  /** The operation that is performed; the first parameter of its path is the resource. */
  readonly operation: string;
  /** The name of that parameter. */
  readonly param: string;
  /** The reason may be left out. */
  readonly isNoted?: boolean;
  /** The values of a second argument, which is the member `outcome` of the body. */
  readonly outcomes?: readonly string[];
  /** Whether it may need a second operator. */
  readonly two?: boolean;
  /** The members of the operation's body beside the reason. */
  body?(options: Options): Readonly<Record<string, unknown>>;
  /** Reads what is printed, after the change. */
  present(tx: Tx, id: string, reply: Reply): Promise<Item>;
  print?(item: Item, options: { json: boolean }): void;
}

/** The options of every command that changes a resource. */
export interface ChangeOptions extends PlatformOptions, SecondOptions {
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
    const item = await work.write(async (tx) => {
      const resource = publicId(type, id);
      audit(tx, { action: actionName(command), resource });
      return { ...(await load(tx, id)), ...(await readPending(tx, resource)) };
    });
    print(item, { json: options.json ?? false });
  };
}

/** Reads the undecided proposals that `show` prints (operator.md §5.3). */
export async function readPending(
  tx: ReadTx,
  resource: string,
  platformIds?: readonly PlatformId[],
): Promise<{ pendingProposals?: string }> {
  const { findPending } = await import('#capabilities/proposals/store.ts');
  const pending = await findPending(tx, resource, platformIds);
  return pending.length === 0 ? {} : { pendingProposals: pending.join(', ') };
}

/** Adds a command that performs an operation on one resource. */
export function addChange<Item extends Shown, Options extends ChangeOptions, Reply = unknown>(
  parent: Command,
  name: string,
  change: Change<Item, Options, Reply>,
): Command {
  const { type, argument, about = 'its id', description, effect, why, operation } = change;
  const { two = false, isNoted = false, outcomes } = change;
  const { example = '--reason "case 4711"' } = change;
  const command = parent.command(name).description(description);
  if (effect !== undefined) confirmed(command, effect);
  command.argument(`<${argument}>`, about, idArgument(type));
  if (outcomes) command.addArgument(acceptAnyCase(new Argument('<outcome>', 'the outcome'), outcomes));
  command.addOption(ownerOption()).addOption(isNoted ? noteOption() : reasonOption(why));
  return performs(command, [operation], { second: two })
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      () =>
        `\nExample:\n  $ ${fullName(command)} ${type}:0190a5d2-… ${[...(outcomes?.slice(0, 1) ?? []), example].join(' ')}`,
    )
    .action((id: string, ...rest: unknown[]) => {
      const [outcome, options] = outcomes ? [rest[0], rest[1]] : [undefined, rest[0]];
      return asOperator((operator) =>
        perform(operator, change, { id, outcome, options: options as Options }),
      );
    });
}

async function perform<Item extends Shown, Options extends ChangeOptions, Reply>(
  operator: Operator,
  { type, operation, param, body, present, print = printObject }: Change<Item, Options, Reply>,
  { id, outcome, options }: { id: string; outcome: unknown; options: Options },
): Promise<void> {
  const work = await findResourceWork(operator, options, type, id);
  const shown = await performOperation(operator, work, {
    ...{ operation, params: { [param]: id }, body: { ...body?.(options), outcome }, options },
    present: (tx, reply: Reply) => present(tx, id, reply),
  });
  if (shown !== undefined) print(shown, { json: options.json ?? false });
}
