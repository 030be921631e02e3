import {
  type CoinRow,
  issuedAccountOf,
  outsideAccountOf,
  reserveAccountOf,
} from '#capabilities/stablecoins/coin-row.ts';
import { OPEN } from '#capabilities/stablecoins/open-operations-store.ts';
import { sql } from '#foundation/database/sql.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { sumOver } from '#foundation/ledger/store.ts';

/** A coin's books, in its smallest units; the reserve in cents (stablecoins.md §7). */
export interface Supply {
  readonly issued: bigint;
  readonly reserve: bigint;
  /** OUT: the coins in external wallets and at the provider. */
  readonly outside: bigint;
  readonly openMints: bigint;
  readonly openBurns: bigint;
}

/**
 * Loads the books in one statement, so that all figures are of the same moment. A rejected or failed coin has none: its
 * symbol, and with it the account of coins outside, can belong to another coin by now (stablecoins.md §3.4).
 */
export async function loadSupply(tx: ReadTx, coin: CoinRow): Promise<Supply> {
  if (coin.issuance_status === 'REJECTED' || coin.issuance_status === 'FAILED') return NOTHING;
  const [row] = await tx.sql<Record<'issued' | 'reserve' | 'outside' | 'mints' | 'burns', string | null>>`
    select (select b.balance from ledger_balances b
             where b.platform_id = ${tx.platformId} and b.account = ${issuedAccountOf(coin.id)}
               and b.currency = ${coin.symbol})::text as issued,
           (select b.balance from ledger_balances b
             where b.platform_id = ${tx.platformId} and b.account = ${reserveAccountOf(coin.id)}
               and b.currency = 'USD')::text as reserve,
           (select s.credit - s.debit from (${sumOver(tx, sql`${outsideAccountOf(coin)}`)}) s)::text as outside,
           o.mints::text as mints, o.burns::text as burns
      from (select sum(t.amount) filter (where t.operation_type = 'MINT') as mints,
                   sum(t.amount) filter (where t.operation_type = 'BURN') as burns
              from stablecoin_operations t
             where t.platform_id = ${tx.platformId} and t.stablecoin_id = ${coin.id} and ${OPEN}) o`;
  return {
    issued: BigInt(row?.issued ?? 0),
    reserve: BigInt(row?.reserve ?? 0),
    outside: BigInt(row?.outside ?? 0),
    openMints: BigInt(row?.mints ?? 0),
    openBurns: BigInt(row?.burns ?? 0),
  };
}

const NOTHING: Supply = { issued: 0n, reserve: 0n, outside: 0n, openMints: 0n, openBurns: 0n };
