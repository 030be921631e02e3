import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { openDocument, showPacket } from '#capabilities/verification/show-packet.ts';
import { idArgument } from '#cli/arguments.ts';
import { findResourceWork, ownerOption, type PlatformOptions } from '#cli/operator/shell/choose-platform.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { writePrivateFile } from '#cli/operator/shell/private-file.ts';
import { addShow } from '#cli/operator/shell/show.ts';
import { printObject } from '#cli/print.ts';
import { audit } from '#foundation/audit/audit.ts';
import { publicId } from '#foundation/lib/ids.ts';

interface DocumentOptions extends PlatformOptions {
  output: string;
}

/** `corridor review show` and `document`: the evidence for a decision (customers.md §4.4.10a). */
export function addPacketCommands(review: Command): void {
  addShow(review, {
    type: 'Customer',
    argument: 'customer',
    description:
      'print everything that a customer submitted: fields, owners, documents, and the problems found in them',
    show,
  });
  review
    .command('document')
    .description('write a document into a new file that only you can read')
    .argument('<document>', 'its id', idArgument('Document'))
    .requiredOption('--output <file>', 'the file to create; it must not exist yet (required)')
    .addOption(ownerOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  $ corridor review document Document:0190a5d2-… --output passport.jpg',
    )
    .action((id: Id<'Document'>, options: DocumentOptions) =>
      asOperator((operator) => save(operator, id, options)),
    );
}

async function show(operator: Operator, customerId: CustomerId, options: PlatformOptions): Promise<void> {
  const work = await findResourceWork(operator, options, 'Customer', customerId);
  const packet = await work.write(async (tx) => {
    audit(tx, { action: 'review show', resource: publicId('Customer', customerId) });
    return showPacket(tx, customerId);
  });
  printObject(options.json ? packet : indexPacketById(packet), { json: options.json ?? false });
}

/** Turns lists into objects for printing: each item is under its id or its number. */
function indexPacketById(packet: Awaited<ReturnType<typeof showPacket>>): Record<string, unknown> {
  const { verifications, problemsFoundByUs, beneficialOwners, documents } = packet;
  const { beneficialOwners: _owners, ...customer } = packet.customer as Record<string, unknown>;
  const named = (things: readonly object[]) =>
    Object.fromEntries(
      things.map((thing, at) => {
        const { id = at + 1, ...rest } = thing as { id?: string };
        return [id, rest];
      }),
    );
  return {
    customer,
    verifications: named(verifications),
    problemsFoundByUs: named(problemsFoundByUs),
    beneficialOwners: named(beneficialOwners),
    documents: named(documents),
  };
}

async function save(operator: Operator, documentId: Id<'Document'>, options: DocumentOptions): Promise<void> {
  const { output } = options;
  const saved = await writePrivateFile(output, async (file, signal) => {
    const work = await findResourceWork(operator, options, 'Document', documentId);
    const opened = await work.write(async (tx) => {
      const { file, content } = await openDocument(tx, documentId);
      audit(tx, { action: 'review document', resource: file.id, details: { holder: file.documentHolder } });
      return { file, content };
    });
    await pipeline(opened.content, file.createWriteStream(), { signal });
    return opened.file;
  });
  printObject({ ...saved, output }, { json: options.json ?? false });
}
