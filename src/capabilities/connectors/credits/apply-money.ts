import { type ApplyParts, type MoneyEvent, postpone } from '#capabilities/connectors/apply-events.ts';
import {
  claimEvents,
  markApplied,
  postponeEvent,
  reopenReversals,
} from '#capabilities/connectors/apply-store.ts';
import { aboutCredit, endBreaks, openBreak } from '#capabilities/connectors/break-store.ts';
import {
  findOwner,
  findRecipientByAccount,
  listRecipientsByReference,
  lockCredit,
  markReversed,
  type Recipient,
} from '#capabilities/connectors/credit-store.ts';
import { receiveCredit } from '#capabilities/connectors/credits/receive-credit.ts';
import { referencesIn } from '#capabilities/connectors/credits/references.ts';
import type { StoredEvent } from '#capabilities/connectors/event-store.ts';
import { CONNECTED, type ConnectorRow, type ReportedCredit } from '#capabilities/connectors/row.ts';
import type { Run } from '#foundation/database/database.ts';
import { findPlatform, listPlatformsOf } from '#foundation/database/platforms.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { sayReported } from '#foundation/lib/currencies.ts';
import { newUuid, parseId } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

/** Until then somebody has to name the owner of the settlement account, which lets the money be booked at once. */
const OWNER_WAIT_MS = 10 * 60_000;

/** Applies credits and reversals, each in a commit that marks its event: one that fails is tried again later. */
export async function applyMoney(
  parts: ApplyParts,
  connector: ConnectorRow,
  events: readonly MoneyEvent[],
): Promise<void> {
  for (const each of events) {
    try {
      if (each.kind === 'CREDIT') await applyCredit(parts, connector, each);
      else await applyReversal(parts, connector, each);
    } catch (error) {
      await postpone(parts, each.event, error);
    }
  }
}

type CreditEvent = Extract<MoneyEvent, { kind: 'CREDIT' }>;
type ReversalEvent = Extract<MoneyEvent, { kind: 'CREDIT_REVERSED' }>;

async function applyCredit(parts: ApplyParts, connector: ConnectorRow, given: CreditEvent): Promise<void> {
  const { runtime, actor } = parts;
  const { event, credit } = given;
  const { query } = runtime.database;
  const account = connector.capabilities?.settlementAccounts.find(
    ({ id }) => id === credit.settlementAccount,
  );
  if (account && account.currency !== credit.currency) {
    const what = `The connector reports ${credit.currency} in a settlement account in ${account.currency}.`;
    return refuseCredit(runtime, connector, given, { what, platformId: null });
  }
  const owner = await findOwner(query, connector.id, credit.settlementAccount);
  if (owner === undefined) return awaitOwner(runtime, connector, given);
  const recipient = await findRecipient(runtime, credit);
  const platform = await findPlatform(query, recipient?.platform_id ?? owner);
  if (!platform) throw new Error(`no platform for the settlement account ${credit.settlementAccount}`);
  try {
    await new Work(runtime, platform, actor).write(async (tx) => {
      const run: Run = (piece) => tx.query(piece);
      if (!(await claimEvents(run, connector.id, [event])).has(event.seq)) return;
      const outcome = await receiveCredit(tx, connector, credit, recipient);
      const now = new Date(runtime.clock.now());
      await markApplied(run, event, outcome, now);
      if (outcome === 'applied' || outcome === 'suspended')
        await recallReversals(run, connector, credit, now);
    });
  } catch (error) {
    if (!isFinal(error)) throw error;
    const what = `The credit cannot be booked: ${error.message}`;
    await refuseCredit(runtime, connector, given, { what, platformId: platform.id });
  }
}

/** The credit is there now: what was reported before it contradicts nothing any more. */
async function recallReversals(
  run: Run,
  { id: connectorId }: ConnectorRow,
  { creditId }: ReportedCredit,
  now: Date,
): Promise<void> {
  if (!(await reopenReversals(run, connectorId, creditId, now))) return;
  const early = { connectorId, about: aboutCredit(creditId), kind: 'CONTRADICTION' as const };
  await endBreaks(run, early, { sentence: 'The credit was reported later.', now });
}

/** Nothing is booked, and a person sees why. */
function refuseCredit(
  runtime: Runtime,
  connector: ConnectorRow,
  { event, credit: { creditId, amount, currency } }: CreditEvent,
  found: { readonly what: string; readonly platformId: PlatformId | null },
): Promise<void> {
  return end(runtime, connector, event, async (run, now) => {
    const place = { connectorId: connector.id, about: aboutCredit(creditId), amount, currency };
    await openBreak(run, { ...found, ...place, kind: 'CONTRADICTION', id: newUuid() }, now);
    return 'refused';
  });
}

/** A refusal that no repetition changes: another amount was booked by hand under this name, or it is no such money. */
function isFinal(error: unknown): error is Refusal {
  return error instanceof Refusal && (error.code === 'CONFLICT' || error.code === 'INVALID_INPUT');
}

/** connectors.md §6.9: the account that the connector names, or the only quote or account whose reference was written. */
async function findRecipient(
  { database: { query }, names }: Runtime,
  { accountId, remittance = '' }: ReportedCredit,
): Promise<Recipient | undefined> {
  const id = accountId === undefined ? undefined : parseId('InternalAccount', accountId);
  const references = referencesIn(remittance, names.referencePrefix);
  if (id === undefined && references.length === 0) return undefined;
  const platforms = (await listPlatformsOf(query, CONNECTED)).map((platform) => platform.id);
  const named = id && (await findRecipientByAccount(query, platforms, id));
  if (named) return named;
  const found = references.length === 0 ? [] : await listRecipientsByReference(query, platforms, references);
  return found.length === 1 ? found[0] : undefined;
}

/** connectors.md §8.5: nothing is booked before the settlement account has an owner. A break tells a person. */
async function awaitOwner(
  { database, clock }: Runtime,
  connector: ConnectorRow,
  { event, credit: { settlementAccount } }: CreditEvent,
): Promise<void> {
  const now = new Date(clock.now());
  const what =
    `Money came into the settlement account ${settlementAccount}, which has no owner. ` +
    '`corridor connector owner` names the platform whose books hold what nobody claims.';
  await database.transaction(async (run) => {
    if (!(await claimEvents(run, connector.id, [event])).has(event.seq)) return;
    const place = { connectorId: connector.id, platformId: null, about: ownerlessAccount(settlementAccount) };
    await openBreak(run, { kind: 'THEIRS_UNMATCHED', what, ...place, id: newUuid() }, now);
    await postponeEvent(run, event, new Date(now.getTime() + OWNER_WAIT_MS));
  });
}

/** The subject of the break about a settlement account without an owner. */
export function ownerlessAccount(settlementAccount: string): string {
  return `settlement account ${settlementAccount}`;
}

/** connectors.md §6.10: nothing is booked before a person confirms it. */
async function applyReversal(
  { runtime }: ApplyParts,
  connector: ConnectorRow,
  { event, reversal: { creditId, amount } }: ReversalEvent,
): Promise<void> {
  await end(runtime, connector, event, async (run, now) => {
    const credit = await lockCredit(run, connector.id, creditId);
    if (credit?.reversed_at) return 'repeated';
    const isWhole = credit?.amount === amount;
    if (credit && isWhole) await markReversed(run, credit, now);
    const found = !credit
      ? { kind: 'CONTRADICTION' as const, what: 'The connector takes a credit back that it never reported.' }
      : isWhole
        ? { kind: 'RETURNED' as const, what: 'The bank took a credit back. A person has to confirm it.' }
        : {
            kind: 'AMOUNT_DIFFERS' as const,
            what: `The bank took back ${sayReported({ amount, currency: credit.currency })} of a credit of ${sayReported(credit)}.`,
          };
    const place = {
      connectorId: connector.id,
      platformId: credit?.platform_id ?? null,
      about: aboutCredit(creditId),
    };
    const money = { amount, currency: credit?.currency };
    await openBreak(run, { ...found, ...place, ...money, id: newUuid() }, now);
    return credit ? 'reversed' : 'unknown credit';
  });
}

/** Marks the event in the commit of what it leads to, unless another worker has done so. */
async function end(
  { database, clock }: Runtime,
  connector: ConnectorRow,
  event: StoredEvent,
  steps: (run: Run, now: Date) => Promise<string>,
): Promise<void> {
  const now = new Date(clock.now());
  await database.transaction(async (run) => {
    if (!(await claimEvents(run, connector.id, [event])).has(event.seq)) return;
    await markApplied(run, event, await steps(run, now), now);
  });
}
