import {
  type CustomerNames,
  customerErased,
  customerErasing,
} from '#capabilities/customers/announcements.ts';
import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { scheduleKeyDestruction } from '#capabilities/erasure/destroy-key.ts';
import {
  listCoinOperations,
  listCustomerInvitations,
  listImports,
  listOwned,
  listPaidByOthers,
} from '#capabilities/erasure/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { on, type Subscription } from '#foundation/events/reactions.ts';
import type { JobDeclarations } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import type { Traces } from '#foundation/lib/erasure-traces.ts';
import { publicId } from '#foundation/lib/ids.ts';
import type { TraceEraser } from '#foundation/manifest.ts';

const AGAIN = 'customer.erase-again';
/** Longer than any request or webhook delivery attempt. */
const AGAIN_AFTER_MS = 10 * 60_000;
/** Longer than any transaction: one that begins later reads the customer as erased. */
const LATE_MS = 60_000;

/** Records where the customer is named, while the rows that show it still exist. */
export const findTraces: Subscription = on(customerErasing, async (tx, { customer, names, traces }) => {
  traces.found = await loadTraces(tx, { ...names, ...customer });
});

/**
 * The last reaction to an erasure. By then every row of the customer is locked or changed. A transaction that emits an
 * event about one of them has either committed, so that its event is visible here, or it will find the row erased. A
 * trace that is written later without such a lock, such as the reply of a read-only call, is erased by a second job.
 */
export function eraseTraces(erasers: readonly TraceEraser[]): Subscription {
  return on(customerErased, async (tx, { customer, traces }) => {
    if (!traces.found) throw new Error('the traces of the customer were not collected');
    for (const erase of erasers) await erase(tx, traces.found);
    const payload: Again = {
      customerId: customer.id,
      until: new Date(tx.now.getTime() + LATE_MS).toISOString(),
    };
    schedule(tx, { kind: AGAIN, key: customer.id, payload, afterMs: AGAIN_AFTER_MS });
    scheduleKeyDestruction(tx, customer.id);
  });
}

interface Again {
  readonly customerId: CustomerId;
  readonly until: string;
  /** Erased by a version that did not empty events (migration 0044). */
  readonly isOfEarlierVersion?: boolean;
}

/**
 * Erases by ids only: contacts are already erased, and a job must not store them. Events of other customers' payments
 * are skipped: those that named the customer were emptied at once, and later ones no longer name the customer.
 */
export function eraseAgainJobs(erasers: readonly TraceEraser[]): JobDeclarations {
  return {
    [AGAIN]: {
      due: 'upkeep',
      async run(tx, { payload }) {
        const { customerId, until, isOfEarlierVersion = false } = payload as Again;
        const found = await loadTraces(tx, { id: customerId });
        const paidByOthers = isOfEarlierVersion ? found.paidByOthers : new Set<string>();
        const traces = { ...found, paidByOthers, until: new Date(until) };
        for (const erase of erasers) await erase(tx, traces);
      },
    },
  };
}

type Named = Pick<CustomerRow, 'id'> & Partial<CustomerNames>;

/** Finds all ids and texts by which events, replies and logs name the customer. */
export async function loadTraces(tx: ReadTx, customer: Named): Promise<Traces> {
  const { platform_customer_id: reference } = customer;
  const owned = await listOwned(tx, customer.id);
  const accounts = owned.filter(({ type }) => type === 'InternalAccount' || type === 'ExternalAccount');
  const accountIds = accounts.map(({ id }) => id);
  owned.push(...(await listCoinOperations(tx, accountIds)));
  // The event of an import contains the references of failed rows; the import's reply names no customer.
  const imports = reference === undefined ? [] : await listImports(tx, reference);
  const paid = await listPaidByOthers(tx, customer.id);
  const invitations = await listCustomerInvitations(tx, customer.id);
  const [here, elsewhere] = [
    invitations.filter(({ platform_id }) => platform_id === tx.platformId),
    invitations.filter(({ platform_id }) => platform_id !== tx.platformId),
  ];
  const contacts = [customer.email, customer.phone_number, customer.uma_address];
  return {
    resources: new Set([
      ...[...owned, ...imports].map(({ type, id }) => publicId(type, id)),
      ...here.map(({ code }) => code),
    ]),
    paidByOthers: new Set(paid.map(({ type, id }) => publicId(type, id))),
    elsewhere: elsewhere.map(({ platform_id, code }) => ({ platformId: platform_id, resourceId: code })),
    ids: new Set([...owned, ...paid].map(({ id }) => id)),
    texts: [...contacts.filter((text) => text != null), ...invitations.map(({ code }) => code)],
  };
}
