import { attentionKind } from '#foundation/database/attention.ts';
import { sql } from '#foundation/database/sql.ts';

interface FileRow {
  readonly id: string;
  readonly name: string;
  readonly connector: string;
  readonly reason: string;
  readonly line: number | null;
}

/** Files of a bank that were not taken (bank-files.md §4.1). */
export const filesInQuarantine = attentionKind<FileRow>({
  name: 'bank-files',
  title: 'files of banks that were not taken',
  concerns: 'money',
  roles: ['finance', 'treasury'],
  scope: 'installation',
  time: 'real',
  find: ({ limit, after }) => sql`
    select f.received_at as since, f.id::text as key, f.id, f.name, c.name as connector, f.reason, f.line
      from bank_files f join connectors c on c.id = f.connector_id
     where f.outcome = 'QUARANTINED' and f.closed_at is null and ${after(sql`f.received_at`, sql`f.id::text`)}
     order by f.received_at, f.id::text limit ${limit}`,
  present: ({ id, name, connector, reason, line }) => ({
    // The bank chose the name of the file, and may have put anything into it.
    subject: `${connector}: file ${id}`,
    why: `${name}: ${line === null ? reason : `${reason} (line ${line})`}`,
    plainWhy: 'a file of a bank was not taken',
    commands: [
      `corridor connector file list ${connector}`,
      `corridor connector file close ${id} --reason <text>`,
    ],
  }),
});

interface BatchRow {
  readonly id: string;
  readonly connector: string;
}

/** Files that the bank may or may not have (bank-files.md §2.5). */
export const unclearFiles = attentionKind<BatchRow>({
  name: 'unwritten-files',
  title: 'files for banks that wait to be written for more than ten minutes',
  concerns: 'money',
  roles: ['treasury'],
  scope: 'installation',
  time: 'real',
  workAfterSeconds: 600,
  find: ({ limit, after }) => sql`
    select b.updated_at as since, b.id::text as key, b.id, c.name as connector
      from bank_file_batches b join connectors c on c.id = b.connector_id
     where b.status in ('SEALED', 'WRITING') and ${after(sql`b.updated_at`, sql`b.id::text`)}
     order by b.updated_at, b.id::text limit ${limit}`,
  present: ({ id, connector }) => ({
    subject: `${connector}: batch ${id}`,
    why: 'its file is not in the outbox, as far as the database knows',
    commands: [
      `corridor connector file list ${connector}`,
      `corridor connector file resend ${id} --reason <text>`,
    ],
  }),
});
