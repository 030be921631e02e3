import { nudge } from '#capabilities/connectors/event-store.ts';
import { findConnector, loadSecrets } from '#capabilities/connectors/registry-store.ts';
import { speaksFiles } from '#capabilities/connectors/row.ts';
import { openKeys } from '#edge/providers/connectors/keys.ts';
import type { Door } from '#edge/providers/intake/door.ts';
import { connectorHeaders, verifyRequest } from '#foundation/connector-protocol/signing.ts';
import type { Runtime } from '#foundation/database/tx.ts';

/** connectors.md §7.11. */
const NUDGES_PER_SECOND = 10;
/** The body says nothing, and may be empty. */
const BODY_MAX_BYTES = 4 * 1024;

/** A connector says that it has new events. The call carries none: a worker reads them from the connector's list. */
export function connectorDoor({
  database,
  vault,
  clock,
  names,
  wakeWorker,
}: Pick<Runtime, 'database' | 'vault' | 'clock' | 'names' | 'wakeWorker'>): Door<string> {
  return {
    route: 'POST /connectors/:name/nudge',
    perSecond: NUDGES_PER_SECOND,
    bodyMaxBytes: BODY_MAX_BYTES,
    async verify({ path, params, headers, body }) {
      const { name = '' } = params;
      const connector = await findConnector(database.lookUp, name);
      // A connector by files has no secret, and nobody to nudge for it.
      if (!connector || speaksFiles(connector)) return undefined;
      const now = new Date(clock.now());
      const { verify } = openKeys(vault, await loadSecrets(database.lookUp, connector.id), now);
      const call = { method: 'POST', path, headers, body };
      const key = verifyRequest(verify, call, connectorHeaders(names), now, 'nudge');
      return key && { sender: name, verified: connector.id };
    },
    async receive(id) {
      await nudge(database.query, id, new Date(clock.now()));
      wakeWorker();
    },
  };
}
