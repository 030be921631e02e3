import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { CASES, type CaseResult, runCheck, Unreachable } from '#cli/connector/run-check.ts';
import { UsageError } from '#cli/failure.ts';
import { addConnectorCommands } from '#cli/operator/money/connector-commands.ts';
import { addFileCommands } from '#cli/operator/money/connector-file-commands.ts';
import { addOwnerCommand } from '#cli/operator/money/connector-owner-command.ts';
import { printJson, printLine } from '#cli/print.ts';
import { type ConnectorKey, connectorHeaders, parseKeys } from '#foundation/connector-protocol/signing.ts';
import { systemClock } from '#foundation/lib/clock.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { type ClientCertificate, readClientCertificate } from '#foundation/outbound/client-certificate.ts';

interface CheckCommandOptions {
  readonly secretFile: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
  readonly only?: string;
  readonly restart?: string;
  readonly json?: boolean;
}

/** `corridor connector`: services that reach banks (connectors.md). */
export function connectorCommand(): Command {
  const connector = new Command('connector').addHelpText(
    'after',
    '\nExamples:\n  $ corridor connector add nordbank https://nordbank.internal/corridor --reason "contract 4711"\n' +
      '  $ corridor connector check http://127.0.0.1:9400 --secret-file secrets',
  );
  addConnectorCommands(connector);
  addOwnerCommand(connector);
  addFileCommands(connector);
  return connector.addCommand(checkCommand());
}

function checkCommand(): Command {
  return new Command('check')
    .description('try whether a connector keeps to the protocol')
    .argument('<url>', 'the address of the connector')
    .requiredOption(
      '--secret-file <file>',
      'its secrets (required): one line each, "ConnectorKey:<uuid> <base64>"',
    )
    .option('--client-certificate <file>', 'the certificate that it is shown, in PEM')
    .option('--client-key <file>', 'the private key of the certificate, in PEM')
    .option('--only <case>', 'one case, such as CK-7', (text) => text.toUpperCase())
    .option('--restart <command>', 'a shell command that ends and starts the connector, for CK-20')
    .option('--json', 'print the results as JSON')
    .addHelpText(
      'after',
      '\nA connector that is not in test mode is only read.\n\n' +
        'Ends with 0 if nothing failed, 1 if something did, 2 if the check could not run.\n\n' +
        'Example:\n  $ corridor connector check http://127.0.0.1:9400 --secret-file secrets',
    )
    .action(check);
}

/** connectors.md §10.2. */
async function check(
  url: string,
  { secretFile, only, restart, json = false, ...options }: CheckCommandOptions,
): Promise<void> {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw new UsageError(`not an address: ${url}`);
  if (only !== undefined && !CASES.some(({ name }) => name === only)) {
    throw new UsageError(
      `there is no case ${only}: choose one of ${CASES.map(({ name }) => name).join(', ')}`,
    );
  }
  const keys = await readKeys(secretFile);
  const clientCertificate = await readCertificate(options);
  const names = connectorHeaders(wireNames(process.env.SERVICE_NAME ?? 'Svc'));
  const onResult = json ? () => undefined : printResult;
  try {
    const { results, isTest } = await runCheck({
      url,
      keys,
      names,
      clientCertificate,
      only,
      restart,
      onResult,
    });
    const counts = countResults(results);
    if (json) printJson({ url, isTest, ...counts, cases: results });
    else {
      if (!isTest) printLine('The connector is not in test mode: only the cases that read were tried.');
      printLine(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
    }
    if (counts.failed > 0) process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    throw new UsageError(`${url} cannot be reached: ${error.message}`);
  }
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
  if (result.result !== 'FAIL') return;
  printLine(`        request   ${result.request}`);
  printLine(`        expected  ${result.expected}`);
  printLine(`        got       ${result.got}`);
}

function countResults(results: readonly CaseResult[]) {
  const count = (wanted: CaseResult['result']) => results.filter(({ result }) => result === wanted).length;
  return { passed: count('ok'), failed: count('FAIL'), skipped: count('skip') };
}
