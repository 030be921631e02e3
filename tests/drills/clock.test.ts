// lane: first — starts several processes

import { it } from 'node:test';
import { clockDrill } from '#tests/drills/clock-drill.ts';
import { briefly } from '#tests/drills/frame/briefly.ts';

it('decision 0043: processes with wrong clocks that jump send no webhook twice, and every payment ends as with right ones', (t) =>
  briefly(t, clockDrill));
