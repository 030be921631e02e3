import { Command, CommanderError } from 'commander';
import { FOR_DEVELOPERS, FOR_OPERATORS } from '#cli/commands.ts';
import { explain, UsageError } from '#cli/failure.ts';
import { fullName } from '#cli/options.ts';
import { escapeControls } from '#cli/print.ts';
import { describeVersion } from '#foundation/lib/version.ts';

/** Runs one command line and sets the exit code: 0 success, 1 failure, 2 invalid command line. */
export async function runCommandLine(words: readonly string[]): Promise<void> {
  // A reader such as `head` may close the pipe early; that is no error.
  process.stdout.on('error', () => process.exit());
  let called: Command | undefined;
  try {
    const program = await createProgram(words.find((word) => !word.startsWith('-')) ?? '');
    program.hook('preAction', (_program, command) => {
      called = command;
    });
    if (words.length === 0) program.outputHelp();
    else await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return;
    const { lines, code } = await explain(
      called && error instanceof UsageError ? withHelp(error, called) : error,
    );
    for (const line of lines) process.stderr.write(`corridor: ${escapeControls(line)}\n`);
    process.exitCode = code;
  }
}

const HELP = `
Run it as "npm run -s corridor -- <command>" in the project's folder, or as bin/corridor.mjs from any other.

Example:
  $ npm run -s corridor -- platform list`;

/**
 * Creates the program with every command. If one is called, only its module is loaded. The others have just their line in
 * the list of commands, because their modules import most of the service.
 */
export async function createProgram(called?: string): Promise<Command> {
  const program = new Command('corridor')
    .description('An open payments service. Settings come from environment variables; see docs/operating.md.')
    .version(describeVersion(), '-V, --version', 'print the version and the commit')
    .helpCommand(false)
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addHelpText('after', HELP);
  const groups = [
    { title: 'Commands for operators:', entries: FOR_OPERATORS },
    {
      title: 'Commands for developers (CORRIDOR_URL and CORRIDOR_AUTH name the server and the token):',
      entries: FOR_DEVELOPERS,
    },
  ];
  for (const { title, entries } of groups) {
    for (const entry of entries) {
      const isWhole = called === undefined || called === entry.name;
      const command = isWhole ? await entry.load() : new Command(entry.name);
      program.addCommand(command.description(entry.description).helpGroup(title));
    }
  }
  shortenUsageErrors(program);
  return program;
}

/** An invalid argument prints one line that says where to find help, not a page of help. */
function shortenUsageErrors(command: Command): void {
  command.configureOutput({ writeErr: () => undefined, outputError: () => undefined });
  command.exitOverride((error) => {
    if (error.exitCode === 0) throw error;
    const isBare = error.code === 'commander.help';
    const choices = command.commands.map((choice) => choice.name()).join(', ');
    const reason = isBare ? `choose one of ${choices}` : rewordUsageError(error.message);
    throw withHelp(new UsageError(reason.replaceAll('\n', ' ')), command);
  });
  for (const child of command.commands) shortenUsageErrors(child);
}

/** Adds the pointer to the help, whether commander or the command itself refused the command line. */
function withHelp({ message }: UsageError, command: Command): UsageError {
  return new UsageError(`${message} (see "${fullName(command)} --help")`);
}

function rewordUsageError(message: string): string {
  return message
    .replace(/^error: /, '')
    .replace(/^command-argument value (.*) is invalid for argument '(\S+)'\./, '<$2> $1 is invalid.');
}
