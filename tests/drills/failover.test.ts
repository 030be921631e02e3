// lane: waits — another PostgreSQL leads only after the leader's lock has expired

import { it } from 'node:test';
import { failoverDrill } from '#tests/drills/failover-drill.ts';
import { briefly } from '#tests/drills/frame/briefly.ts';

it('operating.md, Failover: while the leader of three PostgreSQL servers fails, no acknowledged change is lost or counted twice', (t) =>
  briefly(t, failoverDrill));
