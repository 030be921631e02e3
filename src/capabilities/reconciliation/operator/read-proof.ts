import { findConnector } from '#capabilities/connectors/registry-store.ts';
import {
  type AccountBreak,
  listBreaksAbout,
  listProofs,
} from '#capabilities/reconciliation/operator/reads-store.ts';
import {
  findProof,
  listItems,
  type ProofRow,
  type ProvenAccount,
} from '#capabilities/reconciliation/proof-store.ts';
import { differenceOf } from '#capabilities/reconciliation/prove-days.ts';
import {
  aboutOurs,
  aboutProof,
  aboutTheirs,
  type BankAccount,
  type OursRow,
  type TheirsRow,
} from '#capabilities/reconciliation/row.ts';
import type { Run } from '#foundation/database/database.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** A settlement account as operators name it: `<connector>.<account>`. */
export interface NamedAccount {
  readonly connector: string;
  readonly account: string;
}

export function parseAccountName(text: string): NamedAccount | undefined {
  const [, connector, account] = /^([a-z0-9-]{1,32})\.([a-z0-9-]{1,32})$/.exec(text) ?? [];
  return connector === undefined || account === undefined ? undefined : { connector, account };
}

export async function findBankAccount(run: Run, named: NamedAccount): Promise<BankAccount | undefined> {
  const row = await findConnector(run, named.connector);
  return row && { connector_id: row.id, settlement_account: named.account };
}

/** More items than this are counted, and not listed. */
const ITEMS_MAX = 1_000;

/** The proof of a day, by default of the last one, with each item in transit and its break (bank-files.md §7.4). */
export async function readProof(run: Run, named: NamedAccount, day?: string) {
  const account = await findBankAccount(run, named);
  const proof = account && (await findProof(run, account, day));
  if (!proof) return undefined;
  const { ours, theirs } = await listItems(run, proof, proof.day, ITEMS_MAX);
  const abouts = [...ours.map(aboutOurs), ...theirs.map(aboutTheirs), aboutProof(proof)];
  const breaks = new Map((await listBreaksAbout(run, proof, abouts)).map((one) => [one.about, one]));
  const own = breaks.get(aboutProof(proof));
  return {
    ...presentProof(named, proof),
    break: own ? publicId('Break', own.id) : null,
    items: [
      ...ours.map((row) => ({ ...presentOurs(row), ...sayBreak(breaks.get(aboutOurs(row))) })),
      ...theirs.map((row) => ({ ...presentTheirs(row), ...sayBreak(breaks.get(aboutTheirs(row))) })),
    ],
    isComplete: ours.length < ITEMS_MAX && theirs.length < ITEMS_MAX,
  };
}

/** The proofs of the days of a period, the newest first. */
export async function readProofs(run: Run, named: NamedAccount, period: { from: string; to: string }) {
  const account = await findBankAccount(run, named);
  if (!account) return undefined;
  return (await listProofs(run, account, period)).map((row) => presentProof(named, row));
}

export function presentReconciled(row: ProvenAccount) {
  return {
    account: `${row.connector}.${row.settlement_account}`,
    ...{ connector: row.connector, lastStatement: row.last_statement, lastProven: row.last_proven },
    unprovenDays: Number(row.unproven_days),
  };
}

export function presentProof({ connector, account }: NamedAccount, proof: ProofRow) {
  const { day, currency, ours, closing, ours_in_transit, theirs_in_transit, unexplained, is_proven } = proof;
  return {
    ...{ account: `${connector}.${account}`, day, currency, state: is_proven ? 'PROVEN' : 'UNPROVEN' },
    ...{ ours: ours.toString(), closing: closing.toString() },
    ...{ oursInTransit: ours_in_transit.toString(), theirsInTransit: theirs_in_transit.toString() },
    ...{ difference: differenceOf(proof).toString(), unexplainedItems: Number(unexplained) },
    provenAt: proof.proven_at,
  };
}

/** A line of ours, named by its entry. */
export function presentOurs({ entry_id, booked_on, amount, currency, transaction_id, matched_on }: OursRow) {
  return {
    ...{ whose: 'OURS', item: publicId('JournalEntry', entry_id), day: booked_on },
    ...{ amount: amount.toString(), currency, kind: null, matchedOn: matched_on },
    ...{ transaction: transaction_id && publicId('Transaction', transaction_id), line: null },
  };
}

/** A line of the bank, named by our id of it; `line` is the bank's own, of which operators over HTTP see the end. */
export function presentTheirs({ id, line_id, booked_on, amount, currency, kind, matched_on }: TheirsRow) {
  return {
    ...{ whose: 'THEIRS', item: id, day: booked_on },
    ...{ amount: amount.toString(), currency, kind, matchedOn: matched_on },
    ...{ transaction: null, line: line_id },
  };
}

function sayBreak(found: AccountBreak | undefined) {
  return {
    break: found ? publicId('Break', found.id) : null,
    breakKind: found?.kind ?? null,
    breakState: found ? stateOf(found) : null,
  };
}

function stateOf({ resolved_at, is_gone }: AccountBreak): 'OPEN' | 'RESOLVED' | 'GONE' {
  if (resolved_at === null) return 'OPEN';
  return is_gone ? 'GONE' : 'RESOLVED';
}
