import { createAddress } from '#edge/console/sessions.ts';
import { findFirstDeveloper } from '#edge/console/store.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { publicId } from '#foundation/lib/ids.ts';

/**
 * Makes an address that signs in to the console for the first sandbox platform (operator.md §9.1). Undefined: there is no
 * such platform, or it has no token.
 */
export async function createFirstAddress(runtime: Runtime, consoleUrl: string): Promise<string | undefined> {
  const developer = await findFirstDeveloper(runtime.database);
  if (!developer) return undefined;
  const { platform, tokenId } = developer;
  const work = new Work(runtime, platform, { kind: 'operator', id: 'start' });
  return work.write(async (tx) => {
    audit(tx, { action: 'console address', resource: publicId('Token', tokenId) });
    return (await createAddress(tx, tokenId, consoleUrl)).url;
  });
}
