import Type, { type Static } from 'typebox';
import { ledgerAccountsOf } from '#capabilities/accounts/ledger-accounts.ts';
import { amount } from '#capabilities/accounts/schemas.ts';
import { type AccountRow, findAccounts } from '#capabilities/accounts/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { type PageRequest, readSealedCursor, writeSealedCursor } from '#foundation/http/paging.ts';
import { component, dateTime, idSchema, page, pageQuery, stringEnum } from '#foundation/http/schema.ts';
import { LEDGER_KINDS } from '#foundation/ledger/kinds.ts';
import { type AccountLine, type LinePosition, walkLines } from '#foundation/ledger/lines-store.ts';
import { presentAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { notFound } from '#foundation/lib/refusals.ts';

/** The lines of the ledger behind an account (accounts.md §2.3.25–2.3.27). */

/** The parts of an account's money, and the ledger accounts that hold them. */
const BOOKS = { AVAILABLE: 'AVAIL', HELD: 'HOLD', ARRIVING: 'PENDING_IN' } as const;
type Book = keyof typeof BOOKS;
const BOOK_NAMES = Object.keys(BOOKS) as [Book, ...Book[]];

const DESCRIBED = 'AVAILABLE: can be spent. HELD: on hold for a payment. ARRIVING: not credited yet.';

const InternalAccountEntry = component(
  'InternalAccountEntry',
  'A change of an account’s money, with the balance after it.',
  {
    id: idSchema('JournalEntry', {
      description:
        'Id of the ledger entry. An entry that changes two parts of the money is listed once for each.',
    }),
    createdAt: dateTime({ description: 'When it was posted.' }),
    kind: stringEnum(Object.keys(LEDGER_KINDS), {
      description: 'What the entry posts.',
      examples: ['payment.executed'],
    }),
    transactionId: Type.Optional(
      Type.String({
        description: 'The transaction, or the mint or burn, that posted it.',
        examples: ['Transaction:019542f5-b3e7-7d02-8000-000000000032'],
      }),
    ),
    book: stringEnum(BOOK_NAMES, {
      description: `The part of the account’s money that changes. ${DESCRIBED}`,
    }),
    direction: stringEnum(['IN', 'OUT'], {
      description: 'Whether the entry adds to this part or takes from it.',
    }),
    amount: amount('The amount of the change.'),
    balanceAfter: amount('The balance of this part after the entry.'),
  },
);
export type InternalAccountEntry = Static<typeof InternalAccountEntry>;

export const InternalAccountEntryQuery = pageQuery({
  book: Type.Optional(
    stringEnum(BOOK_NAMES, { description: `Only changes of this part of the money. ${DESCRIBED}` }),
  ),
});
export const InternalAccountEntryListResponse = page(
  'InternalAccountEntryListResponse',
  InternalAccountEntry,
  {
    total: false,
  },
);

export async function loadAccount(tx: ReadTx, id: AccountId): Promise<AccountRow> {
  const [account] = await findAccounts(tx, [id]);
  if (!account) throw notFound('ACCOUNT_NOT_FOUND', 'InternalAccount');
  return account;
}

/** One page, newest first. A page may have fewer entries than its limit although more follow. */
export async function listEntries(
  tx: ReadTx,
  id: AccountId,
  request: PageRequest,
  book: Book | undefined,
): Promise<Static<typeof InternalAccountEntryListResponse>> {
  const account = await loadAccount(tx, id);
  const prefix = book && `${BOOKS[book]}:`;
  const accounts = ledgerAccountsOf(id).filter((name) => prefix === undefined || name.startsWith(prefix));
  const before = request.cursor === undefined ? undefined : readPosition(tx, request);
  const { lines, resume } = await walkLines(tx, accounts, request.limit, before);
  return {
    data: lines.map((line) => presentLine(tx, account, line)),
    hasMore: resume !== undefined,
    ...(resume && { nextCursor: writePosition(tx, request, resume) }),
  };
}

function presentLine(tx: ReadTx, { currency }: AccountRow, line: AccountLine): InternalAccountEntry {
  const amountOf = (units: bigint) => presentAmount(units, currency, tx.platform.ownCurrencies);
  const { effect, kind, transaction_id } = line;
  return {
    id: publicId('JournalEntry', line.entry_id),
    createdAt: line.created_at.toISOString(),
    kind,
    ...(transaction_id !== null && { transactionId: publicId(sourceOf(kind), transaction_id) }),
    book: bookOf(line.account),
    direction: effect < 0n ? 'OUT' : 'IN',
    amount: amountOf(effect < 0n ? -effect : effect),
    balanceAfter: amountOf(line.balance_after),
  };
}

/** Entries of coins belong to mints and burns, all others to transactions. */
export function sourceOf(kind: AccountLine['kind']): 'StablecoinOperation' | 'Transaction' {
  return kind.startsWith('coin.') ? 'StablecoinOperation' : 'Transaction';
}

function bookOf(account: string): Book {
  const found = BOOK_NAMES.find((name) => account.startsWith(`${BOOKS[name]}:`));
  if (found === undefined) throw new Error(`${account} belongs to no internal account`);
  return found;
}

function writePosition(tx: ReadTx, request: PageRequest, { seq, line_no }: LinePosition): string {
  return writeSealedCursor(tx, request, [`${seq}`, `${line_no}`]);
}

function readPosition(tx: ReadTx, request: PageRequest): LinePosition {
  const [seq = '0', lineNo = '0'] = readSealedCursor(tx, request);
  return { seq: BigInt(seq), line_no: Number(lineNo) };
}
