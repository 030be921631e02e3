import { createWriteStream, rmSync } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { WORDS } from '#app/personal-data.ts';
import {
  type CustomerExport,
  type ExportedFile,
  type ExportedPart,
  openExport,
} from '#capabilities/erasure/export-customer.ts';
import { idArgument } from '#cli/arguments.ts';
import { OperatorError } from '#cli/failure.ts';
import { findResourceWork, ownerOption, type PlatformOptions } from '#cli/operator/shell/choose-platform.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { reasonOption } from '#cli/options.ts';
import { printObject } from '#cli/print.ts';
import type { Work } from '#foundation/database/work.ts';
import { readContent } from '#foundation/uploads/contents.ts';

interface ExportOptions extends PlatformOptions {
  to: string;
  reason: string;
}

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const OWN_FOLDER = 0o700;
const OWN_FILE = 0o600;

/** Adds `corridor customer export`, which writes all data about a person for that person (customers.md §2.4.26i). */
export function addExport(customer: Command): void {
  customer
    .command('export')
    .description('write everything that is kept about a customer into a new folder that only you can read')
    .argument('<customer>', 'its id', idArgument('Customer'))
    .requiredOption('--to <folder>', 'the folder to create; it must not exist yet (required)')
    .addOption(ownerOption())
    .addOption(reasonOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  $ corridor customer export Customer:0190a5d2-… --to ./ada --reason "their request of 3 March"',
    )
    .action((id: CustomerId, options: ExportOptions) =>
      asOperator((operator) => exportCustomer(operator, id, options)),
    );
}

async function exportCustomer(operator: Operator, id: CustomerId, options: ExportOptions): Promise<void> {
  const { to, reason, json = false } = options;
  const work = await findResourceWork(operator, options, 'Customer', id);
  await createFolder(to);
  const discard = () => rmSync(to, { recursive: true, force: true });
  // The folder is removed at once, so that the next write fails. A second signal ends the process as usual.
  for (const signal of SIGNALS) process.once(signal, discard);
  try {
    const exported = await openExport(work, id, { words: WORDS, reason });
    const written = await writeExport(work, exported, to);
    printObject(json ? { ...written } : { customer: written.customer, folder: to, files: written.files }, {
      json,
    });
  } catch (error) {
    discard();
    throw error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, discard);
  }
}

/** Creates the folder before any data is opened, so that a taken folder refuses the export. */
async function createFolder(path: string): Promise<void> {
  await mkdir(path, { mode: OWN_FOLDER }).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EEXIST' ? 'exists already' : `cannot be created (${error.code})`;
    throw new OperatorError(`${path} ${why}; nothing was opened.`);
  });
}

interface Written {
  readonly customer: string;
  readonly exportedAt: string;
  /** The number of rows in each file. */
  readonly files: Readonly<Record<string, number>>;
  readonly documents: Readonly<Record<string, string>>;
  readonly withheld: readonly string[];
  readonly about: readonly string[];
}

const ABOUT = [
  'Each file has the rows of one kind. Amounts are in the smallest unit of their currency. Times are in UTC.',
  'Secrets are not exported: numbers of cards, words of wallets, codes, secrets of factors, keys and tokens.',
  'Data about other customers is left out of each row. Empty kinds have no file.',
];

async function writeExport(work: Work, exported: CustomerExport, folder: string): Promise<Written> {
  const files: Record<string, number> = {};
  for (const part of exported.parts) {
    const name = `${part.part.replaceAll("'", '').replaceAll(' ', '-')}.json`;
    const rows = await writePart(join(folder, name), part);
    if (rows > 0) files[name] = rows;
    else await rm(join(folder, name));
  }
  const written = {
    ...{ customer: exported.customer, exportedAt: new Date(work.runtime.clock.now()).toISOString(), files },
    documents: await writeFiles(work, exported.files, folder),
    withheld: exported.parts.flatMap(({ part, withheld }) => withheld.map((name) => `${part}: ${name}`)),
    about: ABOUT,
  };
  await using file = await openNew(join(folder, 'index.json'));
  await file.write(`${render(written)}\n`);
  return written;
}

/** Writes the rows while they are read, because a customer may have many. */
async function writePart(path: string, { rows }: ExportedPart): Promise<number> {
  await using file = await openNew(path);
  let count = 0;
  for await (const row of rows()) await file.write(`${count++ === 0 ? '[' : ','}\n${render(row)}`);
  await file.write('\n]\n');
  return count;
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/pdf': '.pdf',
  'image/jpeg': '.jpg',
  'image/png': '.png',
};

/** Writes the uploaded files, each under the id of its document, because uploaded names are not safe as paths. */
async function writeFiles(
  work: Work,
  files: readonly ExportedFile[],
  folder: string,
): Promise<Record<string, string>> {
  const names: Record<string, string> = {};
  if (files.length > 0) await mkdir(join(folder, 'documents'), { mode: OWN_FOLDER });
  for (const { documentId, contentId, mediaType } of files) {
    const name = join('documents', `${documentId}${EXTENSIONS[mediaType] ?? ''}`);
    const content = await work.read((tx) => readContent(tx, contentId));
    await pipeline(content, createWriteStream(join(folder, name), { flags: 'wx', mode: OWN_FILE }));
    names[documentId] = name;
  }
  return names;
}

function openNew(path: string): Promise<FileHandle> {
  return open(path, 'wx', OWN_FILE);
}

function render(value: unknown): string {
  return JSON.stringify(value, (_name, item) => (typeof item === 'bigint' ? renderInteger(item) : item), 2);
}

function renderInteger(value: bigint): number | string {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
}
