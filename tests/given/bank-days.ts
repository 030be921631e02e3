import assert from 'node:assert/strict';
import { type BreakRow, listBreaks } from '#capabilities/connectors/break-store.ts';
import { setOwner } from '#capabilities/connectors/credits/set-owner.ts';
import { findProof, type ProofRow } from '#capabilities/reconciliation/proof-store.ts';
import { sql } from '#foundation/database/sql.ts';
import { type BankBook, openBankBook } from '#tests/given/bank-statements.ts';
import type { ConnectedPayouts } from '#tests/given/connected-payouts.ts';
import { EUR_ACCOUNTS } from '#tests/given/connectors.ts';
import { readJournal } from '#tests/given/journal.ts';
import { givenRates } from '#tests/given/rates.ts';
import type { World } from '#tests/harness/harness.ts';

export const DAY_MS = 86_400_000;

/** Days at a bank that gives a statement for each of them. */
export interface BankDays {
  /** What the bank books. */
  readonly book: BankBook;
  readonly connectorId: string;
  today(): string;
  /** The bank closes its day, everything that is due is done, and the next day begins. Returns the closed day. */
  closeDay(): Promise<string>;
  /** Does everything that is due. */
  reach(): Promise<void>;
  /** A payout that the bank says it has paid; returns the reference of its order. */
  paid(): Promise<string>;
  amountOf(reference: string): bigint;
  proofOf(day: string): Promise<ProofRow>;
  openBreaks(): Promise<BreakRow[]>;
  /** Names the platform of the payouts as the owner of the settlement account. */
  own(): Promise<void>;
}

export async function givenBankDays(world: World, at: ConnectedPayouts, opening = 0n): Promise<BankDays> {
  at.bank.capabilities = { ...EUR_ACCOUNTS, statements: true };
  const book = openBankBook(at.bank, 'main', opening);
  const [row] = await world.database.query<{ id: string }>(
    sql`select id from connectors where name = ${at.name}`,
  );
  const connectorId = row?.id ?? assert.fail('no connector');
  await world.database.query(
    sql`update connectors set capabilities_due_at = ${new Date(world.clock.now())} where id = ${connectorId}`,
  );
  await at.rounds();
  const today = () =>
    Temporal.Instant.fromEpochMilliseconds(world.clock.now())
      .toZonedDateTimeISO('Europe/Berlin')
      .toPlainDate()
      .toString();
  const reach = async () => {
    await at.later(10);
    await readJournal(world, at.live.id);
    await at.rounds(4);
  };
  return {
    ...{ book, connectorId, today, reach },
    async closeDay() {
      const day = today();
      book.close(day);
      await reach();
      world.clock.advance(DAY_MS);
      return day;
    },
    async paid() {
      await givenRates(world);
      const { reference } = await at.ordered();
      await at.rounds();
      at.bank.play(reference, 'SETTLED');
      await at.later(10);
      return reference;
    },
    amountOf: (reference) => BigInt(at.bank.orders.get(reference)?.body.amount as string),
    async proofOf(day) {
      const account = { connector_id: connectorId, settlement_account: 'main' };
      return (await findProof(world.database.query, account, day)) ?? assert.fail(`no proof of ${day}`);
    },
    async openBreaks() {
      return (await listBreaks(world.database.query, 10_000)).filter(
        ({ connector }) => connector === at.name,
      );
    },
    own: () =>
      at.change((tx) =>
        setOwner(tx, { name: at.name, settlementAccount: 'main', platformId: at.live.id, reason: 'test' }),
      ),
  };
}
