import Type, { type Static } from 'typebox';
import {
  parseUntil,
  presentDue,
  readDuePage,
  requireDue,
  SandboxClockDueItem,
  SandboxClockDueListResponse,
  SandboxClockDueQuery,
} from '#edge/sandbox/clock-due.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { CallWork } from '#foundation/http/declare/call-work.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { Replay } from '#foundation/http/idempotency/idempotency.ts';
import { restartKeyLife } from '#foundation/http/idempotency/store.ts';
import { pageRequest } from '#foundation/http/paging.ts';
import { component, dateTime } from '#foundation/http/schema.ts';
import {
  advanceClock,
  advanceClockTo,
  type ClockReading,
  finishAdvance,
  readClock,
  type SettlingWorker,
} from '#foundation/jobs/advance-clock.ts';
import type { DueSource, ListedDue } from '#foundation/jobs/due.ts';
import { EXAMPLE_IDS, EXAMPLE_TIME, exampleTime } from '#foundation/lib/examples.ts';
import { invalidFields } from '#foundation/lib/refusals.ts';

const YEAR_SECONDS = 31_536_000;

const SandboxClock = component('SandboxClock', "A sandbox platform's own clock.", {
  now: dateTime({ description: 'The platform’s current time.' }),
  offsetSeconds: Type.Integer({
    minimum: 0,
    description: 'How far the clock is ahead of real time.',
    examples: [360],
  }),
});

const SandboxClockAdvanceReply = component(
  'SandboxClockAdvanceReply',
  "A sandbox platform's own clock after a move.",
  {
    ...SandboxClock.properties,
    /** With `until`: what the clock was moved to. */
    reached: Type.Optional(SandboxClockDueItem),
  },
);

const SandboxClockAdvanceRequest = component(
  'SandboxClockAdvanceRequest',
  'How far to move the clock: by `seconds`, or `until` something that is due.',
  {
    seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: YEAR_SECONDS,
        description: 'How far to move the clock ahead; a year at most.',
        examples: [360],
      }),
    ),
    until: Type.Optional(
      Type.String({
        description:
          '`next` moves to the first item of `GET /sandbox/clock/due`; the id of an item moves to that item. The clock stops ' +
          'exactly at its time, and the item happens. Beyond the contract.',
        examples: ['next'],
        'x-beyond-contract': true,
      }),
    ),
  },
);
type SandboxClockAdvanceRequest = Static<typeof SandboxClockAdvanceRequest>;

const EXAMPLE_CURSOR = 'WyJBUUFBQUFIIl0.b0mOaNbFqkJwBMuLBVbOaXvu';

const PAYOUT_DUE = {
  id: EXAMPLE_IDS.paymentDue,
  dueAt: exampleTime(5),
  resourceId: EXAMPLE_IDS.payment,
  kind: 'Transaction',
  sentence: `The rail reports the payout of ${EXAMPLE_IDS.payment} as settled.`,
};

const RESET_DUE = {
  id: EXAMPLE_IDS.resetDue,
  dueAt: exampleTime(62),
  resourceId: EXAMPLE_IDS.totpReset,
  kind: 'ScaReset',
  sentence: `The provider decides the liveness check of the reset ${EXAMPLE_IDS.totpReset}.`,
};

interface ClockParts {
  readonly worker: SettlingWorker;
  dueSources(): readonly DueSource[];
}

/** The platform's clock (platform.md §1.5). */
export function clockOperations(parts: ClockParts) {
  return [
    operation('getSandboxClock', {
      route: 'GET /sandbox/clock',
      area: 'Sandbox',
      summary: 'Read the clock',
      description:
        "Returns the platform's business time. It runs at the speed of real time, ahead of it by the amount it was moved.",
      access: 'view',
      sandboxOnly: true,
      reply: SandboxClock,
      codes: [],
      examples: { 'A clock that was not moved': { reply: { now: EXAMPLE_TIME, offsetSeconds: 0 } } },
      read: async (tx) => present(readClock(tx)),
    }),
    operation('listSandboxClockDue', {
      route: 'GET /sandbox/clock/due',
      area: 'Sandbox',
      summary: 'List what is due next',
      description:
        'Lists what will happen on the platform’s clock, the earliest first: steps of payments, cards and coins, retries of ' +
        'webhooks, and quotes, holds, codes, sessions and links that expire. Each item says in one sentence what will ' +
        'happen. Work that is already due is not listed, because it is happening now. The service’s own upkeep is not listed either.',
      access: 'view',
      sandboxOnly: true,
      isBeyondContract: true,
      query: SandboxClockDueQuery,
      reply: SandboxClockDueListResponse,
      codes: [],
      examples: {
        'The payout of a payment': {
          query: { limit: 1 },
          reply: { data: [PAYOUT_DUE], hasMore: true, nextCursor: EXAMPLE_CURSOR },
        },
      },
      read: (tx, { query }) => readDuePage(tx, pageRequest('listSandboxClockDue', query), parts.dueSources()),
    }),
    advanceOperation(parts),
  ];
}

function advanceOperation(parts: ClockParts) {
  return operation('advanceSandboxClock', {
    route: 'POST /sandbox/clock/advance',
    area: 'Sandbox',
    summary: 'Move the clock ahead',
    description:
      'Runs all work of this platform that falls due on the way, in order and at its time. The call answers when that ' +
      'work is finished and each due webhook was attempted. An endpoint that fails or is slow delays the answer by ' +
      'two seconds in all. The clock never goes back. Send `until` instead of `seconds` to move to an item ' +
      'that is due. Each of several concurrent calls moves the clock no further than the item that it found.',
    access: 'manage',
    sandboxOnly: true,
    body: SandboxClockAdvanceRequest,
    reply: SandboxClockAdvanceReply,
    codes: ['INVALID_INPUT', 'NOT_FOUND', 'CONFLICT'],
    examples: {
      'Five seconds': { body: { seconds: 5 }, reply: { now: exampleTime(5), offsetSeconds: 5 } },
      'To what is due next': {
        body: { until: 'next' },
        reply: { now: exampleTime(62), offsetSeconds: 62, reached: RESET_DUE },
      },
    },
    handle: (work, { body }) => moveClock(work, parts, body),
  });
}

/**
 * One idempotency key moves the clock once (platform.md §1.5.4); a retry completes a move that was interrupted.
 */
async function moveClock(work: CallWork, parts: ClockParts, body: SandboxClockAdvanceRequest) {
  const { key } = work;
  const finish = async (reading: ClockReading, tx: Tx) => {
    if (key) await restartKeyLife(tx, key, reading.now);
    return present(reading);
  };
  try {
    return await choose(work, parts, body, finish);
  } catch (error) {
    if (error instanceof Replay) await finishAdvance(work, parts.worker);
    throw error;
  }
}

type Finish = (reading: ClockReading, tx: Tx) => Promise<Static<typeof SandboxClockAdvanceReply>>;

/** Moves the clock by an amount, or to something that is due. */
function choose(
  work: CallWork,
  { worker, dueSources }: ClockParts,
  { seconds, until }: SandboxClockAdvanceRequest,
  finish: Finish,
): Promise<Static<typeof SandboxClockAdvanceReply>> {
  if (until === undefined) {
    if (seconds !== undefined) return advanceClock(work, worker, seconds, finish);
    throw invalidFields([{ field: 'seconds', message: 'is required, unless `until` is given' }]);
  }
  if (seconds !== undefined) {
    throw invalidFields([{ field: 'until', message: 'cannot be combined with `seconds`' }]);
  }
  const asked = parseUntil(until);
  let reached: Omit<ListedDue, 'source' | 'key'> | undefined;
  return advanceClockTo(
    work,
    worker,
    async (tx) => {
      reached = await requireDue(tx, dueSources(), asked);
      return reached.dueAt;
    },
    async (reading, tx) => ({
      ...(await finish(reading, tx)),
      ...(reached && { reached: presentDue(reached) }),
    }),
  );
}

function present({ now, offsetSeconds }: ClockReading) {
  return { now: now.toISOString(), offsetSeconds };
}
