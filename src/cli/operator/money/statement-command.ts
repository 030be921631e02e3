import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { listPlatformAccounts } from '#capabilities/accounts/store.ts';
import { type FileFormat, openStatementFile, type StatementFile } from '#capabilities/statements/render.ts';
import { CAMT_VERSIONS, type CamtVersion } from '#capabilities/statements/schemas.ts';
import { idArgument } from '#cli/arguments.ts';
import { UsageError } from '#cli/failure.ts';
import {
  choosePlatformReader,
  findResourceReader,
  type PlatformOptions,
  platformOption,
} from '#cli/operator/shell/choose-platform.ts';
import { asOperator, type Operator, type Reader } from '#cli/operator/shell/operator.ts';
import { writePrivateFile } from '#cli/operator/shell/private-file.ts';
import { choiceOption } from '#cli/options.ts';
import { printRows } from '#cli/print.ts';
import { publicId } from '#foundation/lib/ids.ts';

interface StatementOptions extends PlatformOptions {
  from: string;
  to: string;
  zone?: string;
  format: FileFormat;
  camtVersion?: CamtVersion;
  out: string;
  platformAll?: true;
}

const EXAMPLES =
  '\nExamples:\n  $ corridor statement InternalAccount:0190a5d2-… --from 2026-03-01 --to 2026-03-31 --out march.csv\n' +
  '  $ corridor statement --platform-all --from 2026-03-01 --to 2026-03-31 --format camt053 --out ./march';

/** `corridor statement`: what customers and platforms get about their accounts (bank-files.md §8.6). */
export function statementCommand(): Command {
  return new Command('statement')
    .argument('[account]', 'the internal account', idArgument('InternalAccount'))
    .requiredOption('--from <day>', 'the first day, such as 2026-03-01 (required)')
    .requiredOption('--to <day>', 'the last day (required)')
    .option('--zone <zone>', 'the time zone of the days, such as Europe/Berlin; UTC by default')
    .addOption(choiceOption('--format <format>', 'csv by default', ['csv', 'camt053', 'html']).default('csv'))
    .addOption(choiceOption('--camt-version <version>', 'of camt053; 08 by default', CAMT_VERSIONS))
    .requiredOption('--out <file>', 'the file to create; with --platform-all the folder (required)')
    .option('--platform-all', 'one file for each account of the platform itself')
    .addOption(platformOption())
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action((account: AccountId | undefined, options: StatementOptions) =>
      asOperator((operator) => writeStatements(operator, account, options)),
    );
}

async function writeStatements(
  operator: Operator,
  account: AccountId | undefined,
  options: StatementOptions,
): Promise<void> {
  const { out, platformAll = false, json = false } = options;
  if (platformAll === (account !== undefined))
    throw new UsageError('name either an account or --platform-all');
  const reader =
    account === undefined
      ? await choosePlatformReader(operator, options)
      : await findResourceReader(operator, options, 'InternalAccount', account);
  const accounts =
    account === undefined ? await reader.read((tx) => listPlatformAccounts(tx, {})) : [{ id: account }];
  if (platformAll) await mkdir(out, { recursive: true });
  const written: { account: string; file: string }[] = [];
  for (const { id } of accounts) {
    const resource = publicId('InternalAccount', id);
    const file = await openFile(reader, id, options);
    // Before anything is written: a statement names people.
    await operator.audit({
      ...{ action: 'statement', platformId: reader.platform.id, resource },
      details: { from: options.from, to: options.to, format: options.format },
    });
    const path = platformAll ? join(out, file.name) : out;
    await writePrivateFile(path, async (handle) => {
      for await (const piece of file.pieces()) await handle.write(piece);
    });
    written.push({ account: resource, file: path });
  }
  printRows(written, { json, none: 'The platform has no accounts.' });
}

async function openFile(
  reader: Reader,
  id: AccountId,
  { from, to, zone, format, camtVersion: version }: StatementOptions,
): Promise<StatementFile> {
  const { SERVICE } = await import('#app/compose.ts');
  const query = { from, to, format, ...(zone !== undefined && { zone }), ...(version && { version }) };
  return openStatementFile(reader, { id, query, sources: SERVICE.transactionSources });
}
