import { type Sql, sql } from '#database/sql.ts';
import type { Surroundings } from '#database/tx.ts';
import type { Account } from '#ledger/accounts.ts';
import { carriedState, inLockingOrder } from '#ledger/entries.ts';
import { publicId } from '#lib/ids.ts';
import type { Application, Outcome } from '#payments/application.ts';
import { eventFacts } from '#payments/event-facts.ts';
import type { Step } from '#payments/machine/draft.ts';
import { STATE_COLUMNS, type TransactionRow } from '#payments/row.ts';

/** How steps are written down for apply_transitions, and how its verdicts are read. */

export function callOf(applications: readonly Application[], { clock, newId }: Surroundings): Sql {
  const steps = applications.map(({ step }) => step);
  return sql`select * from apply_transitions(
    ${steps.map(({ row }) => row.platform_id)}, ${steps.map(({ row }) => row.id)},
    ${steps.map(({ from }) => from ?? null)}, ${steps.map(({ now }) => now.toISOString())},
    ${jsonOf(steps.map(({ row, from }) => (from === undefined ? wholeRow(row) : stateOf(row))))},
    ${mirrorsOf(steps)}, ${customersOf(steps)}, ${heldOf(steps)}, ${keysOf(applications)}, ${volumesOf(steps)}, ${eventsOf(steps)}, ${jobsOf(steps)},
    ${auditsOf(applications, newId)}, ${activeOf(steps)}, ${entriesOf(steps)}, ${new Date(clock.now()).toISOString()})`;
}

interface OutcomeRow {
  verdicts: Outcome['verdict'][];
  refused_accounts: (Account | null)[];
  volumes_used: (string | null)[];
}

export function readOutcomes(applications: readonly Application[], rows: OutcomeRow[]): Outcome[] {
  const [answer] = rows;
  return applications.map((_, i): Outcome => {
    const verdict = answer?.verdicts[i];
    switch (verdict) {
      case 'applied':
      case 'stale':
      case 'key':
      case 'replayed':
        return { verdict };
      case 'limit': {
        const [numerator = '0', denominator = '1'] = (answer?.volumes_used[i] ?? '0/1').split('/');
        return { verdict, used: [BigInt(numerator), BigInt(denominator)] };
      }
      case 'insufficient':
      case 'unknown_account':
      case 'out_of_range':
        return { verdict, account: answer?.refused_accounts[i] as Account };
      default:
        throw new Error(`apply_transitions gave the verdict ${verdict}`);
    }
  });
}

function mirrorsOf(steps: readonly Step[]): Sql {
  const mirrors = numbered(steps, ({ mirrors: rows }) => rows);
  return sql`${mirrors.map(({ step }) => step)}, ${jsonOf(mirrors.map(({ item }) => wholeRow(item)))}`;
}

/**
 * Whose the rows are that are born, and for whom money is set going. What is over with its birth begins nothing for a
 * customer that is gone.
 */
function customersOf(steps: readonly Step[]): Sql {
  const customers = numbered(steps, ({ from, row, mirrors, liveCustomers }) => {
    const own = from === undefined ? [{ id: row.customer_id, mustLive: row.status !== 'COMPLETED' }] : [];
    return [
      ...own,
      ...mirrors.map((mirror) => ({ id: mirror.customer_id, mustLive: false })),
      ...liveCustomers.map((id) => ({ id, mustLive: true })),
    ];
  }).filter(({ item }) => item.id !== null);
  return sql`${customers.map(({ step }) => step)}, ${customers.map(({ item }) => item.id)},
    ${customers.map(({ item }) => item.mustLive)}`;
}

/** A step with entries holds its accounts by the ledger's locks; not those of money that is still to come. */
function heldOf(steps: readonly Step[]): Sql {
  const accounts = numbered(steps, ({ activeAccounts, openAccounts, postings }) => [
    ...(postings.length === 0 ? activeAccounts.map((id) => ({ id, mustMove: true })) : []),
    ...openAccounts.map((id) => ({ id, mustMove: false })),
  ]);
  return sql`${accounts.map(({ step }) => step)}, ${accounts.map(({ item }) => item.id)},
    ${accounts.map(({ item }) => item.mustMove)}`;
}

function keysOf(applications: readonly Application[]): Sql {
  const keys = applications.map(({ companion }) => companion?.companion.key);
  return sql`${keys.map((key) => key?.scope ?? null)}, ${keys.map((key) => key?.key ?? null)},
    ${keys.map((key) => key?.bodyHash ?? null)},
    ${applications.map(({ companion }, i) => (keys[i] ? companion?.reply.status : null))},
    ${applications.map(({ companion }, i) => keys[i]?.seal(companion?.reply.body ?? '') ?? null)}`;
}

function volumesOf(steps: readonly Step[]): Sql {
  return sql`${steps.map(({ volume }) => volume?.corridor ?? null)},
    ${steps.map(({ volume }) => volume?.value[0] ?? null)}, ${steps.map(({ volume }) => volume?.value[1] ?? null)},
    ${steps.map(({ volume }) => volume?.limitUsdCents ?? null)}`;
}

function eventsOf(steps: readonly Step[]): Sql {
  const events = numbered(steps, (step) => step.events);
  return sql`${events.map(({ step }) => step)}, ${events.map(({ item }) => item.type)},
    ${events.map(({ item }) => publicId('Transaction', item.row.id))},
    ${events.map(({ item }) => item.decision ?? null)},
    ${jsonOf(events.map(({ item }) => eventFacts(item.row, item.extra)))}`;
}

function jobsOf(steps: readonly Step[]): Sql {
  const jobs = numbered(steps, (step) => step.jobs);
  const cancelled = jobs.filter(({ item }) => item.does === 'cancel');
  const scheduled = jobs.flatMap(({ step, item }) => (item.does === 'schedule' ? [{ step, item }] : []));
  return sql`${cancelled.map(({ step }) => step)}, ${cancelled.map(({ item }) => item.kind)},
    ${cancelled.map(({ item }) => item.key)},
    ${scheduled.map(({ step }) => step)}, ${scheduled.map(({ item }) => item.kind)},
    ${scheduled.map(({ item }) => item.key)}, ${scheduled.map(({ item }) => item.dueAt.toISOString())},
    ${jsonOf(scheduled.map(({ item }) => item.payload))}`;
}

function auditsOf(applications: readonly Application[], newId: () => string): Sql {
  const audits = numbered(applications, ({ companion }) => companion?.companion.audit ?? []);
  return sql`${audits.map(({ step }) => step)}, ${audits.map(() => newId())},
    ${audits.map(({ item }) => item.actor.kind)}, ${audits.map(({ item }) => item.actor.id)},
    ${audits.map(({ item }) => item.action)}, ${audits.map(({ item }) => item.resource ?? null)},
    ${audits.map(({ item }) => item.requestId ?? null)}, ${audits.map(({ item }) => item.remoteAddress ?? null)}`;
}

function activeOf(steps: readonly Step[]): Sql {
  const accounts = numbered(steps, ({ activeAccounts, postings }) =>
    postings.length > 0 ? activeAccounts : [],
  );
  return sql`${accounts.map(({ step }) => step)}, ${accounts.map(({ item }) => item)}`;
}

function entriesOf(steps: readonly Step[]): Sql {
  const entries = numbered(steps, ({ postings }) => postings);
  const stepOf = (number: number) => steps[number - 1] as Step;
  const lines = entries.flatMap(({ item }, i) =>
    inLockingOrder(item.lines).map((line) => ({
      line,
      entryNo: i + 1,
      carried: carriedState(item, line.account, line.currency),
    })),
  );
  return sql`${entries.map(({ step }) => step)}, ${entries.map(({ step }) => stepOf(step).row.platform_id)},
    ${entries.map(({ item }) => item.id)}, ${entries.map(({ item }) => item.kind)},
    ${entries.map(({ step }) => stepOf(step).row.id)}, ${entries.map(({ item }) => item.reverses ?? null)},
    ${entries.map(({ step }) => stepOf(step).now.toISOString())},
    ${lines.map(({ entryNo }) => entryNo)}, ${lines.map(({ line }) => line.account)},
    ${lines.map(({ line }) => line.currency)}, ${lines.map(({ line }) => (line.side === 'DEBIT' ? line.amount : -line.amount))},
    ${lines.map(({ carried }) => carried?.no ?? null)}, ${lines.map(({ carried }) => carried?.balance ?? null)}`;
}

/** What the steps bring, one after the other, each with its step's number, counted from 1. */
function numbered<Owner, Item>(
  owners: readonly Owner[],
  itemsOf: (owner: Owner) => Item | readonly Item[],
): { step: number; item: Item }[] {
  return owners.flatMap((owner, i) =>
    [itemsOf(owner)].flat().map((item) => ({ step: i + 1, item: item as Item })),
  );
}

/** Only what a step can change. */
function stateOf(row: TransactionRow): object {
  const state: Record<string, unknown> = {};
  for (const column of STATE_COLUMNS) if (row[column] !== null) state[column] = row[column];
  return state;
}

function wholeRow(row: TransactionRow): object {
  return { ...row, private: row.private === null ? null : `\\x${row.private.toString('hex')}` };
}

/** bigint as text: a JSON number is not exact, and PostgreSQL reads either. */
function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'bigint' ? member.toString() : member,
  );
}
