import {
  IMPORT_JOB,
  type ImportPayload,
  scheduleImport,
} from '#capabilities/customers/bulk/accept-import.ts';
import { FileError } from '#capabilities/customers/bulk/columns.ts';
import { endImport, PURGE_IMPORTS, purgeImports } from '#capabilities/customers/bulk/end-import.ts';
import { type ImportRules, importBatch } from '#capabilities/customers/bulk/import-batch.ts';
import { type FileRow, readRows, surveyFile } from '#capabilities/customers/bulk/read-file.ts';
import type { RowError } from '#capabilities/customers/bulk/read-row.ts';
import {
  hasOtherErrors,
  type ImportRow,
  markStarted,
  storeSurvey,
} from '#capabilities/customers/bulk/store.ts';
import type { CustomerPolicy } from '#capabilities/customers/terms/policy.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import { validate } from '#foundation/http/read/validate.ts';
import {
  type CallHandler,
  concerning,
  type Effect,
  type Job,
  type JobDeclarations,
} from '#foundation/jobs/handlers.ts';
import { readContent } from '#foundation/uploads/contents.ts';

const BATCH_ROWS = 100;
/** The job is rescheduled after this much real time, so that a draining process can stop soon. */
const SLICE_MS = 5_000;
/** Reached after about a quarter of an hour; the import then fails. */
const FAILURES_MAX = 10;
/** Delay before the retry of an import that failed alone, or that another worker is still running. */
const RETRY_MS = 10_000;

/** When a file counts as junk (customers.md §2.5.28a). */
const JUNK = { emptyRowsMax: 10_000, invalidRowsMax: 20_000 };

/** A platform's imports take turns, so that many of them use no more capacity than one. */
export function importJobs(policy: CustomerPolicy, junk = JUNK): JobDeclarations {
  const rules: SliceRules = { policy, validate, junk };
  const handler: CallHandler = {
    call: (work, job) => runSlice(work, [job], rules),
    many: (work, jobs) => runSlice(work, jobs, rules),
  };
  return {
    [IMPORT_JOB]: { ...handler, due: concerning('Job', (id) => `The import ${id} continues.`) },
    [PURGE_IMPORTS]: { ...purgeImports, due: 'upkeep' },
  };
}

interface SliceRules extends ImportRules {
  readonly junk: typeof JUNK;
}

async function runSlice(work: Work, jobs: readonly Job[], rules: SliceRules): Promise<Effect> {
  const { clock } = work.runtime;
  const until = clock.now() + SLICE_MS;
  const isOver = () => clock.now() >= until;
  const effects: Effect[] = [];
  const failures: unknown[] = [];
  // Imports that have not run yet are rescheduled before those that have.
  const notStarted: Effect[] = [];
  for (const job of jobs) {
    const { id } = (job as Job<ImportPayload>).payload;
    const again = (afterMs: number) => async (tx: Tx) => scheduleImport(tx, id, afterMs);
    if (isOver()) {
      notStarted.push(again(0));
      continue;
    }
    try {
      const outcome = await importSlice(work, id, rules, isOver).catch((error: unknown) =>
        failureOutcome(error, job),
      );
      if (outcome === 'unfinished') effects.push(again(0));
      else if (outcome === 'contested') effects.push(again(RETRY_MS));
      // Written at once: reading a large file may outlast the lease, and effects returned after that are not applied.
      else await work.write((tx) => endImport(tx, id, outcome.fault));
    } catch (error) {
      failures.push(error);
      effects.push(again(RETRY_MS));
    }
  }
  // If all failed, the runner logs, counts and retries. Throwing after a partial failure would delay the others too.
  if (failures.length === jobs.length) throw failures[0];
  return async (tx) => {
    for (const effect of [...notStarted, ...effects]) await effect(tx);
  };
}

/**
 * The outcome of a slice. Contested: a worker whose lease expired is still importing. It can no longer reschedule its
 * job, so the worker that holds the lease keeps the import in the queue until the import has ended.
 */
type BatchResult = 'unfinished' | 'contested' | { readonly fault?: RowError };

async function importSlice(
  work: Work,
  id: Id<'Job'>,
  rules: SliceRules,
  isOver: () => boolean,
): Promise<BatchResult> {
  let at = await work.write((tx) => markStarted(tx, id));
  if (at && !at.columns) at = await surveyImport(work, at, rules.junk);
  // The import has already ended; ending it again changes nothing.
  if (!at) return {};
  const content = await readImportFile(work, at);
  let batch: FileRow[] = [];
  for await (const row of readRows(content, Number(at.position))) {
    batch.push(row);
    if (batch.length < BATCH_ROWS) continue;
    at = await importBatch(work, at, batch, rules);
    if (!at) return 'contested';
    if (await isJunk(work, at, rules.junk)) return { fault: junkFault(rules.junk) };
    batch = [];
    if (isOver()) return 'unfinished';
  }
  if (batch.length > 0) at = await importBatch(work, at, batch, rules);
  return at ? {} : 'contested';
}

async function surveyImport(
  work: Work,
  row: ImportRow,
  { emptyRowsMax }: typeof JUNK,
): Promise<ImportRow | undefined> {
  const { rowsMax } = work.platform.settings.imports;
  const survey = await surveyFile(await readImportFile(work, row), { rowsMax, emptyRowsMax });
  return work.write((tx) => storeSurvey(tx, row.id, survey));
}

/** True if all of the first rows were invalid. Taken names do not count as invalid: a file may be sent twice. */
function isJunk(
  work: Work,
  { id, successful, failed }: ImportRow,
  { invalidRowsMax }: typeof JUNK,
): Promise<boolean> | boolean {
  if (successful > 0 || failed < invalidRowsMax) return false;
  return work.read(async (tx) => !(await hasOtherErrors(tx, id, 'INVALID_FIELD')));
}

function junkFault({ invalidRowsMax }: typeof JUNK): RowError {
  return {
    correlationId: 'row_0',
    code: 'invalid_csv_format',
    message: `None of the first ${invalidRowsMax} rows is valid: the rest were not read.`,
    details: { reason: 'no_valid_rows', limit: invalidRowsMax },
  };
}

function readImportFile(work: Work, { content_id: contentId }: ImportRow) {
  if (contentId === null) throw new Error('an unfinished import has its file');
  return work.read((tx) => readContent(tx, contentId));
}

/** A faulty file ends the import; any other error is retried a limited number of times. */
function failureOutcome(error: unknown, { attempts }: Job): BatchResult {
  // Row 0 is the header; errors of the file as a whole are reported there.
  const correlationId = 'row_0';
  if (error instanceof FileError) {
    const { message, details } = error;
    return { fault: { correlationId, code: 'invalid_csv_format', message, details } };
  }
  if (attempts < FAILURES_MAX) throw error;
  return {
    fault: { correlationId, code: 'INTERNAL_ERROR', message: 'The file could not be read to the end.' },
  };
}
