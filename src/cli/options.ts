import { type Command, Option } from 'commander';
import { anyCase, reasonArgument } from '#cli/arguments.ts';

/** An option with a few values, of which case does not matter; the command gets the value as it is declared. */
export function choiceOption(flags: string, description: string, choices: readonly string[]): Option {
  return anyCase(new Option(flags, description), choices);
}

/** Of every command that moves money, stops or ends something, or decides about somebody. */
export function reasonOption(why = 'why, for the audit log'): Option {
  return new Option('--reason <text>', `${why} (required)`).argParser(reasonArgument).makeOptionMandatory();
}

/** Of the others: a reason that stands in the audit log where one was given. */
export function noteOption(): Option {
  return new Option('--reason <text>', 'why, for the audit log').argParser(reasonArgument);
}

/** The words that a command is called by. */
export function fullName(command: Command): string {
  return command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name();
}
