import { availAccountOf, holdAccountOf, pendingInAccountOf } from '#capabilities/accounts/ledger-accounts.ts';
import { sql } from '#foundation/database/sql.ts';
import { publicId } from '#foundation/lib/ids.ts';
import type { AccountReply } from '#tests/given/accounts.ts';
import type { World } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import type { Balances, EventsByPayment, ProofsSnapshot } from '#tests/model/compare-with-model.ts';
import type { MoneyService, PaymentReply } from '#tests/model/money-service.ts';
import type { ScaCustomer } from '#tests/model/steps.ts';

export interface Glance {
  readonly listed: readonly PaymentReply[];
  readonly accounts: Balances;
  readonly told: EventsByPayment;
  readonly proofs: Readonly<Record<ScaCustomer, ProofsSnapshot>>;
}

const DAY_MS = 86_400_000;

/** Reads everything below the API, with a fraction of the calls that the API would need. */
export class Watcher {
  readonly #world: World;
  readonly #platformId: string;
  #accounts: Balances;
  #names: readonly string[];
  readonly #told = new Map<string, string[]>();
  readonly #customerIds: Readonly<Record<ScaCustomer, string>>;
  /** Midnight of the first day. */
  readonly #startMs: number;
  #lastSeq = 0n;

  private constructor(world: World, service: MoneyService, accounts: Balances) {
    this.#world = world;
    this.#platformId = service.platform.id;
    this.#customerIds = { D: uuidOf(service.customerId('D')), E: uuidOf(service.customerId('E')) };
    this.#startMs = Math.floor(world.clock.now() / DAY_MS) * DAY_MS;
    this.#accounts = accounts;
    this.#names = namesIn(accounts);
  }

  static async of(world: World, service: MoneyService): Promise<Watcher> {
    return new Watcher(world, service, await service.accounts());
  }

  /** A customer replaced another. */
  async renew(service: MoneyService): Promise<void> {
    this.#accounts = await service.accounts();
    this.#names = namesIn(this.#accounts);
  }

  /** A time in the model's units. */
  secondOf(at: Date): number {
    return (at.getTime() - this.#startMs) / 1_000;
  }

  /** Reads the state at this second of the model. Nothing may run meanwhile, because it takes several queries. */
  async look(now: number): Promise<Glance> {
    const [listed, accounts, proofs] = await Promise.all([
      this.#transactions(),
      this.#balances(),
      this.#proofs(now),
      this.#hear(),
    ]);
    return { listed, accounts, proofs, told: this.#told };
  }

  async #proofs(now: number): Promise<Glance['proofs']> {
    const at = new Date(this.#startMs + now * 1_000);
    const rows = await this.#world.database.query<ProofsRow>(sql`
      select c.id, coalesce(s.failed_attempts, 0) as failures, coalesce(s.is_suspended, false) as is_suspended,
             case when s.locked_until > ${at} then s.locked_until end as locked_until,
             (select count(*) from sca_sessions where platform_id = c.platform_id and customer_id = c.id
                 and revoked_at is null and expires_at > ${at}) as sessions,
             (select count(*) from external_accounts where platform_id = c.platform_id and customer_id = c.id
                 and trusted) as trusted
        from customers c
        left join sca_standings s on s.platform_id = c.platform_id and s.customer_id = c.id
       where c.platform_id = ${this.#platformId} and c.id = any(${Object.values(this.#customerIds)}::uuid[])`);
    const seen = (who: ScaCustomer): ProofsSnapshot => {
      const row = rows.find(({ id }) => id === this.#customerIds[who]);
      return {
        failures: row?.failures ?? -1,
        lockedUntil: row?.locked_until ? this.secondOf(row.locked_until) : null,
        isSuspended: row?.is_suspended ?? false,
        sessions: Number(row?.sessions),
        trusted: Number(row?.trusted),
      };
    };
    return { D: seen('D'), E: seen('E') };
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
    const now = (account: AccountReply): AccountReply => {
      const [available = 0, held = 0, pending = 0] = namesOf(account).map((name) => found.get(name));
      const { balance, totalBalance } = account;
      return {
        ...account,
        balance: { ...balance, amount: available },
        totalBalance: { ...totalBalance, amount: available + held + pending },
      };
    };
    const { A, B, C, D, E, P } = this.#accounts;
    return {
      ...{ A: A.map(now), B: B.map(now), C: C.map(now) },
      ...{ D: D.map(now), E: E.map(now), P: P.map(now) },
    };
  }

  async #transactions(): Promise<PaymentReply[]> {
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

function namesOf(account: AccountReply): [available: string, held: string, pending: string] {
  const id = uuidOf(account);
  return [availAccountOf(id), holdAccountOf(id), pendingInAccountOf(id)];
}

function seenIn(row: Row): PaymentReply {
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

interface ProofsRow {
  readonly id: string;
  readonly failures: number;
  readonly is_suspended: boolean;
  readonly locked_until: Date | null;
  readonly sessions: bigint;
  readonly trusted: bigint;
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
