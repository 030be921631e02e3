import type { Area } from '#tests/drills/areas/area.ts';
import type { Deployment } from '#tests/drills/deployment.ts';
import { checkPlatforms } from '#tests/drills/payment-check.ts';
import { PaymentClient } from '#tests/drills/payment-load.ts';
import { openPaymentPlatform } from '#tests/drills/payment-platform.ts';
import { SeededRandom } from '#tests/drills/seeded-random.ts';

/** Payments of all kinds, also those that wait for authorization, compared with a model that knows no faults (money.md §12.11). */
export async function openPayments(
  deployment: Deployment,
  random: SeededRandom,
  count: number,
): Promise<Area> {
  const payments = await openPaymentPlatform(deployment);
  const clients = Array.from({ length: count }, () => {
    return new PaymentClient(payments, new SeededRandom(random.between(0, 2 ** 31)));
  });
  return {
    clients,
    async check() {
      const { events } = await checkPlatforms([payments]);
      return { payments: payments.model.payments.length, 'events of payments': events };
    },
    close: () => payments.platform.receiver.close(),
  };
}
