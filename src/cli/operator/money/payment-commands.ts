import { Command } from 'commander';
import { findActionIdByTransaction } from '#capabilities/agents/actions/store.ts';
import type { ManualReport } from '#capabilities/payments/operator/settle-by-hand.ts';
import { showPayment, summarizeUnfinished } from '#capabilities/payments/operator/show-payments.ts';
import { presentTransaction } from '#capabilities/payments/present-transaction.ts';
import { findTransaction } from '#capabilities/payments/store.ts';
import type { TransactionSource } from '#capabilities/payments/transactions/sources.ts';
import { explainStates } from '#cli/delivery-target.ts';
import { actorName } from '#cli/operator/installation/audit-command.ts';
import { addExplain } from '#cli/operator/money/explain-command.ts';
import { addFilters, type FindOptions, findPayments, isFiltered } from '#cli/operator/money/find-payments.ts';
import { findResourceWork, type PlatformOptions } from '#cli/operator/shell/choose-platform.ts';
import { given, listRows } from '#cli/operator/shell/listing.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { addChange, addShow, type ChangeOptions, readPending } from '#cli/operator/shell/show.ts';
import { choiceOption } from '#cli/options.ts';
import { printResource } from '#cli/print.ts';
import { logged } from '#edge/webhooks/log.ts';
import { type EventSummaryRow, pageEvents } from '#edge/webhooks/log-store.ts';
import { audit } from '#foundation/audit/audit.ts';
import { listResourceChanges } from '#foundation/audit/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { bareId, type PublicId, publicId } from '#foundation/lib/ids.ts';
import { notFound } from '#foundation/lib/refusals.ts';
import { PAYOUT_FAILURES, type PayoutFailure } from '#foundation/ports/payments.ts';

interface PaymentOptions extends ChangeOptions {
  hash?: string;
  bankReference?: string;
  failure?: PayoutFailure;
  despiteConnector?: boolean;
}

const DESPITE = 'also if an order for the payment is open at a connector';

/** `corridor payment …`: shows payments, and lets the operator report their outcome where no rail does. */
export function paymentCommand(): Command {
  const payment = new Command('payment').addHelpText(
    'after',
    '\nExample:\n  $ corridor payment settle Transaction:0190a5d2-… --reason "on the statement of 3 March"',
  );
  addReading(payment);
  addSubcommand(payment, 'settle', 'mark the payout or collection as settled')
    .option('--hash <hash>', 'the transaction’s hash on its chain, or between providers')
    .option('--bank-reference <text>', 'the bank’s own reference, for later inquiries')
    .option('--despite-connector', DESPITE);
  addSubcommand(payment, 'fail', 'mark the payout or collection as failed; money that was taken is refunded')
    .addOption(choiceOption('--failure <reason>', 'why a payout failed', PAYOUT_FAILURES))
    .option('--despite-connector', DESPITE);
  addSubcommand(payment, 'return', 'report that a bank returned a payout, or reversed a collection');
  return payment;
}

function addReading(payment: Command): void {
  const listing = payment
    .command('list')
    .description('list unfinished payments, the oldest first; with a filter all payments, the newest first');
  addFilters(listing)
    .addHelpText(
      'after',
      '\nExamples:\n  $ corridor payment list\n' +
        '  $ corridor payment list --customer Customer:0190a5d2-… --status FAILED --after 2d',
    )
    .action((options: FindOptions) =>
      asOperator((operator) =>
        isFiltered(options) ? findPayments(operator, options) : list(operator, options),
      ),
    );
  addShow(payment, {
    type: 'Transaction',
    argument: 'transaction',
    description:
      'print a payment or card transaction with its bookings, pending work, events and authorizations by the customer',
    show,
  });
  addExplain(payment);
}

async function list(operator: Operator, options: FindOptions): Promise<void> {
  await listRows(operator, options, {
    action: 'payment list',
    none: 'There are no unfinished payments; --after 7d lists finished ones, too.',
    order: 'oldest first',
    rows: (tx) => summarizeUnfinished(tx, options.limit),
    at: ({ createdAt }) => createdAt,
  });
}

async function show(
  operator: Operator,
  transactionId: TransactionId,
  options: PlatformOptions,
): Promise<void> {
  const work = await findResourceWork(operator, options, 'Transaction', transactionId);
  const sources = await loadSources();
  const resourceId = publicId('Transaction', transactionId);
  const shown = await work.write(async (tx) => {
    const payment = await showPayment(tx, sources, transactionId);
    audit(tx, { action: 'payment show', resource: payment.id });
    const page = { list: 'operator', filters: {}, limit: EVENTS_SHOWN, cursor: undefined };
    const { data: events } = await pageEvents(tx, page, { resourceId }, presentEvent);
    return {
      ...payment,
      causedBy: await listCauses(tx, payment),
      ...(await readPending(tx, payment.id)),
      events,
    };
  });
  printResource(shown, { json: options.json ?? false });
  if (!options.json) explainStates(shown.events);
}

/** Lists who created and changed the payment: token, agent or operator, with the request and its address. */
async function listCauses(tx: ReadTx, { id, quoteId }: { id: PublicId<'Transaction'>; quoteId?: unknown }) {
  const actionId = await findActionIdByTransaction(tx, bareId(id));
  const about = [id, quoteId, actionId && publicId('AgentAction', actionId)];
  const rows = await listResourceChanges(
    tx,
    about.filter((one) => typeof one === 'string'),
    CAUSES_SHOWN,
  );
  return rows.map((row) => ({
    ...{ at: row.at, action: row.action, by: actorName(row) },
    ...given({ from: row.remote_address ?? undefined, request: row.request_id ?? undefined }),
    ...given({ reason: row.details.reason, bankReference: row.details.bankReference }),
  }));
}

const CAUSES_SHOWN = 100;

/** An event of the payment, and whether it was delivered. */
function presentEvent(row: EventSummaryRow) {
  const { id, type, state, attempts, createdAt, nextAttemptAt } = logged(row);
  return { id, type, state, attempts, createdAt, ...(nextAttemptAt && { nextAttemptAt }) };
}

const EVENTS_SHOWN = 100;

const EFFECTS: Readonly<Record<ManualReport['action'], string>> = {
  settle:
    'The payment continues as if its bank or network had reported it, and money is booked. This cannot be undone.',
  fail: 'The payment fails, and the money taken for it is refunded. This cannot be undone.',
  return: 'The payout is refunded, or the collected money is taken back. This cannot be undone.',
};

const OPERATIONS: Readonly<Record<ManualReport['action'], string>> = {
  ...{ settle: 'settlePayment', fail: 'failPayment', return: 'returnPayment' },
};

function addSubcommand(payment: Command, action: ManualReport['action'], description: string): Command {
  return addChange(payment, action, {
    type: 'Transaction',
    argument: 'transaction',
    description,
    effect: EFFECTS[action],
    ...{ operation: OPERATIONS[action], param: 'transactionId', two: true },
    body: ({ hash, bankReference, failure, despiteConnector }: PaymentOptions) => ({
      ...{ hash, bankReference, failure, despiteConnector },
    }),
    async present(tx, transactionId: TransactionId) {
      const row = await findTransaction(tx, transactionId);
      if (!row) throw notFound('TRANSACTION_NOT_FOUND', 'Transaction');
      return presentTransaction(tx, row, tx.now);
    },
    print: printResource,
  });
}

/** Loaded only when needed. */
async function loadSources(): Promise<readonly TransactionSource[]> {
  const { SERVICE } = await import('#app/compose.ts');
  return SERVICE.transactionSources;
}
