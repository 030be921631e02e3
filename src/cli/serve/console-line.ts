import type { Config } from '#app/config.ts';
import { createFirstAddress } from '#edge/console/first-address.ts';
import type { Runtime } from '#foundation/database/tx.ts';

/**
 * The *Console* line of a start: an address that signs in once. It is a secret, so only a terminal shows it, and only if
 * the console answers there (operator.md §9.1).
 */
export async function consoleLine(
  runtime: Runtime,
  { console: settings, publicUrl }: Pick<Config, 'console' | 'publicUrl'>,
  { origin, isTerminal }: { readonly origin: string; readonly isTerminal: boolean },
): Promise<{ Console?: string }> {
  if (!isTerminal || !settings) return {};
  const place = settings.url ?? publicUrl ?? onLocalhost(origin);
  if (place.startsWith('http:') && !settings.takesPlainHttp) return {};
  const address = await createFirstAddress(runtime, `${place}/console`);
  return address === undefined ? {} : { Console: address };
}

/** The server by the machine's name: passkeys do not work on an IP address. */
function onLocalhost(origin: string): string {
  const url = new URL(origin);
  url.hostname = 'localhost';
  return url.origin;
}
