import assert from 'node:assert/strict';
import { moveStatuses } from '#capabilities/accounts/store.ts';
import type { BodyOf, RequestOf } from '#tests/harness/api-types.ts';
import type { Call, TestPlatform } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

export type QuoteRequest = RequestOf<'createQuote'>;

/** Between accounts given by their public ids, or a UMA address; by default it sends 10,000. */
export interface Wish {
  readonly from:
    | string
    | { readonly realtime: string; readonly network?: string; readonly customerId?: string };
  readonly to: string;
  readonly send?: number;
  readonly receive?: number;
  /** Fields of the request beside these. */
  readonly more?: QuoteRequest;
}

export function quoteBody({ from, to, send, receive, more = {} }: Wish): QuoteRequest {
  const source =
    typeof from === 'string'
      ? { sourceType: 'ACCOUNT', accountId: from }
      : {
          sourceType: 'REALTIME_FUNDING',
          currency: from.realtime,
          ...(from.network !== undefined && { cryptoNetwork: from.network }),
          ...(from.customerId !== undefined && { customerId: from.customerId }),
        };
  const destination = to.startsWith('$')
    ? { destinationType: 'UMA_ADDRESS', umaAddress: to }
    : { destinationType: 'ACCOUNT', accountId: to };
  return {
    source,
    destination,
    lockedCurrencySide: receive === undefined ? 'SENDING' : 'RECEIVING',
    lockedCurrencyAmount: receive ?? send ?? 10_000,
    ...more,
  };
}

export function askQuote(platform: TestPlatform, wish: Wish, call: Omit<Call, 'body'> = {}) {
  return platform.call('createQuote', { ...call, body: quoteBody(wish) });
}

/** A quote as the API shows it. */
export type QuoteReply = BodyOf<'createQuote'>;

/** A quote made through the API; it must succeed. */
export async function quoted(platform: TestPlatform, wish: Wish) {
  const reply = await askQuote(platform, wish);
  assert.equal(reply.status, 201, reply.raw);
  return reply.body;
}

/** The id of a look-up of this address. */
export async function lookedUp(platform: TestPlatform, receiverUmaAddress: string): Promise<string> {
  const reply = await platform.call('lookupUma', { params: { receiverUmaAddress } });
  assert.equal(reply.status, 200, reply.raw);
  return reply.body.lookupId;
}

export async function freeze(platform: TestPlatform, accountId: string): Promise<void> {
  const work = await platform.work();
  const id = uuidOf(accountId);
  const moved = await work.write((tx) => moveStatuses(tx, [id], 'freeze'));
  assert.deepEqual(moved, [id]);
}

/** How many quotes and transfers there are. */
export async function countTransactions(platform: TestPlatform): Promise<number> {
  const work = await platform.work();
  return work.read(async (tx) => {
    const [row] = await tx.sql<{ count: bigint }>`
      select count(*) from transactions where platform_id = ${tx.platformId}`;
    return Number(row?.count);
  });
}
