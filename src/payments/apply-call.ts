import { type Sql, sql } from '#database/sql.ts';
import type { Surroundings } from '#database/tx.ts';
import type { Account } from '#ledger/accounts.ts';
import { carriedState, inLockingOrder } from '#ledger/entries.ts';
import { publicId } from '#lib/ids.ts';
import type { Application, Outcome } from '#payments/application.ts';
import { eventFacts } from '#payments/event-facts.ts';
import { STATE_COLUMNS, type TransactionRow } from '#payments/row.ts';

/** How steps are written down for apply_transitions, and how its verdicts are read. */

export function callOf(applications: readonly Application[], { clock, newId }: Surroundings): Sql {
  const steps = applications.map(({ step }) => step);
  const keys = applications.map(({ companion }) => keyOf(companion));
  const volumes = steps.map(({ volume }) => volume);
  const mirrors = steps.flatMap(({ mirrors: rows }, i) => rows.map((row) => ({ row, step: i + 1 })));
  const entries = steps.flatMap(({ postings, row }, i) =>
    postings.map((posting) => ({ posting, row, step: i + 1 })),
  );
  const lines = entries.flatMap(({ posting }, i) =>
    inLockingOrder(posting.lines).map((line) => ({
      ...line,
      entryNo: i + 1,
      carried: carriedState(posting, line.account, line.currency),
    })),
  );
  return sql`select * from apply_transitions(
    ${steps.map(({ row }) => row.platform_id)}, ${steps.map(({ row }) => row.id)},
    ${steps.map(({ from }) => from ?? null)}, ${steps.map(({ now }) => now)},
    ${jsonOf(steps.map(({ row, from }) => (from === undefined ? wholeRow(row) : stateRow(row))))},
    ${keys.map((key) => key?.scope ?? null)}, ${keys.map((key) => key?.key ?? null)},
    ${keys.map((key) => key?.bodyHash ?? null)}, ${keys.map((key) => key?.status ?? null)},
    ${keys.map((key) => key?.reply ?? null)},
    ${volumes.map((volume) => volume?.corridor ?? null)}, ${volumes.map((volume) => volume?.value[0] ?? null)},
    ${volumes.map((volume) => volume?.value[1] ?? null)}, ${volumes.map((volume) => volume?.limitUsdCents ?? null)},
    ${mirrors.map(({ step }) => step)}, ${jsonOf(mirrors.map(({ row }) => wholeRow(row)))},
    ${jsonOf(eventsOf(applications))}, ${jsonOf(jobsOf(applications))}, ${jsonOf(auditsOf(applications, newId))},
    ${jsonOf(activeOf(applications))},
    ${entries.map(({ step }) => step)}, ${entries.map(({ posting }) => posting.id)},
    ${entries.map(({ posting }) => posting.kind)}, ${entries.map(({ posting }) => posting.reverses ?? null)},
    ${lines.map(({ entryNo }) => entryNo)}, ${lines.map(({ account }) => account)},
    ${lines.map(({ currency }) => currency)}, ${lines.map(({ side, amount }) => (side === 'DEBIT' ? amount : -amount))},
    ${lines.map(({ carried }) => carried?.no ?? null)}, ${lines.map(({ carried }) => carried?.balance ?? null)},
    ${new Date(clock.now())})`;
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

function keyOf(applied: Application['companion']) {
  const key = applied?.companion.key;
  if (!applied || !key) return undefined;
  const { status, body } = applied.reply;
  return { scope: key.scope, key: key.key, bodyHash: key.bodyHash, status, reply: key.seal(body) };
}

function eventsOf(applications: readonly Application[]): object[] {
  return applications.flatMap(({ step }, i) =>
    step.events.map(({ type, row, decision, extra }, place) => ({
      step: i + 1,
      place,
      type,
      resource_id: publicId('Transaction', row.id),
      facts: eventFacts(row, extra),
      ...(decision !== undefined && { decision }),
    })),
  );
}

function jobsOf(applications: readonly Application[]): object[] {
  return applications.flatMap(({ step }, i) =>
    step.jobs.map((job) =>
      job.does === 'cancel'
        ? { step: i + 1, does: job.does, kind: job.kind, key: job.key }
        : {
            step: i + 1,
            does: job.does,
            kind: job.kind,
            key: job.key,
            due_at: job.dueAt,
            payload: job.payload,
          },
    ),
  );
}

function auditsOf(applications: readonly Application[], newId: () => string): object[] {
  return applications.flatMap(({ companion }, i) => {
    const audit = companion?.companion.audit;
    if (!audit) return [];
    return [
      {
        step: i + 1,
        id: newId(),
        actor_kind: audit.actor.kind,
        actor_id: audit.actor.id,
        action: audit.action,
        resource: audit.resource,
        request_id: audit.requestId,
        remote_address: audit.remoteAddress,
      },
    ];
  });
}

function activeOf(applications: readonly Application[]): object[] {
  return applications.flatMap(({ step }, i) => step.activeAccounts.map((id) => ({ step: i + 1, id })));
}

/** Only what a step can change, and the key. */
function stateRow(row: TransactionRow): object {
  const state: Record<string, unknown> = { platform_id: row.platform_id, id: row.id, version: row.version };
  for (const column of STATE_COLUMNS) state[column] = row[column];
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
