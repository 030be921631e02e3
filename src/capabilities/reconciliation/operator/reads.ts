import Type from 'typebox';
import { maskId } from '#capabilities/connectors/operator/present.ts';
import { BREAK_PARAMS } from '#capabilities/connectors/operator/schemas.ts';
import {
  EXPORT_COLUMNS,
  exportAsCsv,
  presentExported,
  readExport,
} from '#capabilities/reconciliation/operator/export.ts';
import type { ExportRow } from '#capabilities/reconciliation/operator/export-store.ts';
import {
  findBankAccount,
  parseAccountName,
  presentReconciled,
  readProof,
  readProofs,
} from '#capabilities/reconciliation/operator/read-proof.ts';
import {
  ACCOUNT_PARAMS,
  AccountProofs,
  BreakSuggestions,
  ExportQuery,
  PeriodQuery,
  ProofQuery,
  ProofRecord,
  ReconciledAccounts,
} from '#capabilities/reconciliation/operator/schemas.ts';
import { suggestFor } from '#capabilities/reconciliation/operator/suggest.ts';
import { listProvenAccounts } from '#capabilities/reconciliation/proof-store.ts';
import type { OperatorCaller } from '#foundation/http/caller.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { Reply } from '#foundation/http/idempotency/reply.ts';
import { component } from '#foundation/http/schema.ts';
import { isDate } from '#foundation/lib/dates.ts';
import { type FieldError, invalidFields, Refusal } from '#foundation/lib/refusals.ts';
import { shown } from '#foundation/records/fields.ts';
import { recordRead } from '#foundation/records/record-read.ts';

/** They say what is in the operator's own accounts, as the books do. */
const READ = {
  area: 'Reconciliation',
  access: 'operator',
  operator: { roles: ['finance', 'treasury'], on: 'installation' },
} as const;

const PERIOD_DAYS_MAX = 366;
const PERIOD_DAYS = 30;

/** Refuses all faults of a period of days at once. */
function checkDays({ from, to }: { readonly from: string; readonly to: string }): void {
  const bad: FieldError[] = Object.entries({ from, to })
    .filter(([, day]) => !isDate(day))
    .map(([field]) => ({ field, message: 'must be a day such as 2026-03-31' }));
  if (bad.length > 0) throw invalidFields(bad);
  const days = Temporal.PlainDate.from(from).until(to).days;
  if (days < 0) throw invalidFields([{ field: 'to', message: 'must not be before from' }]);
  if (days > PERIOD_DAYS_MAX)
    throw invalidFields([{ field: 'to', message: `must be at most ${PERIOD_DAYS_MAX} days after from` }]);
}

function requireAccountName(text: string) {
  const named = parseAccountName(text);
  if (!named)
    throw new Refusal(
      'NOT_FOUND',
      'A settlement account is named by its connector, a dot and its name there.',
    );
  return named;
}

function noProof(account: string): Refusal {
  return new Refusal('NOT_FOUND', `No bank has sent such a statement of ${account}.`);
}

/** Banks choose the ids of their lines freely. */
function maskLine<Row extends { readonly line: string | null }>(row: Row): Row {
  return { ...row, line: row.line && maskId(row.line) };
}

/** The same in a file. A person at the command line sees the whole id. */
function maskExported(row: ExportRow): ExportRow {
  return row.record === 'THEIRS' && row.id !== null ? { ...row, id: maskId(row.id) } : row;
}

const listAccounts = operation('listReconciledAccounts', {
  ...READ,
  route: 'GET /reconciliation',
  summary: 'How far settlement accounts are proven',
  description:
    'All settlement accounts of which a bank has sent a statement, with the last day that is proven.',
  reply: ReconciledAccounts,
  codes: [],
  read: async (tx) =>
    ({ data: (await listProvenAccounts(tx.query.bind(tx))).map(presentReconciled) }) as never,
});

const listDays = operation('listAccountProofs', {
  ...READ,
  route: 'GET /reconciliation/:account/proofs',
  summary: 'The proofs of a settlement account',
  description: 'A day has a proof if a statement ends on it. The newest first.',
  params: ACCOUNT_PARAMS,
  query: PeriodQuery,
  reply: AccountProofs,
  codes: ['NOT_FOUND', 'INVALID_INPUT'],
  async read(tx, { params: { account }, query }) {
    const named = requireAccountName(account);
    const { to = tx.now.toISOString().slice(0, 10) } = query;
    const { from = isDate(to) ? daysBefore(to, PERIOD_DAYS) : to } = query;
    checkDays({ from, to });
    const data = await readProofs(tx.query.bind(tx), named, { from, to });
    if (!data) throw noProof(account);
    return { data } as never;
  },
});

function daysBefore(day: string, days: number): string {
  return Temporal.PlainDate.from(day).subtract({ days }).toString();
}

const showDay = operation('showAccountProof', {
  ...READ,
  route: 'GET /reconciliation/:account/proof',
  summary: 'The proof of a day with what is in transit',
  description: 'Both sides of the equation, and each line that only one side had, with the break about it.',
  params: ACCOUNT_PARAMS,
  query: ProofQuery,
  reply: ProofRecord,
  codes: ['NOT_FOUND', 'INVALID_INPUT'],
  async read(tx, { params: { account }, query: { day } }) {
    if (day !== undefined) checkDays({ from: day, to: day });
    const proof = await readProof(tx.query.bind(tx), requireAccountName(account), day);
    if (!proof) throw noProof(account);
    return { ...proof, items: proof.items.map(maskLine) } as never;
  },
});

const exportPeriod = operation('exportReconciliation', {
  ...READ,
  operator: { ...READ.operator, stepUp: true },
  route: 'GET /reconciliation/:account/export',
  summary: 'Lines, matches, breaks and proofs of a period',
  description: 'A file of at most 100,000 rows. It needs a fresh proof of presence, and is recorded.',
  params: ACCOUNT_PARAMS,
  query: ExportQuery,
  reply: component('ReconciliationExport', 'The rows of an export.', {
    data: Type.Array(
      component(
        'ReconciliationRow',
        'A proof, a line of either side, or a break.',
        Object.fromEntries(EXPORT_COLUMNS.map((name) => [name, shown.own('As in the file.')])),
      ),
      { description: 'The rows, in the order of days.' },
    ),
  }),
  codes: ['NOT_FOUND', 'INVALID_INPUT', 'STEP_UP_REQUIRED'],
  async handle(work, { caller, params: { account }, query: { from, to, format = 'csv' } }) {
    checkDays({ from, to });
    const named = requireAccountName(account);
    const rows = await work.read(async (tx) => {
      const found = await findBankAccount(tx.query.bind(tx), named);
      if (!found) throw noProof(account);
      return (await readExport(tx.query.bind(tx), found, { from, to })).map(maskExported);
    });
    await recordRead(work.runtime, caller as OperatorCaller, {
      ...{ kind: 'EXPORT', platformId: null, resource: account, fields: ['reconciliation', from, to] },
    });
    if (format === 'json') return { data: rows.map(presentExported) } as never;
    return new Reply(200, exportAsCsv(rows) as never, {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="reconciliation-${account}-${from}-${to}.csv"`,
      'x-content-type-options': 'nosniff',
    });
  },
});

const listSuggestions = operation('listBreakSuggestions', {
  ...READ,
  route: 'GET /breaks/:breakId/suggestions',
  summary: 'The line of a break, beside lines that may belong to it',
  description:
    'Lines of the other side with the same direction, amount and currency, within five banking days, the best first. ' +
    'Nothing is matched or booked by itself.',
  params: BREAK_PARAMS,
  reply: BreakSuggestions,
  codes: ['NOT_FOUND'],
  async handle(work, { params: { breakId } }) {
    const { line, suggestions, notes } = await suggestFor(work, breakId);
    return { notes, line: line && maskLine(line), suggestions: suggestions.map(maskLine) } as never;
  },
});

/** Reads reconciliation for operators. The commands `corridor reconcile …` call the same functions. */
export const reconciliationReads = [listAccounts, listDays, showDay, exportPeriod, listSuggestions];
