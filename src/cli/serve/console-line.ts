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
  { port, isTerminal }: { readonly port: number; readonly isTerminal: boolean },
): Promise<{ Console?: string }> {
  if (!isTerminal || !settings) return {};
  // By name: browsers treat it as a secure place, which passkeys need, and an IP address not.
  const origin = settings.url ?? publicUrl ?? `http://localhost:${port}`;
  if (origin.startsWith('http:') && !settings.takesPlainHttp) return {};
  const address = await createFirstAddress(runtime, `${origin}/console`);
  return address === undefined ? {} : { Console: address };
}
