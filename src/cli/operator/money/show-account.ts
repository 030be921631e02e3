import { type Command, InvalidArgumentError } from 'commander';
import { auditAction } from '#capabilities/accounts/change-status.ts';
import { sourceOf } from '#capabilities/accounts/list-entries.ts';
import { presentInternalAccount } from '#capabilities/accounts/present.ts';
import type { InternalAccount } from '#capabilities/accounts/schemas.ts';
import { findAccounts } from '#capabilities/accounts/store.ts';
import { listUnmatched, type UnmatchedReceipt } from '#capabilities/payments/incoming/store.ts';
import { countArgument, idArgument } from '#cli/arguments.ts';
import { findResourceWork, ownerOption, type PlatformOptions } from '#cli/operator/shell/choose-platform.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { readPending } from '#cli/operator/shell/show.ts';
import { noteOption } from '#cli/options.ts';
import { printObject, reportProgress } from '#cli/print.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import type { GuardedAccount } from '#foundation/ledger/kinds.ts';
import { ENTRIES_WALKED, findBalances, listNewestLines } from '#foundation/ledger/store.ts';
import { presentAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { notFound } from '#foundation/lib/refusals.ts';

interface ShowOptions extends PlatformOptions {
  limit: number;
  reason?: string;
}

const LIMIT_MAX = 1_000;

/** `corridor account show`: an account with the parts of its balance and its latest bookings. */
export function addAccountShow(account: Command): void {
  account
    .command('show')
    .description('print an account with its balances, coordinates and latest bookings')
    .argument('<account>', 'its id', internalAccountArgument)
    .option(
      '--limit <count>',
      'print at most this many bookings, the newest first',
      countArgument(0, LIMIT_MAX),
      20,
    )
    .addOption(ownerOption())
    .addOption(noteOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor account show InternalAccount:0190a5d2-…')
    .action((id: AccountId, options: ShowOptions) => asOperator((operator) => show(operator, id, options)));
}

function internalAccountArgument(text: string): string {
  if (/^\s*ExternalAccount:/i.test(text)) {
    throw new InvalidArgumentError('It is an external account: "corridor account external" prints it.');
  }
  return idArgument('InternalAccount')(text);
}

async function show(operator: Operator, accountId: AccountId, options: ShowOptions): Promise<void> {
  const work = await findResourceWork(operator, options, 'InternalAccount', accountId);
  const { shown, booked } = await work.write((tx) => presentBalances(tx, accountId, options.reason));
  // In its own transaction: it may take a moment, and the first one should not stay open that long.
  const ledger = await work.read((tx) => presentBookings(tx, accountId, options.limit));
  const pending = await work.read((tx) => readPending(tx, shown.id));
  printObject({ ...shown, ...pending, ledger }, { json: options.json ?? false });
  const missing = Math.min(options.limit, booked) - ledger.length;
  if (missing > 0) {
    reportProgress(
      `Older bookings are not among the platform's last ${ENTRIES_WALKED} entries: ` +
        `"corridor payment list --account ${shown.id}" finds their payments.`,
    );
  }
}

/** Audited, because it prints account numbers. */
async function presentBalances(tx: Tx, accountId: AccountId, reason: string | undefined) {
  const [row] = await findAccounts(tx, [accountId]);
  if (!row) throw notFound('ACCOUNT_NOT_FOUND', 'InternalAccount');
  auditAction(tx, 'show', { accountId, reason }, row);
  const states = await findBalances(tx, ledgerAccounts(accountId));
  const parts = Object.fromEntries(
    ledgerAccounts(accountId).map((name) => {
      const { balance = 0n } = states.find(({ account }) => account === name) ?? {};
      return [
        PARTS[name.split(':')[0] as Part],
        presentAmount(balance, row.currency, tx.platform.ownCurrencies),
      ];
    }),
  );
  const shown = { ...withCoordinates(presentInternalAccount(tx, row)), balances: parts };
  return { shown, booked: states.reduce((sum, { no }) => sum + Number(no), 0) };
}

/** The parts of the total, by their names in the ledger. */
const PARTS = { AVAIL: 'available', HOLD: 'onHold', PENDING_IN: 'arriving' } as const;
type Part = keyof typeof PARTS;

function ledgerAccounts(accountId: AccountId): GuardedAccount[] {
  return (Object.keys(PARTS) as Part[]).map((part) => `${part}:${accountId}` as const);
}

async function presentBookings(tx: ReadTx, accountId: AccountId, limit: number) {
  const lines = await listNewestLines(tx, ledgerAccounts(accountId), limit);
  const receipts = await listUnmatched(
    tx,
    lines.flatMap(({ reversed_id: id }) => id ?? []),
  );
  return lines.map(({ kind, created_at, account, side, amount, currency, transaction_id, reversed_id }) => ({
    ...{ at: created_at, kind, balance: PARTS[account.split(':')[0] as Part], side },
    amount: presentAmount(amount, currency, tx.platform.ownCurrencies),
    transaction: transaction_id && publicId(sourceOf(kind), transaction_id),
    // Money that waited in suspense has no transaction, only the report of its receipt.
    ...receivedFrom(receipts.find(({ entryId }) => entryId === reversed_id)),
  }));
}

function receivedFrom(receipt: UnmatchedReceipt | undefined) {
  return receipt && { sender: receipt.sender, bankReference: receipt.bankReference };
}

/** Shows only the coordinates of the ways to pay in. */
export function withCoordinates({ fundingPaymentInstructions, ...account }: InternalAccount) {
  const coordinates = fundingPaymentInstructions.map(({ accountOrWalletInfo }) => accountOrWalletInfo);
  return { ...account, coordinates };
}
