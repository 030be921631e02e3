import assert from 'node:assert/strict';
import type { Database, Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import { type Attestation, compareJournals } from '#foundation/journal/attestation.ts';
import { DERIVED_CHECKS } from '#foundation/journal/checks.ts';
import { verifyLedger, violationsIn } from '#foundation/ledger/checks.ts';
import {
  drawEdit,
  type EditedJournal,
  type JournalEdit,
  rewriteChain,
} from '#tests/harness/journal-edits.ts';

export interface EditRun {
  readonly database: Database;
  readonly journals: readonly EditedJournal[];
  /** Kept elsewhere: the heads alone, and the heads with every entry. */
  readonly heads: Attestation;
  readonly entries: Attestation;
  readonly edits: number;
  random(): number;
}

/** How many edits were found, by what was edited. */
export type EditCounts = Map<string, number>;

/**
 * Edits a journal past every guard of the database, and requires that each edit is found by its first entry, and nothing
 * else. Every edit is undone. A third of the edits also hides itself: the stored chain is computed again.
 */
export async function findEdits(run: EditRun): Promise<EditCounts> {
  const counts: EditCounts = new Map();
  for (let i = 0; i < run.edits; i++) {
    const journal = run.journals[Math.floor(run.random() * run.journals.length)] as EditedJournal;
    const edit = drawEdit(journal, run.random);
    const isHidden = run.random() < 1 / 3;
    await undone(run.database, async (query) => {
      for (const statement of edit.statements) await query(statement);
      if (isHidden) await rewriteChain(query, journal.platformId);
      await requireFound(query, { run, journal, edit, isHidden });
    });
    const name = `${edit.what.split(' ')[0]}${isHidden ? ', hidden' : ''}`;
    counts.set(name, 1 + (counts.get(name) ?? 0));
    // Between edits the journal is as it was posted.
    if (i % 50 === 0) await requireClean(run);
  }
  await requireClean(run);
  return counts;
}

interface Edited {
  readonly run: EditRun;
  readonly journal: EditedJournal;
  readonly edit: JournalEdit;
  readonly isHidden: boolean;
}

async function requireFound(query: Run, { run, journal, edit, isHidden }: Edited): Promise<void> {
  const { platformId } = journal;
  const named = new RegExp(`^entry ${edit.first} of platform ${platformId} `);
  const found = await findings(query, run.entries);
  assert.equal(found.length, 1, `${edit.what}: ${found.join('; ')}`);
  assert.match(found[0] ?? '', named, edit.what);
  const byHeads = await findings(query, run.heads);
  assert.equal(byHeads.length, 1, `${edit.what}, hidden: ${byHeads.join('; ')}`);
  if (!isHidden) {
    assert.match(byHeads[0] ?? '', named, edit.what);
    const chain = DERIVED_CHECKS.filter(({ rule }) => rule === 'money.md §13.6');
    const [own = ''] = violationsIn(await verifyLedger(query, chain));
    assert.match(own.replace('money.md §13.6: ', ''), named, edit.what);
    return;
  }
  // The span between two heads has the first bad entry.
  const [, upTo = '', after = ''] = /^entry (\d+) of .* after entry (\d+)$/.exec(byHeads[0] ?? '') ?? [];
  assert.ok(BigInt(after) < edit.first && edit.first <= BigInt(upTo), `${edit.what}: ${byHeads[0]}`);
}

async function findings(query: Run, attestation: Attestation): Promise<string[]> {
  const compared = await compareJournals(query, attestation);
  return compared.flatMap(({ violations }) => violations);
}

async function requireClean({ database, heads, entries }: EditRun): Promise<void> {
  assert.deepEqual(await findings(database.query, heads), []);
  assert.deepEqual(await findings(database.query, entries), []);
  assert.deepEqual(violationsIn(await verifyLedger(database.query, DERIVED_CHECKS)), []);
}

/** Runs steps in a transaction in which no trigger fires and which is rolled back. */
async function undone(database: Database, steps: (query: Run) => Promise<void>): Promise<void> {
  const end = new Error('undone');
  const transaction = database.transaction(async (query) => {
    await query(sql`set local session_replication_role = replica`);
    await query(sql`set constraints all deferred`);
    await steps(query);
    throw end;
  });
  await transaction.catch((error: unknown) => {
    if (error !== end) throw error;
  });
}
