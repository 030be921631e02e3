// lane: waits — another PostgreSQL leads only after the lead of the first has run out

import { it } from 'node:test';
import { failoverDrill } from '#tests/drills/failover-drill.ts';
import { briefly } from '#tests/drills/frame/briefly.ts';

it('operating.md, Failover: while the leader of three PostgreSQL fails, nothing acknowledged is lost or counted twice', (t) =>
  briefly(t, failoverDrill));
