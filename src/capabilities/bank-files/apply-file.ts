import type { Static } from 'typebox';
import { payerContext } from '#capabilities/bank-files/answer-calls.ts';
import { applyNachaNotices } from '#capabilities/bank-files/apply-notices.ts';
import { applyStatus } from '#capabilities/bank-files/apply-status.ts';
import type { Applying } from '#capabilities/bank-files/applying.ts';
import { findBatchByFileId, lockBatch } from '#capabilities/bank-files/batch-store.ts';
import { report } from '#capabilities/bank-files/event-store.ts';
import { insertCredit } from '#capabilities/bank-files/file-store.ts';
import { creditIdOf, type Line, linesOf } from '#capabilities/bank-files/lines.ts';
import { type Move, moveOrders } from '#capabilities/bank-files/move-orders.ts';
import { lockOrders, lockOrdersOf } from '#capabilities/bank-files/order-store.ts';
import { type AccountProfile, numberOf, type Profile } from '#capabilities/bank-files/profile.ts';
import { keepStatement } from '#capabilities/bank-files/read-statements.ts';
import { asUuid, type FileOrderRow, type OrderContent } from '#capabilities/bank-files/row.ts';
import { aboutCredit, openBreak } from '#capabilities/connectors/break-store.ts';
import type { BankFile, CamtFile } from '#foundation/bank-formats/bank-file.ts';
import type { CamtMessage, ReadStatement } from '#foundation/bank-formats/camt.ts';
import { FileFault } from '#foundation/bank-formats/file-fault.ts';
import type { Rail } from '#foundation/connector-protocol/capabilities.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { cutText } from '#foundation/lib/storable.ts';
import { peopleOfReport } from '#foundation/person-keys/people.ts';

/** Applies a file of the bank, in the commit that records the file (bank-files.md §4.3–4.5). */

/** Throws a `FileFault` for a file that is not taken. */
export async function applyFile(applying: Applying, file: BankFile): Promise<void> {
  switch (file.kind) {
    case 'STATUS':
      return applyStatus(applying, file);
    case 'NACHA':
      return applyNachaNotices(applying, file);
    case 'CAMT':
      for (const statement of file.statements) await applyStatement(applying, file, statement);
  }
}

const INTRADAY =
  'camt.052 is an intraday report: ask the bank for camt.053, or set credits=camt.052 for the account';

async function applyStatement(applying: Applying, { message }: CamtFile, read: ReadStatement): Promise<void> {
  const account = findAccount(applying.connector.profile, read);
  const source = account.credits ?? 'camt.053';
  requireSource(message, source, read);
  const { run, parts, connectorId, now } = applying;
  const kept = message === 'camt.053' ? await keepStatement({ ...applying, account }, read) : undefined;
  if (kept?.isNew === false) return;
  const all = linesOf(read, account, kept?.day ?? read.to ?? now.toISOString().slice(0, 10));
  const lines = all.filter(({ id }) => kept?.repeated.has(id) !== true);
  const others = await applyToOrders(applying, lines);
  if (message === source) {
    const isDoubtful = kept === undefined || kept.isDoubtful;
    for (const line of others) await applyCredit(applying, { account, read, isDoubtful }, line);
  }
  if (kept) {
    const event = { type: 'STATEMENT' as const, settlementAccount: account.id, date: kept.day };
    await report(run, parts, connectorId, [event], now);
  }
}

/** Throws a `FileFault` for a camt.052 unless the profile says that receipts come from it. */
export function requireSource(message: CamtMessage, source: CamtMessage, { line }: ReadStatement): void {
  if (message === 'camt.052' && source !== message) throw new FileFault(INTRADAY, line);
}

/** Throws a `FileFault` for an account that the profile does not name. */
export function findAccount(
  profile: Profile | null,
  { account, currency, line }: ReadStatement,
): AccountProfile {
  const names = [account.iban, account.number].map((name) => name && numberOf({ number: name }));
  const found = profile?.settlementAccounts.find(
    (each) => names.includes(numberOf(each)) && (currency === undefined || currency === each.currency),
  );
  if (!found) throw new FileFault('the profile does not name the account of the statement', line);
  return found;
}

/** Moves the orders that lines are about. Returns the other lines. */
async function applyToOrders(applying: Applying, lines: readonly Line[]): Promise<Line[]> {
  const { run, connectorId } = applying;
  const references = lines.flatMap(({ endToEndId }) => asUuid(endToEndId) ?? []);
  const orders = await lockOrders(run, connectorId, references);
  const byReference = new Map(orders.map((order) => [order.reference, order]));
  for (const { reference } of orders) applying.subjects.add(reference);
  const moves: Move[] = [];
  const others: Line[] = [];
  for (const line of lines) {
    const order = byReference.get(asUuid(line.endToEndId) ?? '');
    const move = order && moveBy(order, line);
    if (move) moves.push(move);
    else if (!(await applyBatchLine(applying, line))) others.push(line);
    if (line.isUnclear) await breakAbout(applying, line, 'The details of an entry do not add up to it.');
  }
  // Some banks write the newest entry first.
  const isReturn = ({ state }: Move) => state === 'RETURNED';
  await moveOrders(applying, [...moves.filter((move) => !isReturn(move)), ...moves.filter(isReturn)]);
  return others;
}

function moveBy(order: FileOrderRow, { side, isReturn, amount, bankReference }: Line): Move | undefined {
  const direction = order.kind === 'COLLECTION' ? 'CREDIT' : 'DEBIT';
  const about = { reference: order.reference, amount, bankReference };
  if (side === direction && !isReturn) return { ...about, state: 'SETTLED' };
  return side !== direction && isReturn ? { ...about, state: 'RETURNED' } : undefined;
}

/** Applies an entry for a whole file to exactly those of its orders that were not rejected. */
async function applyBatchLine(applying: Applying, line: Line): Promise<boolean> {
  const { run, connectorId } = applying;
  for (const fileId of line.fileIds) {
    const batch = await findBatchByFileId(run, connectorId, fileId.replaceAll('-', '').toLowerCase());
    if (!batch) continue;
    await lockBatch(run, connectorId, batch.id);
    const orders = await lockOrdersOf(run, connectorId, batch.id);
    const booked = orders.filter(({ state }) => state !== 'FAILED');
    const total = booked.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n);
    const direction = batch.kind === 'COLLECTION' ? 'CREDIT' : 'DEBIT';
    if (line.side !== direction || line.isReturn) return false;
    if (total !== line.amount) {
      const what = `The bank booked ${line.amount} for a file whose orders amount to ${total}, in the smallest unit.`;
      await breakAbout(applying, line, what, 'AMOUNT_DIFFERS');
      return true;
    }
    const moves = booked.map(({ reference }) => ({
      reference,
      state: 'SETTLED' as const,
      bankReference: line.bankReference,
    }));
    await moveOrders(applying, moves);
    return true;
  }
  return false;
}

interface Source {
  readonly account: AccountProfile;
  readonly read: ReadStatement;
  /** Whether the message may repeat the lines of another one. */
  readonly isDoubtful: boolean;
}

/** Reports a receipt once, even if other files repeat it (bank-files.md §4.3, §4.4). */
async function applyCredit(applying: Applying, source: Source, line: Line): Promise<void> {
  if (line.side !== 'CREDIT' || line.isReturn || (line.kind !== 'PAYMENT' && line.kind !== 'OTHER')) return;
  const { run, parts, connectorId, connector, now } = applying;
  const { account, read, isDoubtful } = source;
  const creditId = creditIdOf(account, line);
  // Another account may have the same id, and so may another receipt in another statement.
  const about = { ...line, id: `${aboutCredit(creditId)} in ${read.id}` };
  if (!line.hasOwnId && isDoubtful) {
    const what = 'A receipt has no reference of the bank, and may repeat another one: nothing was credited.';
    return breakAbout(applying, about, what, 'DUPLICATE');
  }
  applying.subjects.add(creditId);
  const payer = payerOf(account, line);
  const sealed =
    payer &&
    parts.vault.sealFor(
      peopleOfReport(parts, []),
      JSON.stringify(payer),
      payerContext(connectorId, creditId),
    );
  const credit = { connectorId, creditId, amount: line.amount, statementId: read.id, payer: sealed ?? null };
  const known = await insertCredit(run, credit, now);
  if (known) {
    if (known.statement_id === read.id && known.amount === line.amount) return;
    return breakAbout(applying, about, 'A receipt has a reference that was credited before.', 'DUPLICATE');
  }
  await report(run, parts, connectorId, [creditEvent(account, connector.profile, creditId, line)], now);
}

function payerOf(
  account: AccountProfile,
  { counterparty: { name, account: number } }: Line,
): OrderContent | undefined {
  if (number === undefined || name === undefined) return undefined;
  const isIban = /^[A-Z]{2}[0-9]{2}/.test(number);
  return {
    ...{ originator: account.name, name, isBusiness: false, isSavings: false },
    account: isIban ? { iban: number } : { number },
  };
}

function creditEvent(
  { id, currency, creditRail }: AccountProfile,
  profile: Profile | null,
  creditId: string,
  { amount, counterparty: { name, account }, remittance }: Line,
) {
  const used = profile?.rails.find(({ settlementAccounts }) => settlementAccounts.includes(id));
  const rail: Static<typeof Rail> = creditRail ?? used?.rail ?? 'BANK_TRANSFER';
  const isIban = account !== undefined && /^[A-Z]{2}[0-9]{2}/.test(account) && currency === 'EUR';
  return {
    ...{
      type: 'CREDIT' as const,
      creditId,
      settlementAccount: id,
      currency,
      rail,
      amount: amount.toString(),
    },
    ...(remittance !== undefined && { remittance: cutText(remittance, 500) }),
    ...(name !== undefined && {
      originator: {
        name: cutText(name, 200),
        ...(isIban && { accountType: 'EUR_ACCOUNT', fields: { iban: account } }),
      },
    }),
  };
}

async function breakAbout(
  { run, connectorId, now }: Applying,
  { id: about, amount }: Pick<Line, 'id' | 'amount'>,
  what: string,
  kind: 'AMOUNT_DIFFERS' | 'DUPLICATE' = 'AMOUNT_DIFFERS',
): Promise<void> {
  await openBreak(run, { id: newUuid(), connectorId, platformId: null, kind, about, what, amount }, now);
}
