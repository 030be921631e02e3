import type { Platform } from '#foundation/lib/platform.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import type { Ports } from '#foundation/ports/ports.ts';

/** stablecoins.md §6.21: for every operation that would change something. */
export function checkStablecoinsAvailable(_platform: Platform, { stablecoins }: Ports): Refusal | undefined {
  if (stablecoins.isConnected) return undefined;
  return new Refusal('NOT_IMPLEMENTED', 'No stablecoin provider is connected.');
}

export function providerUnavailable(): Refusal {
  return new Refusal(
    'STABLECOIN_PROVIDER_ERROR',
    'The provider cannot be reached or does not answer. Try again later.',
  );
}
