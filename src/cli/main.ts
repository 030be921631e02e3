import { readFile } from 'node:fs/promises';
import { Command, CommanderError } from 'commander';
import { accountCommand } from '#cli/account-commands.ts';
import { agentCommand } from '#cli/agent-commands.ts';
import { auditCommand } from '#cli/audit-command.ts';
import { cardCommand } from '#cli/card-commands.ts';
import { customerCommand } from '#cli/customer-command.ts';
import { depositCommand } from '#cli/deposit-command.ts';
import { explain, UsageError } from '#cli/failure.ts';
import { invitationCommand } from '#cli/invitation-commands.ts';
import { keysCommand } from '#cli/keys-command.ts';
import { ledgerCommand } from '#cli/ledger-command.ts';
import { migrateCommand } from '#cli/migrate-command.ts';
import { paymentCommand } from '#cli/payment-commands.ts';
import { platformCommand } from '#cli/platform-command.ts';
import { escapeControls } from '#cli/print.ts';
import { ratesCommand } from '#cli/rates-command.ts';
import { receivableCommand } from '#cli/receivable-commands.ts';
import { reviewCommand } from '#cli/review-command.ts';
import { scaCommand } from '#cli/sca-commands.ts';
import { serveCommand } from '#cli/serve-command.ts';
import { stablecoinCommand } from '#cli/stablecoin-commands.ts';
import { suspenseCommand } from '#cli/suspense-commands.ts';
import { tokenCommand } from '#cli/token-command.ts';
import { walletCommand } from '#cli/wallet-commands.ts';
import { webhookCommand } from '#cli/webhook-command.ts';

/** Runs one command line and sets the exit code: 0 success, 1 failure, 2 invalid command line. */
export async function runCommandLine(words: readonly string[]): Promise<void> {
  // A reader such as `head` may close the pipe early; that is no error.
  process.stdout.on('error', () => process.exit());
  try {
    const program = await createProgram();
    if (words.length === 0) program.outputHelp();
    else await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return;
    const { lines, code } = explain(error);
    for (const line of lines) process.stderr.write(`corridor: ${escapeControls(line)}\n`);
    process.exitCode = code;
  }
}

const HELP = `
Run it as "npm run -s corridor -- <command>" in the project's folder, or as bin/corridor.mjs from any other.

Example:
  $ npm run -s corridor -- platform list`;

async function createProgram(): Promise<Command> {
  const program = new Command('corridor')
    .description('An open payments service. Settings come from environment variables; see docs/operating.md.')
    .version(await version(), '-V, --version', 'print the version')
    .helpCommand(false)
    .addHelpText('after', HELP);
  const commands = [
    serveCommand(),
    migrateCommand(),
    platformCommand(),
    tokenCommand(),
    customerCommand(),
    reviewCommand(),
    accountCommand(),
    walletCommand(),
    cardCommand(),
    agentCommand(),
    stablecoinCommand(),
    scaCommand(),
    invitationCommand(),
    depositCommand(),
    paymentCommand(),
    suspenseCommand(),
    receivableCommand(),
    ratesCommand(),
    webhookCommand(),
    keysCommand(),
    ledgerCommand(),
    auditCommand(),
  ];
  for (const command of commands) program.addCommand(command);
  shortenUsageErrors(program);
  return program;
}

/** An invalid argument prints one line that says where to find help, not a page of help. */
function shortenUsageErrors(command: Command): void {
  const name = fullName(command);
  command.configureOutput({ writeErr: () => undefined, outputError: () => undefined });
  command.exitOverride((error) => {
    if (error.exitCode === 0) throw error;
    const isBare = error.code === 'commander.help';
    const choices = command.commands.map((choice) => choice.name()).join(', ');
    const reason = isBare ? `choose one of ${choices}` : error.message.replace(/^error: /, '');
    throw new UsageError(`${reason.replaceAll('\n', ' ')} (see "${name} --help")`);
  });
  for (const child of command.commands) shortenUsageErrors(child);
}

function fullName(command: Command): string {
  return command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name();
}

async function version(): Promise<string> {
  const path = new URL('../../package.json', import.meta.url);
  return (JSON.parse(await readFile(path, 'utf8')) as { version: string }).version;
}
