import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { type CaseResult, countResults } from '#cli/connector/case-results.ts';
import { CASES, runCheck, Unreachable } from '#cli/connector/run-check.ts';
import { UsageError } from '#cli/failure.ts';
import { addConnectorCommands } from '#cli/operator/money/connector-commands.ts';
import { addFileCommands } from '#cli/operator/money/connector-file-commands.ts';
import { addOwnerCommand } from '#cli/operator/money/connector-owner-command.ts';
import { printJson, printLine } from '#cli/print.ts';
import { type ConnectorKey, connectorHeaders, parseKeys } from '#foundation/connector-protocol/signing.ts';
import { NAME_PATTERN } from '#foundation/connector-protocol/values.ts';
import { systemClock } from '#foundation/lib/clock.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { type ClientCertificate, readClientCertificate } from '#foundation/outbound/client-certificate.ts';

interface CheckCommandOptions {
  readonly secretFile?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
  readonly only?: string;
  readonly restart?: string;
  readonly json?: boolean;
  readonly profile?: string;
  readonly read?: string;
  readonly schema?: string;
  readonly samples?: string;
  readonly outbox?: boolean;
}

/** `corridor connector`: services that reach banks (connectors.md). */
export function connectorCommand(): Command {
  const connector = new Command('connector').addHelpText(
    'after',
    '\nExamples:\n  $ corridor connector add nordbank https://nordbank.internal/corridor --reason "contract 4711"\n' +
      '  $ corridor connector check http://127.0.0.1:9400 --secret-file secrets\n' +
      '  $ corridor connector check nordbank',
  );
  addConnectorCommands(connector);
  addOwnerCommand(connector);
  addFileCommands(connector);
  return connector.addCommand(checkCommand());
}

function checkCommand(): Command {
  return new Command('check')
    .description('test whether a connector over HTTP keeps to the protocol, or whether one by files can work')
    .argument('<connector>', 'the address of a connector over HTTP, or the name of one by files')
    .option(
      '--secret-file <file>',
      'over HTTP (required): its secrets, one line each, "ConnectorKey:<uuid> <base64>"',
    )
    .option('--client-certificate <file>', 'over HTTP: the client certificate to show it, in PEM')
    .option('--client-key <file>', 'over HTTP: the private key of the certificate, in PEM')
    .option('--restart <command>', 'over HTTP: a shell command that restarts the connector, for CK-20')
    .option('--profile <file>', 'by files: check a profile that is not set yet; this needs no database')
    .option('--read <file>', 'by files: read a file of the bank, and leave it where it is')
    .option(
      '--schema <file>',
      'by files: validate the samples with xmllint against a schema of pain.001.001.09',
    )
    .option('--samples <folder>', 'by files: keep the samples in a folder that is not below BANK_FILES')
    .option('--outbox', 'by files: put a probe into the outbox even if the connector is in use')
    .option('--only <case>', 'one case, such as CK-7 or CF-2', (text) => text.toUpperCase())
    .option('--json', 'print the results as JSON')
    .addHelpText(
      'after',
      '\nIf a connector over HTTP is not in test mode, the check only reads from it.\n\n' +
        'For a connector by files, the check writes probes into the folders below BANK_FILES, and removes them. Run it\n' +
        'as the user of the worker, and with the settings of the worker. The name of a probe begins with a dot. Your\n' +
        'transport must ignore such names, or it sends a probe to the bank. So the check puts none into the outbox of a\n' +
        'connector in use, unless you give --outbox. The samples hold invented orders. Send them only to a test\n' +
        'environment of your bank.\n\n' +
        'Ends with 0 if nothing failed, 1 if something did, 2 if the check could not run.\n\n' +
        'Examples:\n  $ corridor connector check http://127.0.0.1:9400 --secret-file secrets\n' +
        '  $ corridor connector check nordbank --read statement.xml',
    )
    .action(check);
}

/** connectors.md §10.2, bank-files.md §9. */
async function check(connector: string, options: CheckCommandOptions): Promise<void> {
  const isAddress = /^https?:$/.test(URL.parse(connector)?.protocol ?? '');
  if (!isAddress && !NAME.test(connector))
    throw new UsageError(`neither an address nor a name of a connector: ${connector}`);
  requireOptions(options, isAddress);
  await (isAddress ? checkAddress(connector, options) : checkName(connector, options));
}

function requireCase(only: string | undefined, cases: readonly { readonly name: string }[]): void {
  if (only === undefined || cases.some(({ name }) => name === only)) return;
  throw new UsageError(`there is no case ${only}: choose one of ${cases.map(({ name }) => name).join(', ')}`);
}

const NAME = new RegExp(NAME_PATTERN);

/** Options of connectors over HTTP, and those of connectors by files. */
const OF_HTTP = ['secretFile', 'clientCertificate', 'clientKey', 'restart'] as const;
const OF_FILES = ['profile', 'read', 'schema', 'samples', 'outbox'] as const;

function requireOptions(options: CheckCommandOptions, isAddress: boolean): void {
  const wrong = (isAddress ? OF_FILES : OF_HTTP).find((name) => options[name] !== undefined);
  if (wrong !== undefined) {
    const option = `--${wrong.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw new UsageError(`${option} is not for a connector ${isAddress ? 'over HTTP' : 'by files'}`);
  }
  if (isAddress && options.secretFile === undefined)
    throw new UsageError('--secret-file is required for a connector over HTTP');
}

async function checkName(name: string, { json = false, ...options }: CheckCommandOptions): Promise<void> {
  // Loaded only here: a check over HTTP needs neither the database nor the writers of files.
  const { checkFiles, FILES_CASES } = await import('#cli/connector/check-files.ts');
  requireCase(options.only, FILES_CASES);
  const onResult = json ? () => undefined : printResult;
  const results = await checkFiles(name, { ...options, onResult });
  const counts = countResults(results);
  if (json) printJson({ connector: name, ...counts, cases: results });
  else printCounts(counts);
  if (counts.failed > 0) process.exitCode = 1;
}

async function checkAddress(
  url: string,
  { secretFile = '', only, restart, json = false, ...options }: CheckCommandOptions,
): Promise<void> {
  requireCase(only, CASES);
  const keys = await readKeys(secretFile);
  const clientCertificate = await readCertificate(options);
  const names = connectorHeaders(wireNames(process.env.SERVICE_NAME ?? 'Svc'));
  const onResult = json ? () => undefined : printResult;
  const given = { url, keys, names, clientCertificate, only, restart, onResult };
  try {
    const { results, isTest } = await runCheck(given);
    const counts = countResults(results);
    if (json) printJson({ url, isTest, ...counts, cases: results });
    else {
      if (!isTest) printLine('The connector is not in test mode: only the cases that read were tried.');
      printCounts(counts);
    }
    if (counts.failed > 0) process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    throw new UsageError(`${url} cannot be reached: ${error.message}`);
  }
}

function printCounts({ passed, failed, skipped }: ReturnType<typeof countResults>): void {
  printLine(`${passed} passed, ${failed} failed, ${skipped} skipped`);
}

async function readKeys(path: string): Promise<[ConnectorKey, ...ConnectorKey[]]> {
  const text = await readText(path);
  const [first, ...others] = parseKeys(text) ?? [];
  if (!first)
    throw new UsageError(`${path} has no line of the form "ConnectorKey:<uuid> <base64 of 32 bytes>"`);
  return [first, ...others];
}

async function readCertificate({
  clientCertificate,
  clientKey,
}: Pick<CheckCommandOptions, 'clientCertificate' | 'clientKey'>): Promise<ClientCertificate | undefined> {
  if (clientCertificate === undefined && clientKey === undefined) return undefined;
  if (clientCertificate === undefined || clientKey === undefined)
    throw new UsageError('--client-certificate and --client-key are given together');
  const given = { certificate: await readText(clientCertificate), privateKey: await readText(clientKey) };
  const read = readClientCertificate(given, new Date(systemClock.now()));
  if ('until' in read) return read;
  const [fault] = read;
  throw new UsageError(`${fault?.field === 'privateKey' ? clientKey : clientCertificate} ${fault?.message}`);
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: Error) => {
    throw new UsageError(`${path} cannot be read: ${error.message}`);
  });
}

function printResult(result: CaseResult): void {
  const why = result.result === 'skip' ? ` (${result.why})` : '';
  printLine(`${result.result.padEnd(5)} ${result.name.padEnd(6)} ${result.tries}${why}`);
  if (result.result === 'ok') for (const note of result.notes ?? []) printLine(`        ${note}`);
  if (result.result !== 'FAIL') return;
  printLine(`        request   ${result.request}`);
  printLine(`        expected  ${result.expected}`);
  printLine(`        got       ${result.got}`);
}
