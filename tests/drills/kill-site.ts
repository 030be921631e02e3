import type { Area } from '#tests/drills/areas/area.ts';
import { requireSound } from '#tests/drills/areas/sound.ts';
import type { DrillRun, Figures } from '#tests/drills/frame/drill.ts';
import { underLoad } from '#tests/drills/payment-load.ts';
import { Site } from '#tests/drills/site.ts';

export interface SiteDrill {
  open(site: Site): Promise<Area>;
  /** The most courses between two kills. */
  readonly coursesMax: number;
  /** Whether leases of the first killed process expire in real time. */
  readonly waitsForLeases: boolean;
}

/**
 * Kills the real server, or its database, with `kill -9` at random moments while an area is under load. Each call is repeated
 * under its key until it is answered. Afterwards the area must equal its model.
 */
export async function killSite(
  run: DrillRun,
  { open, coursesMax, waitsForLeases }: SiteDrill,
): Promise<Figures> {
  const site = await Site.open();
  let area: Area | undefined;
  try {
    area = await open(site);
    await underLoad(area.clients, async (load) => {
      for (let kills = 0; run.continues('kills', kills); kills++) {
        await load.more(run.random.between(2, coursesMax));
        const target = kills % 2 === 0 ? 'server' : 'database';
        await site.kill(target);
        run.say(`kill ${kills + 1}: the ${target} after ${load.done()} courses`);
        await site.start({ isLongAfter: kills > 0 || !waitsForLeases });
      }
      await load.more(10);
    });
    const figures = await area.check();
    await requireSound(site);
    return { kills: site.kills, ...figures };
  } finally {
    await site.close();
    await area?.close();
  }
}
