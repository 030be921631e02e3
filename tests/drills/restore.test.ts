// lane: waits — starts, stops and restores databases

import { it } from 'node:test';
import { briefly } from '#tests/drills/frame/briefly.ts';
import { restoreDrill } from '#tests/drills/restore-drill.ts';

it('a restore to a moment lacks exactly what was committed later, and repeated calls take effect once', (t) =>
  briefly(t, restoreDrill));
