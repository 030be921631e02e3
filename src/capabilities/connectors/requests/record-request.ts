import { receiveProvisioning, refuseProvisioning } from '#capabilities/accounts/provision-account.ts';
import type { FoundBreak } from '#capabilities/connectors/apply-report.ts';
import { openBreak } from '#capabilities/connectors/break-store.ts';
import type {
  ReportedName,
  RequestChanges,
  RequestOutcome,
  RequestRow,
} from '#capabilities/connectors/requests/request-row.ts';
import { changeRequest, lockRequest } from '#capabilities/connectors/requests/request-store.ts';
import { realNow } from '#capabilities/connectors/route-order.ts';
import type { ConnectorRow } from '#capabilities/connectors/row.ts';
import { receiveNameCheck } from '#capabilities/external-accounts/receive-name-check.ts';
import type { AccountReport } from '#foundation/connector-protocol/bank-records.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { withoutNameCheck } from '#foundation/ports/name-check.ts';

/** connectors.md §5.2, §7.4: the same bytes are sent again after 5, 10, 20 … 900 seconds. */
const FIRST_SILENCE_MS = 5_000;
const SILENCE_MAX_MS = 900_000;
/** An event may be lost: what the connector has is asked about once a day. */
const DAY_MS = 24 * 60 * 60 * 1_000;
/** connectors.md §7.10. */
const NAME_MAX_MS = 600_000;

/** Applies the answer to a call, in one commit with what it means for the account. */
export async function recordRequestAnswer(
  tx: Tx,
  connector: ConnectorRow,
  claimed: RequestRow,
  outcome: RequestOutcome,
): Promise<void> {
  const row = await lockRequest(tx, claimed.kind, claimed.subject);
  // Another worker makes the call by now, or nobody needs it any more.
  if (!row || row.caller !== claimed.caller || row.call_at === null) return;
  const now = realNow(tx);
  switch (outcome.kind) {
    case 'account':
      return applyAccount(tx, connector, row, outcome.account);
    case 'name':
      return applyName(tx, row, outcome.name);
    case 'refused':
      return applyRefusal(tx, row);
    case 'conflict':
      return inConflict(tx, connector, row, {
        kind: 'CONTRADICTION',
        what: 'The connector knows another account under this id.',
      });
    case 'unknown':
      if (row.closes) return changeRequest(tx, row, row, ended(now));
      return inConflict(tx, connector, row, {
        kind: 'LOST',
        what: 'The connector no longer knows an account that it had.',
      });
    default:
      return askAgain(tx, row, outcome, now);
  }
}

const ended = (now: Date): RequestChanges => ({ status: 'ENDED', call_at: null, ended_at: now, silences: 0 });

/** Silence, 429 and 503: nothing is known, and nothing is lost by asking again. */
async function askAgain(
  tx: Tx,
  row: RequestRow,
  outcome: Extract<RequestOutcome, { kind: 'later' | 'silence' }>,
  now: Date,
): Promise<void> {
  if (isOverdueName(row, now)) return giveUpName(tx, row);
  const isSilence = outcome.kind === 'silence';
  const silences = isSilence ? row.silences + 1 : row.silences;
  const delay = isSilence
    ? Math.min(FIRST_SILENCE_MS * 2 ** Math.min(row.silences, 20), SILENCE_MAX_MS)
    : outcome.afterSeconds * 1_000;
  const due = now.getTime() + delay;
  const overdue = row.kind === 'NAME_CHECK' ? row.created_at.getTime() + NAME_MAX_MS : due;
  await changeRequest(tx, row, row, { silences, call_at: new Date(Math.min(due, overdue)) });
}

/** Ten minutes of silence count as no provider. */
export function isOverdueName({ kind, created_at, acknowledged_at }: RequestRow, now: Date): boolean {
  const isSilent = kind === 'NAME_CHECK' && acknowledged_at === null;
  return isSilent && now.getTime() - created_at.getTime() >= NAME_MAX_MS;
}

export async function giveUpName(tx: Tx, row: RequestRow): Promise<void> {
  const [accountType = ''] = row.account_types;
  await receiveNameCheck(tx, row.subject as ExternalAccountId, withoutNameCheck(accountType));
  await changeRequest(tx, row, row, ended(realNow(tx)));
}

/** The connector never takes this: the account is refused, the name is not checked. */
async function applyRefusal(tx: Tx, row: RequestRow): Promise<void> {
  if (row.kind === 'NAME_CHECK') return giveUpName(tx, row);
  await refuse(tx, row);
  await changeRequest(tx, row, row, { ...ended(realNow(tx)), state: 'REFUSED' });
}

/** Returns what contradicts the account as it is. */
async function refuse(tx: Tx, { subject }: RequestRow): Promise<string | undefined> {
  try {
    await refuseProvisioning(tx, { accountId: subject as AccountId });
    return undefined;
  } catch (error) {
    if (error instanceof Refusal)
      return `The connector refused an account that it cannot refuse: ${error.message}`;
    throw error;
  }
}

/** Records the answer of a connector about a name, from a reply or an event (connectors.md §7.10). */
export async function applyName(tx: Tx, row: RequestRow, name: ReportedName): Promise<void> {
  const now = realNow(tx);
  const acknowledged_at = row.acknowledged_at ?? now;
  if (name.status === 'PENDING') {
    if (row.call_at === null) return;
    const call_at = new Date(now.getTime() + DAY_MS);
    return changeRequest(tx, row, row, { status: 'TAKEN', call_at, acknowledged_at, silences: 0 });
  }
  await receiveNameCheck(tx, row.subject as ExternalAccountId, name);
  await changeRequest(tx, row, row, { ...ended(now), acknowledged_at });
}

/** Records the answer of a connector about an account, from a reply or an event (connectors.md §7.4). */
export async function applyAccount(
  tx: Tx,
  connector: ConnectorRow,
  row: RequestRow,
  { state, coordinates = {} }: AccountReport,
): Promise<void> {
  const now = realNow(tx);
  const what = await contradiction(tx, row, { state, coordinates });
  if (what !== undefined) return inConflict(tx, connector, row, { kind: 'CONTRADICTION', what });
  const acknowledged_at = row.acknowledged_at ?? now;
  // A late report: the connector has answered already.
  if (state === 'PENDING' && row.call_at === null) return;
  const isOver = state === 'CLOSED' || (!row.closes && state !== 'PENDING') || state === 'REFUSED';
  if (isOver) return changeRequest(tx, row, row, { ...ended(now), state, acknowledged_at });
  // It is closed there as soon as it is known there.
  const isNews = row.closes && row.acknowledged_at === null;
  const call_at = isNews ? now : new Date(now.getTime() + DAY_MS);
  await changeRequest(tx, row, row, { status: 'TAKEN', state, call_at, acknowledged_at, silences: 0 });
}

async function contradiction(
  tx: Tx,
  row: RequestRow,
  { state, coordinates }: Required<Pick<AccountReport, 'state' | 'coordinates'>>,
): Promise<string | undefined> {
  switch (state) {
    case 'OPEN':
      return receiveProvisioning(tx, { accountId: row.subject as AccountId, coordinates });
    case 'REFUSED':
      return row.closes ? undefined : refuse(tx, row);
    case 'CLOSED':
      return row.closes ? undefined : 'The connector closed an account that is open here.';
    default:
      return undefined;
  }
}

/** Nothing is applied, and a person has to look at it. What was open stays as it is. */
async function inConflict(
  tx: Tx,
  connector: ConnectorRow,
  row: RequestRow,
  found: Pick<FoundBreak, 'kind' | 'what'>,
): Promise<void> {
  const now = realNow(tx);
  const about = { connectorId: connector.id, platformId: tx.platformId, about: row.subject };
  await openBreak(tx.query.bind(tx), { ...found, ...about, id: newUuid() }, now);
  if (row.call_at === null) return;
  await changeRequest(tx, row, row, {
    ...{ status: 'CONFLICT', call_at: null, ended_at: now },
    acknowledged_at: row.acknowledged_at ?? now,
  });
}
