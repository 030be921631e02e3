// lane: waits — the service notices a moved clock, and its workers look for due work, by real time

import { it } from 'node:test';
import { briefly } from '#tests/drills/frame/briefly.ts';
import { soakDrill } from '#tests/drills/soak-drill.ts';

it('while a month passes, nothing stays due, old rows are deleted, and memory, connections and tables do not grow', (t) =>
  briefly(t, soakDrill));
