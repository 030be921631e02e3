import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import {
  OPERATIONS,
  type OperationRow,
  type StoredOperation,
} from '#capabilities/stablecoins/operations/row.ts';
import { openOperations } from '#capabilities/stablecoins/operations/sealed-operation.ts';
import { sparkDepositAddress } from '#edge/sandbox/accounts/deposit-addresses.ts';
import { sql } from '#foundation/database/sql.ts';
import { seeded } from '#foundation/lib/identifiers/seeded.ts';
import { type ExternalAccountReply, givenExternalAccount } from '#tests/given/external-accounts.ts';
import { advance } from '#tests/given/payments.ts';
import type { CoinReply } from '#tests/given/stablecoins.ts';
import type { BodyOf } from '#tests/harness/api-types.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

/** Mints and burns, as the API shows them. */
export type CoinOperationReply = BodyOf<'getStablecoinOperation'>;

type Coin = Pick<CoinReply, 'id'>;

/** With a new idempotency key by default; null: without one. */
interface KeyOption {
  readonly key?: string | null;
}

const keyed = ({ key = randomUUID() }: KeyOption) => (key === null ? {} : { key });

/** One coin in the sandbox's decimals, and what it is worth in cents. */
export const COIN = 1_000_000n;

/** The time that the sandbox takes from a wire, or coins, to the end. */
export const DONE_SECONDS = 15;

export function askMint(platform: TestPlatform, { id }: Coin, body: object, option: KeyOption = {}) {
  const whole = { amount: '25000000', fundingSource: { type: 'WIRE' }, ...body };
  return platform.send('createStablecoinMint', {
    params: { stablecoinId: id },
    body: whole,
    ...keyed(option),
  });
}

export function askBurn(platform: TestPlatform, { id }: Coin, body: object, option: KeyOption = {}) {
  const whole = { amount: '25000000', source: { type: 'EXTERNAL_ACCOUNT' }, ...body };
  return platform.send('createStablecoinBurn', {
    params: { stablecoinId: id },
    body: whole,
    ...keyed(option),
  });
}

export async function readOperation(
  platform: TestPlatform,
  { id }: Pick<CoinOperationReply, 'id'>,
): Promise<CoinOperationReply> {
  const reply = await platform.call('getStablecoinOperation', { params: { stablecoinOperationId: id } });
  assert.equal(reply.status, 200, reply.raw);
  return reply.body;
}

/** An external Spark wallet that coins can be sent to; another one for each name. */
export function givenSparkWallet(platform: TestPlatform, name = 'wallet', rest: object = {}) {
  const address = sparkDepositAddress(seeded(createHash('sha256').update(name).digest()));
  return givenExternalAccount(platform, 'SPARK_WALLET', { address }, rest);
}

/** A bank account in dollars; its last digits choose the outcome. */
export function givenBank(
  platform: TestPlatform,
  digits = '890',
  rest: object = {},
): Promise<ExternalAccountReply> {
  return givenExternalAccount(platform, 'USD_ACCOUNT', { accountNumber: `1234567${digits}` }, rest);
}

/** Coins that are minted by wire to this account, or to an external wallet. */
export async function givenCoins(
  platform: TestPlatform,
  coin: Coin,
  amount: bigint,
  accountId?: string,
): Promise<CoinOperationReply> {
  const to = accountId ?? (await givenSparkWallet(platform, randomUUID())).id;
  const reply = await askMint(platform, coin, { amount: String(amount), destination: { accountId: to } });
  assert.equal(reply.status, 201, reply.raw);
  await advance(platform, DONE_SECONDS);
  const operation = await readOperation(platform, reply.body);
  assert.equal(operation.status, 'COMPLETED');
  return operation;
}

/** The stored rows of a coin's operations, the oldest first, including those that are never shown. */
export async function operationRows(platform: TestPlatform, { id }: Coin): Promise<OperationRow[]> {
  const work = await platform.work();
  return work.read(async (tx) => {
    const rows = await tx.query<StoredOperation>(sql`
      select ${OPERATIONS.columns('t')} from stablecoin_operations t
       where t.platform_id = ${tx.platformId} and t.stablecoin_id = ${uuidOf(id)} order by t.created_at, t.id`);
    return openOperations(tx, rows);
  });
}

/** The books of a coin: coins issued, the reserve in cents, and coins in external wallets. */
export async function loadCoinBooks(
  platform: TestPlatform,
  { id, symbol }: Pick<CoinReply, 'id' | 'symbol'>,
) {
  const work = await platform.work();
  const rows = await work.read(
    (tx) =>
      tx.sql<{ account: string; net: string }>`
      select l.account, sum(case l.side when 'CREDIT' then l.amount else -l.amount end)::text as net
        from ledger_lines l
       where l.platform_id = ${tx.platformId}
         and l.account in (${`ISSUED:${uuidOf(id)}`}, ${`RESERVE:${uuidOf(id)}`}, ${`RAIL:SPARK:${symbol}`})
       group by l.account`,
  );
  const net = (prefix: string) => BigInt(rows.find(({ account }) => account.startsWith(prefix))?.net ?? 0);
  return { issued: -net('ISSUED'), reserve: net('RESERVE'), outside: net('RAIL') };
}
