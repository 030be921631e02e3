// lane: first — kills processes and databases under load

import { it } from 'node:test';
import { briefly } from '#tests/drills/frame/briefly.ts';
import { hostileDrill } from '#tests/drills/hostile-drill.ts';
import { importDrill } from '#tests/drills/import-drill.ts';
import { processDrill } from '#tests/drills/process-drill.ts';
import { simulatorDrill } from '#tests/drills/simulator-drill.ts';
import { webhookDrill } from '#tests/drills/webhook-drill.ts';

it('decision 0018: two API processes and two workers under contention end as the model, without a deadlock', (t) =>
  briefly(t, processDrill));

it('platform.md §4.2.4: the webhooks of each resource arrive in order across an outage and a kill', (t) =>
  briefly(t, webhookDrill));

it('a file of customers is imported once across a kill', (t) => briefly(t, importDrill));

it('broken requests leave nothing in memory, and answers for everyone else', (t) => briefly(t, hostileDrill));

it('decision 0037: the simulator runs in batches', (t) => briefly(t, simulatorDrill));
