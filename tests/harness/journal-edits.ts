import type { Run } from '#foundation/database/database.ts';
import { rawSql, type Sql, sql } from '#foundation/database/sql.ts';
import { listEntries } from '#foundation/journal/chain-store.ts';
import { CHAIN_START, hashEntry } from '#foundation/journal/entry-hash.ts';

/** Changes of a journal that a person with the database can make, drawn at random. */
export interface JournalEdit {
  readonly what: string;
  /** The first entry that is not as it was posted. */
  readonly first: bigint;
  readonly statements: readonly Sql[];
}

/** A source of numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The numbers of a platform's entries up to a head. */
export interface EditedJournal {
  readonly platformId: PlatformId;
  readonly seqs: readonly bigint[];
}

/** What one column becomes; every text gives another value than before. */
const CHANGED_COLUMNS: readonly string[] = [
  'amounts = array(select a + sign(a)::bigint from unnest(amounts) with ordinality as l (a, n) order by n)',
  'amounts = array(select -a from unnest(amounts) with ordinality as l (a, n) order by n)',
  "accounts[1] = accounts[1] || '0'",
  "currencies = array_replace(currencies, currencies[1], 'XXX')",
  "created_at = created_at + interval '1 microsecond'",
  "recorded_at = recorded_at - interval '1 day'",
  "kind = kind || '.x'",
  "step = step || '0'",
  'ordinal = ordinal + 1',
  'id = gen_random_uuid()',
  'transaction_id = gen_random_uuid()',
  'reverses_seq = coalesce(reverses_seq, 0) + 1',
  'account_nos[1] = coalesce(account_nos[1], 0) + 1',
  'balances[2] = coalesce(balances[2], 0) + 1',
  'accounts = accounts || accounts[1], currencies = currencies || currencies[1], amounts = amounts || 1::bigint, account_nos = account_nos || null::bigint, balances = balances || null::bigint',
];

/** Draws a random edit of entries up to the head. */
export function drawEdit(journal: EditedJournal, random: () => number): JournalEdit {
  const kinds = [change, change, swapContents, swapPlaces, remove, removeSome, insert, move];
  const draw = kinds[Math.floor(random() * kinds.length)] ?? change;
  return draw(journal, random);
}

function anyOf<T>(all: readonly T[], random: () => number): T {
  return all[Math.floor(random() * all.length)] as T;
}

function change(journal: EditedJournal, random: () => number): JournalEdit {
  const [seq, column] = [anyOf(journal.seqs, random), anyOf(CHANGED_COLUMNS, random)];
  const statement = sql`update ledger_entries set ${rawSql(column)} where ${at(journal, seq)}`;
  return { what: `change ${column}`, first: seq, statements: [statement] };
}

/** Two entries exchange their numbers. */
function swapPlaces(journal: EditedJournal, random: () => number): JournalEdit {
  const [a, b] = twoOf(journal, random);
  return {
    what: 'swap places',
    first: a < b ? a : b,
    statements: [renumber(journal, a, -1n), renumber(journal, b, a), renumber(journal, -1n, b)],
  };
}

/** Two entries exchange their ids, so that each has the other's lines. */
function swapContents(journal: EditedJournal, random: () => number): JournalEdit {
  const [a, b] = twoOf(journal, random);
  const statement = sql`
    update ledger_entries e set id = o.id
      from ledger_entries o
     where e.platform_id = ${journal.platformId} and o.platform_id = e.platform_id
       and (e.seq = ${a} and o.seq = ${b} or e.seq = ${b} and o.seq = ${a})`;
  return { what: 'swap contents', first: a < b ? a : b, statements: [statement] };
}

function remove(journal: EditedJournal, random: () => number): JournalEdit {
  const seq = anyOf(journal.seqs, random);
  return {
    what: 'remove',
    first: seq,
    statements: [sql`delete from ledger_entries where ${at(journal, seq)}`],
  };
}

function removeSome(journal: EditedJournal, random: () => number): JournalEdit {
  const [a, b] = twoOf(journal, random);
  const [first, last] = a < b ? [a, b] : [b, a];
  const statement = sql`
    delete from ledger_entries
     where platform_id = ${journal.platformId} and seq >= ${first} and seq <= ${last}`;
  return { what: 'remove several', first, statements: [statement] };
}

function insert(journal: EditedJournal, random: () => number): JournalEdit {
  const [source, free] = [anyOf(journal.seqs, random), anyOf(freeSeqs(journal), random)];
  const statement = sql`
    insert into ledger_entries
      (platform_id, seq, id, created_at, recorded_at, ordinal, kind, step, accounts, currencies, amounts, account_nos,
       balances)
    select platform_id, ${free}, gen_random_uuid(), created_at, recorded_at, ordinal, kind, step, accounts, currencies,
           amounts, account_nos, balances
      from ledger_entries where ${at(journal, source)}`;
  return { what: 'insert', first: free, statements: [statement] };
}

/** An entry gets a number that none had. */
function move(journal: EditedJournal, random: () => number): JournalEdit {
  const [from, to] = [anyOf(journal.seqs, random), anyOf(freeSeqs(journal), random)];
  return { what: 'move', first: from < to ? from : to, statements: [renumber(journal, from, to)] };
}

function renumber(journal: EditedJournal, from: bigint, to: bigint): Sql {
  return sql`update ledger_entries set seq = ${to} where ${at(journal, from)}`;
}

function at({ platformId }: EditedJournal, seq: bigint): Sql {
  return sql`platform_id = ${platformId} and seq = ${seq}`;
}

function twoOf({ seqs }: EditedJournal, random: () => number): [bigint, bigint] {
  const place = Math.floor(random() * seqs.length);
  const other = (place + 1 + Math.floor(random() * (seqs.length - 1))) % seqs.length;
  return [seqs[place] as bigint, seqs[other] as bigint];
}

/** Numbers below the head that no entry of the platform has. */
function freeSeqs({ seqs }: EditedJournal): bigint[] {
  const taken = new Set(seqs);
  const last = Number(seqs.at(-1));
  return Array.from({ length: last - 1 }, (_, i) => BigInt(i + 1)).filter((seq) => !taken.has(seq));
}

/** Computes the stored chain again over the edited journal, as a person would do to hide an edit. */
export async function rewriteChain(run: Run, platformId: PlatformId): Promise<void> {
  await run(sql`delete from journal_chain where platform_id = ${platformId}`);
  const upTo = 2n ** 62n;
  const entries = await listEntries(run, platformId, { after: 0n, upTo }, 1_000_000);
  let before = CHAIN_START;
  const hashes = entries.map((entry) => (before = hashEntry(platformId, entry, before)));
  await run(sql`
    insert into journal_chain (platform_id, seq, entry_id, hash)
    select ${platformId}, l.seq, l.id, decode(l.hash, 'hex')
      from unnest(${entries.map(({ seq }) => seq)}::bigint[], ${entries.map(({ id }) => id)}::uuid[],
                  ${hashes}::text[]) as l (seq, id, hash)`);
  await run(sql`
    update journal_marks set hash = decode(${before}, 'hex'), seq = ${entries.at(-1)?.seq ?? '0'},
           entry_count = ${entries.length}
     where platform_id = ${platformId}`);
}
