import { type Command, Option } from 'commander';
import { acceptAnyCase, reasonArgument } from '#cli/arguments.ts';

/** An option with a few values in any case. The command gets the value in its declared case. */
export function choiceOption(flags: string, description: string, choices: readonly string[]): Option {
  return acceptAnyCase(new Option(flags, description), choices);
}

/** The option of every command that moves money, stops or ends something, or decides about a customer. */
export function reasonOption(why = 'why, for the audit log'): Option {
  return new Option('--reason <text>', `${why} (required)`).argParser(reasonArgument).makeOptionMandatory();
}

/** The option of the other commands: a reason for the audit log, if given. */
export function noteOption(): Option {
  return new Option('--reason <text>', 'why, for the audit log').argParser(reasonArgument);
}

/** The words that a command is called by. */
export function fullName(command: Command): string {
  return command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name();
}

/** The same without the name of the program, as the audit log shows it. */
export function actionName(command: Command): string {
  return fullName(command).replace(/^\S+ /, '');
}
