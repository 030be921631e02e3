import { IMPORT_JOB, type ImportPayload, scheduleImport } from '#customers/bulk/accept-import.ts';
import { FileFault } from '#customers/bulk/columns.ts';
import { endImportOf, PURGE_IMPORTS, purgeImports } from '#customers/bulk/end-import.ts';
import { type ImportRules, importBatch } from '#customers/bulk/import-batch.ts';
import { type FileRow, readRows, surveyFile } from '#customers/bulk/read-file.ts';
import type { RowError } from '#customers/bulk/read-row.ts';
import { beginImport, type ImportRow, keepSurvey } from '#customers/bulk/store.ts';
import type { CustomerPolicy } from '#customers/policy.ts';
import type { Tx } from '#database/tx.ts';
import type { Work } from '#database/work.ts';
import { validate } from '#http/validate.ts';
import type { CallHandler, Effect, Job, JobHandlers } from '#jobs/handlers.ts';
import { readContent } from '#uploads/contents.ts';

const BATCH_ROWS = 100;
/** After so long (real time) the job is handed back: a process that stops finds a place to stop at. */
const SLICE_MS = 5_000;
/** About a quarter of an hour of trying; a file that cannot be read by then is lost. */
const FAILURES_MAX = 10;
/** One that failed while others went on is tried again by itself; one that somebody else is at is looked after. */
const APART_MS = 10_000;

/** For parts.ts. A platform's imports take turns, so that many of them take no more than one does. */
export function importJobs(policy: CustomerPolicy): JobHandlers {
  const rules: ImportRules = { policy, validate };
  const handler: CallHandler = {
    call: (work, job) => runSlice(work, [job], rules),
    many: (work, jobs) => runSlice(work, jobs, rules),
  };
  return { [IMPORT_JOB]: handler, [PURGE_IMPORTS]: purgeImports };
}

async function runSlice(work: Work, jobs: readonly Job[], rules: ImportRules): Promise<Effect> {
  const { clock } = work.runtime;
  const until = clock.now() + SLICE_MS;
  const isOver = () => clock.now() >= until;
  const effects: Effect[] = [];
  const failures: unknown[] = [];
  // Who had no turn comes before who had one.
  const isBefore: Effect[] = [];
  for (const job of jobs) {
    const { id } = (job as Job<ImportPayload>).payload;
    const again = (afterMs: number) => async (tx: Tx) => scheduleImport(tx, id, afterMs);
    if (isOver()) {
      isBefore.push(again(0));
      continue;
    }
    try {
      const outcome = await workOn(work, id, rules, isOver).catch((error: unknown) => outcomeOf(error, job));
      if (outcome === 'unfinished') effects.push(again(0));
      else if (outcome === 'contested') effects.push(again(APART_MS));
      // At once: a look through a large file may outlast the lease, and what comes after that is not applied.
      else await work.write((tx) => endImportOf(tx, id, outcome.fault));
    } catch (error) {
      failures.push(error);
      effects.push(again(APART_MS));
    }
  }
  // Told, counted and put off by the runner, unless others would have to suffer for it.
  if (failures.length === jobs.length) throw failures[0];
  return async (tx) => {
    for (const effect of [...isBefore, ...effects]) await effect(tx);
  };
}

/**
 * How far a slice got. Contested: a worker whose lease ran out is still at it; since its own job is no longer its
 * to hand on, whoever holds the lease keeps the import in the queue until it has ended.
 */
type BatchResult = 'unfinished' | 'contested' | { readonly fault?: RowError };

async function workOn(
  work: Work,
  id: string,
  rules: ImportRules,
  isOver: () => boolean,
): Promise<BatchResult> {
  let at = await work.write((tx) => beginImport(tx, id));
  if (at && !at.columns) at = await look(work, at);
  // It has ended, and ending it once more changes nothing.
  if (!at) return {};
  const content = await contentOf(work, at);
  let batch: FileRow[] = [];
  for await (const row of readRows(content, Number(at.position))) {
    batch.push(row);
    if (batch.length < BATCH_ROWS) continue;
    at = await importBatch(work, at, batch, rules);
    if (!at) return 'contested';
    batch = [];
    if (isOver()) return 'unfinished';
  }
  if (batch.length > 0) at = await importBatch(work, at, batch, rules);
  return at ? {} : 'contested';
}

async function look(work: Work, row: ImportRow): Promise<ImportRow | undefined> {
  const survey = await surveyFile(await contentOf(work, row));
  return work.write((tx) => keepSurvey(tx, row.id, survey));
}

function contentOf(work: Work, { content_id: contentId }: ImportRow) {
  if (contentId === null) throw new Error('an import that has not ended has its file');
  return work.read((tx) => readContent(tx, contentId));
}

/** What is wrong with the file ends the import; what may pass is tried again, and not for ever. */
function outcomeOf(error: unknown, { attempts }: Job): BatchResult {
  // Row 0 is the header: what concerns the file as a whole stands there.
  const correlationId = 'row_0';
  if (error instanceof FileFault) {
    const { message, details } = error;
    return { fault: { correlationId, code: 'invalid_csv_format', message, details } };
  }
  if (attempts < FAILURES_MAX) throw error;
  return {
    fault: { correlationId, code: 'INTERNAL_ERROR', message: 'The file could not be read to its end.' },
  };
}
