import { openBreakText } from '#capabilities/connectors/break-texts.ts';
import { loadPrivate, openPrivate, type Private } from '#capabilities/payments/details.ts';
import { findTransactions } from '#capabilities/payments/store.ts';
import {
  bankingDaysAfter,
  bankingDaysBefore,
  daysBetween,
} from '#capabilities/reconciliation/banking-days.ts';
import {
  type Likeness,
  type LineFacts,
  likenessOf,
  NO_FACTS,
  WEIGHTS,
} from '#capabilities/reconciliation/operator/likeness.ts';
import { presentOurs, presentTheirs } from '#capabilities/reconciliation/operator/read-proof.ts';
import {
  findLineBreak,
  findOurs,
  findTheirs,
  type LineBreakRow,
  listOursLike,
  listTheirsLike,
  type TheirsWithTexts,
  type Wanted,
} from '#capabilities/reconciliation/operator/suggestion-store.ts';
import { listReferences } from '#capabilities/reconciliation/ours-store.ts';
import { textsContext } from '#capabilities/reconciliation/receive-statement.ts';
import { type OursRow, parseAbout } from '#capabilities/reconciliation/row.ts';
import type { Statement } from '#foundation/connector-protocol/bank-records.ts';
import type { Run } from '#foundation/database/database.ts';
import { findPlatform } from '#foundation/database/platforms.ts';
import { Work } from '#foundation/database/work.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

/** bank-files.md §6.2 */
const BANKING_DAYS_APART = 5;
const CANDIDATES_MAX = 50;
const SUGGESTIONS_MAX = 10;

interface Side {
  readonly shown: ReturnType<typeof presentOurs> | ReturnType<typeof presentTheirs>;
  readonly hashes: readonly Buffer[];
  readonly facts: LineFacts;
}

/** The line that a break is about, and lines of the other side that may belong to it, the best first. */
export async function suggestFor(work: Pick<Work, 'runtime' | 'actor'>, breakId: string) {
  const run = work.runtime.database.query;
  const found = await findLineBreak(run, breakId);
  if (!found) throw new Refusal('NOT_FOUND', 'There is no such break.');
  const sides = await readSides(work, run, found);
  const notes = await new Work(work.runtime, INSTALLATION, work.actor).read(
    async (tx) => (await openBreakText(tx, found, 'notes')) ?? null,
  );
  if (!sides) return { notes, line: null, suggestions: [] };
  const { own, others } = sides;
  const suggestions = others
    .map((other) => compare(own, other))
    .toSorted((one, other) => other.weight - one.weight || one.apart - other.apart)
    .slice(0, SUGGESTIONS_MAX)
    .map(({ shown, reasons }) => ({ ...shown, reasons }));
  return { notes, line: own.shown, suggestions };
}

function compare(own: Side, { shown, facts, hashes }: Side) {
  const isShared = hashes.some((hash) => own.hashes.some((one) => one.equals(hash)));
  const apart = daysBetween(own.shown.day, shown.day);
  const reasons = new Set<Likeness>([
    ...(isShared ? (['SAME_REFERENCE'] as const) : []),
    ...likenessOf(own.facts, facts),
    ...(apart === 0 ? (['SAME_DAY'] as const) : []),
  ]);
  const weight = [...reasons].reduce((sum, reason) => sum + WEIGHTS[reason], 0);
  return { shown, apart, weight, reasons: [...reasons] };
}

async function readSides(
  work: Pick<Work, 'runtime' | 'actor'>,
  run: Run,
  found: LineBreakRow,
): Promise<{ own: Side; others: readonly Side[] } | undefined> {
  const about = parseAbout(found.about);
  if (about?.whose === 'theirs') {
    const theirs = await findTheirs(run, about.id);
    if (!theirs) return undefined;
    const [own] = await sidesOfTheirs(work, [theirs]);
    const others = await listOursLike(run, wantedBy(theirs), CANDIDATES_MAX);
    return own && { own, others: await sidesOfOurs(work, others) };
  }
  const ours = about && found.platform_id && (await findOurs(run, found.platform_id, about));
  if (!ours) return undefined;
  const [own] = await sidesOfOurs(work, [ours]);
  const others = await listTheirsLike(run, wantedBy(ours), CANDIDATES_MAX);
  return own && { own, others: await sidesOfTheirs(work, others) };
}

function wantedBy({
  booked_on,
  ...line
}: Pick<OursRow, keyof Omit<Wanted, 'from' | 'to'> | 'booked_on'>): Wanted {
  return {
    ...line,
    from: bankingDaysBefore(booked_on, BANKING_DAYS_APART),
    to: bankingDaysAfter(booked_on, BANKING_DAYS_APART),
  };
}

/** The bank's texts about people are compared for as long as they are kept. */
async function sidesOfTheirs(
  { runtime, actor }: Pick<Work, 'runtime' | 'actor'>,
  rows: readonly TheirsWithTexts[],
): Promise<Side[]> {
  return new Work(runtime, INSTALLATION, actor).read(async (tx) => {
    await tx.runtime.personKeys.loadFor(rows.map(({ texts }) => texts));
    return rows.map((row) => {
      const text = row.texts === null ? undefined : tx.vault.openKept(row.texts, textsContext(row.id));
      const facts = text === undefined ? NO_FACTS : factsOf(JSON.parse(text) as LineTexts);
      return { shown: presentTheirs(row), hashes: row.reference_hashes, facts };
    });
  });
}

type LineTexts = Pick<Statement['lines'][number], 'references' | 'counterparty' | 'remittance'>;

function factsOf({ references, counterparty, remittance }: LineTexts): LineFacts {
  return {
    references: [...references, ...(remittance === undefined ? [] : [remittance])],
    names: counterparty?.name === undefined ? [] : [counterparty.name],
    accounts: counterparty?.account === undefined ? [] : [counterparty.account],
  };
}

/** Our lines may be in the books of several platforms, each with keys of its own. */
async function sidesOfOurs(work: Pick<Work, 'runtime' | 'actor'>, rows: readonly OursRow[]): Promise<Side[]> {
  const facts = new Map<string, LineFacts>();
  for (const [platformId, own] of Map.groupBy(rows, ({ platform_id }) => platform_id)) {
    for (const [entry, found] of await readFacts(work, platformId, own)) facts.set(entry, found);
  }
  return rows.map((row) => ({
    shown: presentOurs(row),
    hashes: row.reference_hashes,
    facts: facts.get(row.entry_id) ?? NO_FACTS,
  }));
}

async function readFacts(
  { runtime, actor }: Pick<Work, 'runtime' | 'actor'>,
  platformId: PlatformId,
  rows: readonly OursRow[],
): Promise<[string, LineFacts][]> {
  const platform = await findPlatform(runtime.database.query, platformId);
  if (!platform) return [];
  const transactions = rows.flatMap(({ transaction_id }) => transaction_id ?? []);
  const entries = rows.map(({ entry_id }) => entry_id);
  return new Work(runtime, platform, actor).read(async (tx) => {
    const known = await listReferences(tx.query.bind(tx), platformId, { transactions, entries });
    const payments = await findTransactions(tx, transactions);
    await loadPrivate(tx, payments);
    return rows.map((row) => {
      const payment = payments.find(({ id }) => id === row.transaction_id);
      const parties = payment === undefined ? NO_FACTS : partiesOf(openPrivate(tx.vault, payment));
      const own = known.filter(
        ({ entry_id, transaction_id }) =>
          entry_id === row.entry_id || (transaction_id !== null && transaction_id === row.transaction_id),
      );
      const references = [...parties.references, ...own.flatMap((one) => one.references)];
      return [row.entry_id, { ...parties, references }];
    });
  });
}

const NAMES = ['accountHolderName', 'name', 'fullName', 'businessName', 'legalName'];
const ACCOUNTS = ['iban', 'accountNumber', 'accountIdentifier'];

/** Everybody outside whom a payment names: one of them is the bank's counterparty. */
function partiesOf(facts: Private): LineFacts {
  const { source, destination, originator, remittanceInformation, statedReference } = facts;
  const outside = [source?.fields, destination?.fields, originator].filter((one) => one !== undefined);
  const valuesOf = (names: readonly string[]) =>
    outside.flatMap((one) => names.map((name) => one[name]).filter((value) => typeof value === 'string'));
  const texts = [remittanceInformation, statedReference].filter((text) => text !== undefined);
  const identifiers = [source, destination].flatMap((one) => one?.identifier ?? []);
  return { references: texts, names: valuesOf(NAMES), accounts: [...identifiers, ...valuesOf(ACCOUNTS)] };
}
