import { findAccount, requireSource } from '#capabilities/bank-files/apply-file.ts';
import { linesOf } from '#capabilities/bank-files/lines.ts';
import type { Profile } from '#capabilities/bank-files/profile.ts';
import { statementOf } from '#capabilities/bank-files/read-statements.ts';
import { type CamtFile, readBankFile } from '#foundation/bank-formats/bank-file.ts';
import type { ReadStatement } from '#foundation/bank-formats/camt.ts';

/**
 * What the service would read from a file of the bank, one line for each part of it, without taking the file (bank-files.md
 * §9.6). Throws a `FileFault` for a file that would not be taken.
 */
export function judgeFile(profile: Profile, bytes: Uint8Array): string[] {
  const file = readBankFile(bytes);
  switch (file.kind) {
    case 'STATUS':
      return [`pain.002 about the file ${file.messageId}: ${file.transfers.length} orders`];
    case 'NACHA':
      return [`NACHA: ${file.notices.length} returns and notifications of change`];
    case 'CAMT':
      return file.statements.map((statement) => judgeStatement(profile, file, statement));
  }
}

function judgeStatement(profile: Profile, { message }: CamtFile, read: ReadStatement): string {
  const account = findAccount(profile, read);
  const source = account.credits ?? 'camt.053';
  requireSource(message, source, read);
  const statement = message === 'camt.053' ? statementOf(read, account) : undefined;
  const lines = linesOf(read, account, statement?.to ?? read.to ?? '');
  const receipts = lines.filter(({ side, isReturn }) => side === 'CREDIT' && !isReturn);
  const nameless = receipts.filter(({ hasOwnId }) => !hasOwnId).length;
  const skipped = read.entries.filter(({ isBooked }) => !isBooked).length;
  return [
    `${message} of ${account.id}: ${lines.length} booked lines`,
    statement && `from ${statement.opening} to ${statement.closing} in the smallest unit`,
    message === source ? `${receipts.length} receipts` : `its receipts count only in ${source}`,
    nameless > 0 && `${nameless} receipts without a reference of the bank`,
    skipped > 0 && `${skipped} entries that are not booked yet`,
  ]
    .filter((part) => part !== undefined && part !== false)
    .join(', ');
}
