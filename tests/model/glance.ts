import { availOf, pendingInOf } from '#accounts/ledger-accounts.ts';
import { sql } from '#database/sql.ts';
import { publicId } from '#lib/ids.ts';
import type { SeenAccount } from '#tests/given-accounts.ts';
import type { World } from '#tests/harness.ts';
import type { Balances, Told } from '#tests/model/agreement.ts';
import type { MoneyService, Seen } from '#tests/model/money-service.ts';
import { uuidOf } from '#tests/public-ids.ts';

export interface Glance {
  readonly listed: readonly Seen[];
  readonly accounts: Balances;
  readonly told: Told;
}

/** Looks at everything below the API, which takes a fraction of the calls that would show the same. */
export class Watcher {
  readonly #world: World;
  readonly #platformId: string;
  #accounts: Balances;
  #names: readonly string[];
  readonly #told = new Map<string, string[]>();
  #lastSeq = 0n;

  private constructor(world: World, platformId: string, accounts: Balances) {
    this.#world = world;
    this.#platformId = platformId;
    this.#accounts = accounts;
    this.#names = namesIn(accounts);
  }

  static async of(world: World, service: MoneyService): Promise<Watcher> {
    return new Watcher(world, service.platform.id, await service.accounts());
  }

  /** Somebody came in the place of another. */
  async renew(service: MoneyService): Promise<void> {
    this.#accounts = await service.accounts();
    this.#names = namesIn(this.#accounts);
  }

  /** Nothing else may be under way: these are three looks, not one. */
  async look(): Promise<Glance> {
    const [listed, accounts] = await Promise.all([this.#transactions(), this.#balances(), this.#hear()]);
    return { listed, accounts, told: this.#told };
  }

  async #hear(): Promise<void> {
    const rows = await this.#world.database.query<{ seq: bigint; resource_id: string; type: string }>(sql`
      select seq, resource_id, type from events
       where platform_id = ${this.#platformId} and seq > ${this.#lastSeq} order by seq`);
    for (const { seq, resource_id, type } of rows) {
      const list = this.#told.get(resource_id) ?? [];
      list.push(type.slice(type.indexOf('.') + 1));
      this.#told.set(resource_id, list);
      this.#lastSeq = seq;
    }
  }

  async #balances(): Promise<Balances> {
    const rows = await this.#world.database.query<{ account: string; balance: bigint }>(sql`
      select account, balance from ledger_balances
       where platform_id = ${this.#platformId} and account = any(${this.#names}::text[])`);
    const found = new Map(rows.map(({ account, balance }) => [account, Number(balance)]));
    const now = (account: SeenAccount): SeenAccount => {
      const [available = 0, pending = 0] = namesOf(account).map((name) => found.get(name));
      const { balance, totalBalance } = account;
      return {
        ...account,
        balance: { ...balance, amount: available },
        totalBalance: { ...totalBalance, amount: available + pending },
      };
    };
    const { A, B, C, P } = this.#accounts;
    return { A: A.map(now), B: B.map(now), C: C.map(now), P: P.map(now) };
  }

  async #transactions(): Promise<Seen[]> {
    const rows = await this.#world.database.query<Row>(sql`
      select id, customer_id, type, status, failure_reason, pending_reason, refund_status, refund_reason,
             refund_amount, coalesce((details->'sent'->>'amount')::bigint, sending_amount) as sent, receiving_amount,
             receiving_currency
        from transactions where platform_id = ${this.#platformId}`);
    return rows.map(seenIn);
  }
}

function namesIn(accounts: Balances): string[] {
  return Object.values(accounts).flatMap((list) => list.flatMap(namesOf));
}

function namesOf(account: SeenAccount): [available: string, pending: string] {
  return [availOf(uuidOf(account)), pendingInOf(uuidOf(account))];
}

function seenIn(row: Row): Seen {
  return {
    id: publicId('Transaction', row.id),
    customerId: row.customer_id === null ? '' : publicId('Customer', row.customer_id),
    type: row.type,
    status: row.status,
    ...(row.failure_reason !== null && { failureReason: row.failure_reason }),
    ...(row.pending_reason !== null && { pendingReason: row.pending_reason }),
    ...(row.refund_status !== null && {
      refund: {
        status: row.refund_status,
        reason: row.refund_reason ?? '',
        amount: { amount: Number(row.refund_amount) },
      },
    }),
    sentAmount: { amount: Number(row.sent) },
    receivedAmount: { amount: Number(row.receiving_amount), currency: { code: row.receiving_currency } },
  };
}

interface Row {
  readonly id: string;
  readonly customer_id: string | null;
  readonly type: string;
  readonly status: string;
  readonly failure_reason: string | null;
  readonly pending_reason: string | null;
  readonly refund_status: string | null;
  readonly refund_reason: string | null;
  readonly refund_amount: bigint | null;
  readonly sent: bigint;
  readonly receiving_amount: bigint;
  readonly receiving_currency: string;
}
