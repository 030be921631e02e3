import Type from 'typebox';
import type { CallWork } from '#foundation/http/declare/call-work.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { Replay } from '#foundation/http/idempotency/idempotency.ts';
import { restartKeyLife } from '#foundation/http/idempotency/store.ts';
import { component, dateTime } from '#foundation/http/schema.ts';
import {
  advanceClock,
  type ClockReading,
  finishAdvance,
  readClock,
  type SettlingWorker,
} from '#foundation/jobs/advance-clock.ts';
import { EXAMPLE_TIME, exampleTime } from '#foundation/lib/examples.ts';

const YEAR_SECONDS = 31_536_000;

const SandboxClock = component('SandboxClock', "A sandbox platform's own clock.", {
  now: dateTime({ description: 'The platform’s current time.' }),
  offsetSeconds: Type.Integer({
    minimum: 0,
    description: 'How far the clock is ahead of real time.',
    examples: [360],
  }),
});

const SandboxClockAdvanceRequest = component('SandboxClockAdvanceRequest', 'How far to move the clock.', {
  seconds: Type.Integer({
    minimum: 1,
    maximum: YEAR_SECONDS,
    description: 'How far to move the clock ahead; a year at most.',
    examples: [360],
  }),
});

/** The platform's clock (platform.md §1.5). */
export function clockOperations(worker: SettlingWorker) {
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
    operation('advanceSandboxClock', {
      route: 'POST /sandbox/clock/advance',
      area: 'Sandbox',
      summary: 'Move the clock ahead',
      description:
        'Runs all work of this platform that falls due on the way, in order and at its time. The call answers when that ' +
        'work is finished and each due webhook was attempted. An endpoint that fails or is slow delays the answer by ' +
        'two seconds in all. The clock never goes back.',
      access: 'manage',
      sandboxOnly: true,
      body: SandboxClockAdvanceRequest,
      reply: SandboxClock,
      codes: ['INVALID_INPUT', 'CONFLICT'],
      examples: {
        'Five seconds': { body: { seconds: 5 }, reply: { now: exampleTime(5), offsetSeconds: 5 } },
      },
      handle: (work, { body }) => moveClock(work, worker, body.seconds),
    }),
  ];
}

/**
 * One idempotency key moves the clock once (platform.md §1.5.4); a retry completes a move that was interrupted.
 */
async function moveClock(work: CallWork, worker: SettlingWorker, seconds: number) {
  const { key } = work;
  try {
    return await advanceClock(work, worker, seconds, async (reading, tx) => {
      if (key) await restartKeyLife(tx, key, reading.now);
      return present(reading);
    });
  } catch (error) {
    if (error instanceof Replay) await finishAdvance(work, worker);
    throw error;
  }
}

function present({ now, offsetSeconds }: ClockReading) {
  return { now: now.toISOString(), offsetSeconds };
}
