import assert from 'node:assert/strict';
import { renderAccountEvents } from '#capabilities/accounts/events.ts';
import { availAccountOf, holdAccountOf, pendingInAccountOf } from '#capabilities/accounts/ledger-accounts.ts';
import { postEntry } from '#capabilities/accounts/post-entry.ts';
import type { InternalAccount } from '#capabilities/accounts/schemas.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { payloadContext } from '#foundation/events/emit.ts';
import { verifyLedger, violationsIn } from '#foundation/ledger/checks.ts';
import type { Entry } from '#foundation/ledger/entries.ts';
import type { Shown } from '#tests/harness/api-types.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

/** An internal account as the API shows it. */
export type AccountReply = Shown<InternalAccount>;

/** Configures these currencies and no others. */
export async function supports(
  platform: TestPlatform,
  codes: readonly string[],
  maxAmount = 1_000_000_000,
): Promise<void> {
  const supportedCurrencies = codes.map((currencyCode) => ({
    currencyCode,
    minAmount: 1,
    maxAmount,
    requiredCounterpartyFields: [],
    enabledTransactionTypes: ['INCOMING', 'OUTGOING'],
  }));
  const reply = await platform.call('updatePlatformConfig', { body: { supportedCurrencies } });
  assert.equal(reply.status, 200, reply.raw);
}

export async function platformAccounts(platform: TestPlatform): Promise<AccountReply[]> {
  const reply = await platform.call('listPlatformInternalAccounts');
  assert.equal(reply.status, 200, reply.raw);
  return reply.body.data;
}

export async function fetchAccounts(platform: TestPlatform, customerId: string): Promise<AccountReply[]> {
  const query = { customerId, limit: 100 };
  const reply = await platform.call('listCustomerInternalAccounts', { query });
  assert.equal(reply.status, 200, reply.raw);
  return reply.body.data;
}

/** The one live account in this currency. */
export function inCurrency(accounts: readonly AccountReply[], code: string): AccountReply {
  const live = accounts.filter(
    ({ balance, status }) => balance.currency.code === code && status !== 'CLOSED',
  );
  assert.equal(live.length, 1, `${live.length} live accounts in ${code}`);
  return live[0] as AccountReply;
}

/** Moves money as a payment would: one entry, and the event of each internal account whose balance changed. */
export async function posts(platform: TestPlatform, account: AccountReply, kind: MoneyKind, amount: bigint) {
  const id = uuidOf(account);
  const entry = KINDS[kind](id, account.balance.currency.code ?? '', amount);
  const work = await platform.work();
  await work.write(async (tx) => {
    postEntry(tx, entry);
  });
  assert.deepEqual(violationsIn(await verifyLedger(work.runtime.database.query)), []);
}

export type MoneyKind = keyof typeof KINDS;

type Build = (id: string, currency: string, amount: bigint) => Entry;

const line = (
  account: Entry['lines'][number]['account'],
  currency: string,
  side: 'DEBIT' | 'CREDIT',
  amount: bigint,
) => ({
  account,
  currency,
  side,
  amount,
});

const KINDS = {
  deposit: ((id, currency, amount) => ({
    kind: 'deposit.received',
    lines: [
      line(`RAIL:SANDBOX:${currency}`, currency, 'DEBIT', amount),
      line(availAccountOf(id), currency, 'CREDIT', amount),
    ],
  })) satisfies Build,
  hold: ((id, currency, amount) => ({
    kind: 'payment.held',
    lines: [
      line(availAccountOf(id), currency, 'DEBIT', amount),
      line(holdAccountOf(id), currency, 'CREDIT', amount),
    ],
  })) satisfies Build,
  release: ((id, currency, amount) => ({
    kind: 'payment.released',
    lines: [
      line(holdAccountOf(id), currency, 'DEBIT', amount),
      line(availAccountOf(id), currency, 'CREDIT', amount),
    ],
  })) satisfies Build,
  capture: ((id, currency, amount) => ({
    kind: 'card.cleared',
    lines: [
      line(holdAccountOf(id), currency, 'DEBIT', amount),
      line(`RAIL:CARD:${currency}`, currency, 'CREDIT', amount),
    ],
  })) satisfies Build,
  arrival: ((id, currency, amount) => ({
    kind: 'uma.held',
    lines: [
      line(`RAIL:UMA:${currency}`, currency, 'DEBIT', amount),
      line(pendingInAccountOf(id), currency, 'CREDIT', amount),
    ],
  })) satisfies Build,
  withdrawal: ((id, currency, amount) => ({
    kind: 'card.cleared',
    lines: [
      line(availAccountOf(id), currency, 'DEBIT', amount),
      line(`RAIL:SANDBOX:${currency}`, currency, 'CREDIT', amount),
    ],
  })) satisfies Build,
};

export interface AccountWebhook {
  readonly type: string;
  readonly resourceId: string;
  readonly data: AccountReply;
}

/** The platform's events so far, in order, read from the outbox. */
export async function listAccountWebhooks(
  platform: TestPlatform,
  prefix = 'INTERNAL_ACCOUNT.',
): Promise<AccountWebhook[]> {
  const work = await platform.work();
  return work.read(async (tx) => {
    const rows = await tx.sql<EventRow>`
      select id, type, resource_id, payload, facts, created_at from events
       where platform_id = ${tx.platformId} and starts_with(type, ${prefix})
         and (payload is not null or type = 'INTERNAL_ACCOUNT.BALANCE_UPDATED')
       order by seq`;
    return Promise.all(
      rows.map(async (row) => ({
        type: row.type,
        resourceId: row.resource_id,
        data: await loadEventData(tx, row),
      })),
    );
  });
}

interface EventRow {
  readonly id: EventId;
  readonly type: string;
  readonly resource_id: string;
  readonly payload: Buffer | null;
  readonly facts: unknown;
  readonly created_at: Date;
}

/** As it was emitted, or as it is rendered from its facts. */
async function loadEventData(tx: ReadTx, event: EventRow): Promise<AccountWebhook['data']> {
  const { id, type, resource_id: resourceId, payload, facts, created_at: createdAt } = event;
  if (payload) return JSON.parse(tx.vault.openText(payload, payloadContext(id)));
  const [data] = await renderAccountEvents(tx, [{ id, type, resourceId, createdAt, facts }]);
  return data as AccountWebhook['data'];
}
