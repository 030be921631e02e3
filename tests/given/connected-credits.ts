import { before } from 'node:test';
import { setOwner } from '#capabilities/connectors/credits/set-owner.ts';
import { sandboxQuoteFunding } from '#edge/sandbox/accounts/quote-funding.ts';
import { sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { inCurrency, platformAccounts } from '#tests/given/accounts.ts';
import { type ConnectedPayouts, payoutsByConnector } from '#tests/given/connected-payouts.ts';
import { givenPlatform } from '#tests/given/payments.ts';
import { quoted } from '#tests/given/quotes.ts';
import type { TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

/** What was booked to accounts of the connector. */
export interface Booked {
  readonly platform: string;
  readonly kind: string;
  readonly accounts: string[];
}

/** The same connector, and a platform whose books hold what nobody claims in its settlement account. */
export interface ConnectedCredits extends ConnectedPayouts {
  owner: TestPlatform;
  /** The account of `live` in euros. */
  account: `InternalAccount:${string}`;
  /** A number that no other credit has. */
  next(): number;
  /** Gives the settlement account an owner. */
  own(settlementAccount?: string, platform?: TestPlatform): Promise<void>;
  /** Lists a credit of 100.00 EUR. */
  report(more: Record<string, unknown>): void;
  /** The same, and applies it. Returns its name. */
  credited(more?: Record<string, unknown>): Promise<string>;
  reverse(creditId: string, amount?: string): Promise<void>;
  bookings(): Promise<Booked[]>;
  kinds(): Promise<string[]>;
  /** A quote that is funded in real time by 100.00 EUR. */
  quote(): Promise<{ id: string; reference: string }>;
}

export function creditsByConnector(world: ReturnType<typeof testWorld>): ConnectedCredits {
  const at = payoutsByConnector(world) as ConnectedCredits;
  let names = 0;
  const now = () => new Date(world.clock.now()).toISOString();
  const given: Omit<ConnectedCredits, keyof ConnectedPayouts | 'owner' | 'account'> = {
    next: () => ++names,
    async own(settlementAccount = 'main', { id: platformId } = at.owner) {
      const ownership = { name: at.name, settlementAccount, platformId, reason: 'test' };
      await at.change((tx) => setOwner(tx, ownership));
    },
    report: (more) =>
      at.bank.list({
        ...{ id: newUuid(), type: 'CREDIT', at: now() },
        ...{ settlementAccount: 'main', amount: '10000', currency: 'EUR', rail: 'SEPA_INSTANT' },
        ...more,
      }),
    async credited(more = {}) {
      const creditId = `credit-${at.next()}`;
      at.report({ creditId, ...more });
      await at.later(6);
      return creditId;
    },
    async reverse(creditId, amount = '10000') {
      at.bank.list({ id: newUuid(), type: 'CREDIT_REVERSED', at: now(), creditId, amount });
      await at.later(6);
    },
    async bookings() {
      const rows = await world.database.query<Booked>(sql`
        select platform_id as platform, ledger_kind(kind) as kind, accounts from ledger_entries e
         where exists (select from unnest(e.accounts) a (name) where a.name like ${`RAIL:%:${at.name}.%`}) order by seq`);
      return rows.map((row) => ({ ...row, accounts: row.accounts.toSorted() }));
    },
    async kinds() {
      return (await at.bookings()).map(({ kind }) => kind);
    },
    async quote() {
      const to = inCurrency(await platformAccounts(at.live), 'USD').id;
      const { transactionId: id } = await quoted(at.live, { from: { realtime: 'EUR' }, to, send: 10_000 });
      const [row] = await world.database.query<{ reference: string }>(sql`
        select reference from transactions where id = ${uuidOf(id)}`);
      return { id, reference: row?.reference ?? '' };
    },
  };
  Object.assign(at, given);

  before(async () => {
    at.owner = await givenPlatform(world, { environment: 'PRODUCTION' });
    await (await at.owner.work()).write(
      (tx) => tx.sql`
        update internal_accounts set status = 'ACTIVE', provisioning = 'COMPLETED' where platform_id = ${tx.platformId}`,
    );
    at.account = inCurrency(await platformAccounts(at.live), 'EUR').id;
    // Production has no coordinates for quotes of its own.
    const { runtime } = world.app;
    const { ports } = runtime;
    Object.assign(runtime, {
      ports: (environment: 'SANDBOX' | 'PRODUCTION') => ({
        ...ports(environment),
        quoteFunding: sandboxQuoteFunding,
      }),
    });
  });
  return at;
}
