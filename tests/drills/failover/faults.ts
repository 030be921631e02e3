import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Member } from '#tests/drills/failover/member.ts';
import type { PatroniSite } from '#tests/drills/failover/patroni-site.ts';
import type { SeededRandom } from '#tests/drills/seeded-random.ts';

/** Causes a fault of the leader. It returns when the member may take part again. */
type Strike = (site: PatroniSite, leader: Member, random: SeededRandom) => Promise<void>;

/** Shorter than the time after which another member takes the lead. */
const SHORT_MS = 8_000;
const LONGER_MS = 3_000;

/** All faults, in the order in which they happen first. */
export const FAULTS: Readonly<Record<string, Strike>> = {
  'PostgreSQL killed': (_site, leader) => leader.killPostgres(),
  'switched over': switchOver,
  'cut off': async (site, leader, random) => {
    leader.cutOff();
    await lastAWhile(site, leader, random);
    leader.reconnect();
  },
  stopped: async (site, leader, random) => {
    const goOn = await leader.freeze();
    await lastAWhile(site, leader, random);
    goOn();
  },
  'Patroni killed': async (site, leader) => {
    await leader.killPatroni();
    await site.successorOf(leader);
    await leader.startPatroni();
  },
  'machine killed': async (site, leader, random) => {
    await leader.killPatroni();
    await leader.killPostgres();
    await lastAWhile(site, leader, random);
    await leader.startPatroni();
  },
  'disk full': async (_site, leader, random) => {
    await leader.disk.fill();
    await delay(random.between(LONGER_MS, SHORT_MS));
    await leader.disk.makeRoom();
  },
};

/** Returns the faults that are possible here: the drill can fill a disk only if the user may mount one. */
export function possibleFaults(site: PatroniSite): string[] {
  return Object.keys(FAULTS).filter((kind) => kind !== 'disk full' || site.canFillDisks);
}

/** Patroni refuses while it has no synchronous standby, which may be so for a moment. */
async function switchOver(_site: PatroniSite, leader: Member): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { status, text } = await leader.switchOver();
    if (status === 200) return;
    assert.ok(tries < 60, `${leader.name} does not hand over: ${status} ${text}`);
    await delay(1_000);
  }
}

/** Waits until another member has led for a moment, or for a shorter time. */
async function lastAWhile(site: PatroniSite, leader: Member, random: SeededRandom): Promise<void> {
  if (random.between(0, 3) === 0) return void (await delay(random.between(100, SHORT_MS)));
  await site.successorOf(leader);
  await delay(random.between(0, LONGER_MS));
}
