import { asCurrency } from '#capabilities/stablecoins/coin-row.ts';
import { findCoin } from '#capabilities/stablecoins/coin-store.ts';
import { FOLLOW_OPERATION } from '#capabilities/stablecoins/follow.ts';
import { GIVE_UP_MS, RECONCILE_MS } from '#capabilities/stablecoins/operations/machine.ts';
import { buildOrder } from '#capabilities/stablecoins/operations/order.ts';
import { isOpen, type OperationRow, type OperationStatus } from '#capabilities/stablecoins/operations/row.ts';
import { findOperation } from '#capabilities/stablecoins/operations/store.ts';
import { BECAUSE } from '#foundation/database/attention.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { Explained, Explainer, Failure, Item, Waiting } from '#foundation/explanation/explanation.ts';
import { becauseOf } from '#foundation/explanation/words.ts';
import { listWaiting } from '#foundation/jobs/store.ts';
import { NO_OWN_CURRENCIES, sayAmount } from '#foundation/lib/currencies.ts';
import { publicId } from '#foundation/lib/ids.ts';
import type { Cause } from '#foundation/ports/explanations.ts';
import type { FailureReason } from '#foundation/ports/stablecoins.ts';

/** Explains mints and burns (operator.md §8.1). One that the provider refused at once is never shown. */
export const operationExplainer: Explainer = {
  types: ['StablecoinOperation'],
  async explain(tx, { uuid }) {
    const row = await findOperation(tx, uuid as Id<'StablecoinOperation'>);
    return row && row.status !== 'REFUSED' ? explainOperation(tx, row) : undefined;
  },
};

async function explainOperation(tx: ReadTx, row: OperationRow): Promise<Explained> {
  const id = publicId('StablecoinOperation', row.id);
  const job = { kind: FOLLOW_OPERATION, key: row.id, title: 'ask the provider for the outcome' };
  const [coin, [due]] = await Promise.all([findCoin(tx, row.stablecoin_id), listWaiting(tx, [job])]);
  const asked = due && due.attempts === 0 && due.due_at > tx.now ? lastAskedAt(row, due.due_at) : undefined;
  const cause = coin && tx.ports.explanations.causeOfOperation(buildOrder(tx, row, coin));
  return {
    id,
    type: row.operation_type,
    status: row.status,
    summary: summaryOf(row),
    waiting: isOpen(row) ? waitingOf(tx, row, due?.due_at) : undefined,
    failure: failureOf(row, cause),
    related: relatedTo(row),
    items: () => [...transitionsOf(row), ...ordersOf(row, cause), ...(asked ? [askedAgain(row, asked)] : [])],
    resources: [id],
    ledgerId: row.id,
    currencies: coin && asCurrency(coin),
    jobs: [job],
    changedAt: row.updated_at,
  };
}

const dollars = ({ cents }: OperationRow) => sayAmount(cents, 'USD', NO_OWN_CURRENCIES);
const nameOf = ({ operation_type }: OperationRow) => (operation_type === 'MINT' ? 'mint' : 'burn');

/** The amount on hold while the operation is open: dollars for a mint, coins for a burn. */
function holdOf(row: OperationRow): string | undefined {
  if (row.source_internal === null) return undefined;
  return row.operation_type === 'MINT' ? dollars(row) : `coins worth ${dollars(row)}`;
}

function summaryOf(row: OperationRow): string {
  const hold = holdOf(row);
  const name = nameOf(row);
  if (isOpen(row)) {
    const money =
      hold === undefined
        ? 'Nothing has moved here'
        : `${capital(hold)} ${row.operation_type === 'MINT' ? 'is' : 'are'} on hold in the account`;
    return `${money}: ${OPEN_WORDS[row.status as keyof typeof OPEN_WORDS](name)}`;
  }
  if (row.status === 'COMPLETED')
    return row.operation_type === 'MINT'
      ? `Coins worth ${dollars(row)} were minted and delivered${toWhere(row)}.`
      : `Coins worth ${dollars(row)} were burned. The provider reported that it pays ${dollars(row)}${toWhere(row)}.`;
  const back =
    hold === undefined ? 'Nothing has moved here' : 'The hold was released, and the account kept the money';
  return row.status === 'EXPIRED'
    ? `${back}: the money or the coins for the ${name} did not arrive in time.`
    : `${back}: the ${name} failed. ${FAILURES[row.failure_reason ?? 'PROVIDER_TRANSFER_FAILED']}`;
}

/** ` over WIRE to ExternalAccount:…`. */
function toWhere(row: OperationRow): string {
  const rail = row.rail === null ? '' : ` over ${row.rail}`;
  const [to] = relatedTo(row).filter(({ relation }) => relation === 'destination');
  return `${rail}${to ? ` to ${to.id}` : ''}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const OPEN_WORDS = {
  CREATED: (name: string) =>
    `the ${name} was submitted, and the provider has not said yet whether it accepted it.`,
  PENDING_FUNDING: (name: string) =>
    `the provider accepted the ${name} and is waiting for the money or the coins.`,
  PENDING_PROVIDER: (name: string) => `the provider accepted the ${name} and has not started.`,
  PROCESSING: (name: string) => `the provider is working on the ${name}.`,
} as const;

const FAILURES: Readonly<Record<FailureReason, string>> = {
  PROVIDER_TRANSFER_FAILED: 'The provider failed the transfer, or never received it.',
  PROVIDER_CANCELED: 'The provider cancelled the transfer.',
  FUNDING_INSUFFICIENT_FUNDS: 'The bank account that should pay does not cover the amount.',
  FUNDING_ACCOUNT_INVALID: 'The bank account that should pay is closed or does not exist.',
  FUNDING_REJECTED: 'The bank refused to pay.',
};

function failureOf(row: OperationRow, cause: Cause | undefined): Failure | undefined {
  if (row.status === 'EXPIRED')
    return {
      reason: 'EXPIRED',
      sentence: 'The money or the coins did not arrive in time.',
      rule: 'stablecoins.md §5.64',
      causedBy: cause,
    };
  if (row.failure_reason === null) return undefined;
  return {
    reason: row.failure_reason,
    sentence: FAILURES[row.failure_reason],
    rule: row.provider_status === null ? 'stablecoins.md §5.68' : 'stablecoins.md §5.67',
    causedBy: cause,
  };
}

function waitingOf(tx: ReadTx, row: OperationRow, nextDue: Date | undefined): Waiting {
  const isUnknown = row.status === 'CREATED';
  // The first question after this time ends it, and questions are a minute apart.
  const givenUp = new Date(row.created_at.getTime() + GIVE_UP_MS + RECONCILE_MS);
  const until = isUnknown ? givenUp : row.status === 'PENDING_FUNDING' ? row.expires_at : null;
  const { explanations } = tx.ports;
  const moment = isUnknown
    ? { at: givenUp, when: `when the ${nameOf(row)} has failed, if the provider never received it` }
    : nextDue && { at: nextDue, when: 'when the service asks the provider again' };
  return {
    for: WAITS[row.status as keyof typeof WAITS],
    since: isUnknown ? row.created_at : row.updated_at,
    until: until ?? undefined,
    nextCheckAt: nextDue,
    afterwards: isUnknown
      ? `The service asks the provider every minute, and never submits twice. If the provider still does not know the ${nameOf(row)} after 15 minutes, the ${nameOf(row)} fails${holdOf(row) === undefined ? '' : ', and the hold is released'}.`
      : row.status === 'PENDING_FUNDING'
        ? `At that time the ${nameOf(row)} expires. Once the funds arrive, the provider continues by itself.`
        : 'The provider reports completion or failure. After a failure, any hold is released.',
    by: [
      { who: 'PROVIDER', how: 'Report the outcome when it is asked.' },
      ...(row.status === 'PENDING_FUNDING'
        ? [{ who: 'CUSTOMER' as const, how: 'Send the funds, following the funding instructions.' }]
        : []),
      {
        who: 'OPERATOR',
        how: 'Report the outcome by hand, if the provider can no longer be asked.',
        commands: commandsFor(row),
      },
      ...(moment
        ? explanations
            .waysToCause({ kind: 'TIME', ...moment }, tx.now)
            .map((way) => ({ who: 'TOKEN' as const, ...way }))
        : []),
    ],
  };
}

function commandsFor(row: OperationRow) {
  const subject = publicId('StablecoinOperation', row.id);
  const done = row.operation_type === 'MINT' ? 'minted the coins' : 'burned the coins and pays out';
  return [
    {
      how: `Record that the provider ${done}, if it can no longer be asked.`,
      command: `corridor stablecoin operation complete ${subject} ${BECAUSE}`,
    },
    {
      how: `Record that the provider will not perform the ${nameOf(row)}.`,
      command: `corridor stablecoin operation fail ${subject} ${BECAUSE}`,
    },
  ];
}

/** An unknown operation is asked about every minute: the next question tells when the last one was. */
function lastAskedAt(row: OperationRow, nextDue: Date): Date | undefined {
  const last = new Date(nextDue.getTime() - RECONCILE_MS);
  return row.status === 'CREATED' && last.getTime() > row.created_at.getTime() ? last : undefined;
}

function askedAgain(row: OperationRow, at: Date): Item {
  return {
    kind: 'order',
    at,
    actor: { kind: 'PROVIDER' },
    title: `The service has asked the provider every minute. When it last asked, the provider did not know the ${nameOf(row)}.`,
    rule: 'stablecoins.md §6.2',
    details: { order: row.operation_type, state: 'UNKNOWN' },
  };
}

const WAITS = {
  CREATED: 'The provider has to answer whether it accepted the operation.',
  PENDING_FUNDING: 'The money or the coins have to arrive at the provider.',
  PENDING_PROVIDER: 'The provider has to start.',
  PROCESSING: 'The provider has to finish.',
} as const;

const REACHED: Readonly<Record<Exclude<OperationStatus, 'CREATED' | 'REFUSED'>, [string, string]>> = {
  PENDING_FUNDING: ['The provider accepted it and is waiting for the funds.', 'stablecoins.md §5.61'],
  PENDING_PROVIDER: ['The provider accepted it.', 'stablecoins.md §5.62'],
  PROCESSING: ['The provider started.', 'stablecoins.md §5.65'],
  COMPLETED: ['The provider reported that it has finished.', 'stablecoins.md §5.66'],
  FAILED: ['It failed.', 'stablecoins.md §5.67'],
  EXPIRED: ['Its funds did not arrive in time.', 'stablecoins.md §5.64'],
};

/** The provider is polled, so the operation may have passed through statuses that nobody saw. */
function transitionsOf(row: OperationRow): Item[] {
  let from: OperationStatus = 'CREATED';
  const created: Item = {
    kind: 'transition',
    at: row.created_at,
    actor: { kind: 'TOKEN' },
    title: `The ${nameOf(row)} of coins worth ${dollars(row)} was recorded.`,
    rule: 'stablecoins.md §5',
    causes: ['createStablecoinMint', 'createStablecoinBurn'],
    details: { of: 'OPERATION', from: 'none', to: from },
  };
  const reached = stepsOf(row).map(({ status, at }): Item => {
    const item = transitionTo(row, from, status, at);
    from = status;
    return item;
  });
  return [created, ...reached];
}

type Reached = keyof typeof REACHED;

/** The statuses after `CREATED`, in their order. An operation of an earlier version has only its latest status. */
function stepsOf({ status, steps, updated_at }: OperationRow): { status: Reached; at: Date }[] {
  const order = Object.keys(REACHED) as Reached[];
  const known = order.flatMap((name) =>
    steps[name] === undefined ? [] : [{ status: name, at: new Date(steps[name]) }],
  );
  const isKnown = status === 'CREATED' || status === 'REFUSED' || steps[status] !== undefined;
  return isKnown ? known : [...known, { status, at: updated_at }];
}

function transitionTo(row: OperationRow, from: OperationStatus, status: Reached, at: Date): Item {
  const [title, usual] = REACHED[status];
  const isLost = status === 'FAILED' && row.provider_status === null;
  const isFunded = from === 'PENDING_FUNDING' && status === 'PENDING_PROVIDER';
  return {
    kind: 'transition',
    at,
    actor: { kind: row.provider_status === null ? 'SERVICE' : 'PROVIDER' },
    title: isFunded ? 'The money or the coins arrived at the provider.' : title,
    rule: isLost ? 'stablecoins.md §5.68' : isFunded ? 'stablecoins.md §5.63' : usual,
    details: { of: 'OPERATION', from, to: status },
  };
}

function ordersOf(row: OperationRow, cause: Cause | undefined): Item[] {
  const order = row.operation_type;
  const asked: Item = {
    kind: 'order',
    at: row.created_at,
    actor: { kind: 'SERVICE' },
    title: `The ${nameOf(row)} was submitted to the provider, once.${becauseOf(cause)}`,
    rule: 'stablecoins.md §6.2',
    details: { order, state: 'ASKED', ...(cause && { causedBy: cause }) },
  };
  if (row.provider_status === null) return [asked];
  return [
    asked,
    {
      kind: 'order',
      at: row.updated_at,
      actor: { kind: 'PROVIDER' },
      title: `The provider’s last answer was “${row.provider_status}”.`,
      details: { order, state: 'ANSWERED', answer: row.provider_status },
    },
  ];
}

function relatedTo(row: OperationRow): Explained['related'] {
  const internal = (id: AccountId | null, relation: string) =>
    id === null ? [] : [{ id: publicId('InternalAccount', id), relation }];
  const external = (id: ExternalAccountId | null, relation: string) =>
    id === null ? [] : [{ id: publicId('ExternalAccount', id), relation }];
  return [
    { id: publicId('Stablecoin', row.stablecoin_id), relation: 'coin' },
    ...internal(row.source_internal, 'source'),
    ...external(row.source_external, 'source'),
    ...internal(row.destination_internal, 'destination'),
    ...external(row.destination_external, 'destination'),
  ];
}
