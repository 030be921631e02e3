import { openAgents } from '#tests/drills/areas/agents.ts';
import type { Area } from '#tests/drills/areas/area.ts';
import { openCards } from '#tests/drills/areas/cards.ts';
import { openCoins } from '#tests/drills/areas/coins.ts';
import { openPayments } from '#tests/drills/areas/payments.ts';
import { requireSound } from '#tests/drills/areas/sound.ts';
import type { Deployment } from '#tests/drills/deployment.ts';
import type { Figures } from '#tests/drills/frame/drill.ts';
import type { SeededRandom } from '#tests/drills/seeded-random.ts';

/** Payments, cards, coins and agents together, each on a platform of its own, with this many clients. */
export async function openAll(deployment: Deployment, random: SeededRandom, clients: number): Promise<Area> {
  const areas: Area[] = [];
  for (const open of [openPayments, openCards, openCoins, openAgents]) {
    areas.push(await open(deployment, random, clients));
  }
  return {
    clients: areas.flatMap((area) => area.clients),
    async check() {
      const figures: Figures[] = [];
      for (const area of areas) figures.push(await area.check());
      await requireSound(deployment);
      return Object.assign({}, ...figures) as Figures;
    },
    close: async () => void (await Promise.all(areas.map((area) => area.close()))),
  };
}
