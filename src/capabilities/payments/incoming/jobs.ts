import assert from 'node:assert/strict';
import { openProfile } from '#capabilities/customers/profile/profile.ts';
import { findCustomer } from '#capabilities/customers/store.ts';
import { loadPrivate, openPrivate, type Private } from '#capabilities/payments/details.ts';
import { isPastDeadline, TIMED_OUT } from '#capabilities/payments/incoming/decide.ts';
import { JOB } from '#capabilities/payments/machine/jobs.ts';
import { isSettling } from '#capabilities/payments/machine/uma.ts';
import { factsOnFile } from '#capabilities/payments/parties/uma.ts';
import { destinationAddress, sourceAddress, type TransactionRow } from '#capabilities/payments/row.ts';
import { applyAnswers } from '#capabilities/payments/settlement/jobs.ts';
import { applyNotices } from '#capabilities/payments/settlement/notices.ts';
import { findTransactions, lockTransactions } from '#capabilities/payments/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import {
  batchHandler,
  concerning,
  type Job,
  type JobDeclarations,
  type RunHandler,
} from '#foundation/jobs/handlers.ts';
import type { AcceptedOffer } from '#foundation/ports/counterparties.ts';

/** The jobs of incoming UMA payments; following up with rails is in src/capabilities/payments/settlement/jobs.ts. */

/** Tells the sender's provider that the payment is approved. */
const receive = batchHandler(async (work, jobs) => {
  const { counterparties } = work.ports;
  const offers = await work.read(async (tx) => {
    const rows = (await findTransactions(tx, jobs.map(idOf))).filter(awaitsMoney);
    await loadPrivate(tx, rows);
    return Promise.all(rows.map((row) => loadOffer(tx, row)));
  });
  const answered = await Promise.all(
    offers.map(async (offer) => ({
      id: offer.reference,
      phase: 'receive' as const,
      answer: await counterparties.acceptOffer(offer),
    })),
  );
  return (tx) => applyAnswers(tx, answered);
});

function awaitsMoney(row: TransactionRow): boolean {
  return isSettling(row) && row.funding_hash === null && row.pending_reason === null;
}

function senderOf({ source }: TransactionRow, facts: Private): string {
  assert(source.kind === 'UMA', 'only payments from UMA addresses are offered');
  return sourceAddress(source, facts);
}

async function loadOffer(tx: ReadTx, row: TransactionRow): Promise<AcceptedOffer> {
  const facts = openPrivate(tx.vault, row);
  const { destination } = row;
  return {
    reference: row.id,
    senderAddress: senderOf(row, facts),
    receiverAddress: destination.kind === 'UMA' ? destinationAddress(destination, facts) : undefined,
    amount: row.receiving_amount,
    currency: row.receiving_currency,
    payeeData: { ...(await dataOnFile(tx, row)), ...facts.receiverCustomerInfo },
  };
}

/** Data that the platform was not asked for, because it is on file (money.md §7.3). */
async function dataOnFile(tx: ReadTx, { customer_id: id, details }: TransactionRow) {
  const { fieldsOnFile = [] } = details;
  const receiver = id === null || fieldsOnFile.length === 0 ? undefined : await findCustomer(tx, id);
  return receiver && factsOnFile(openProfile(tx.vault, receiver), fieldsOnFile);
}

function idOf(job: Job): TransactionId {
  return (job.payload as { id: TransactionId }).id;
}

/** money.md §7.2: the deadline passed without a decision. The webhook's answer may have extended it. */
const decide: RunHandler = {
  async run(tx, job) {
    const [row] = await lockTransactions(tx, [idOf(job)]);
    if (row && (await isPastDeadline(tx, row)))
      await applyNotices(tx, [{ reference: row.id, notices: [TIMED_OUT] }]);
  },
};

export const incomingJobs: JobDeclarations = {
  [JOB.receive]: {
    ...receive,
    due: concerning('Transaction', (id) => `The service tells the sender’s provider that ${id} is approved.`),
  },
  [JOB.decide]: {
    ...decide,
    due: concerning('Transaction', (id) => `${id} fails, unless the platform decides about it first.`),
  },
};
