import type { AskedStatement } from '#capabilities/connectors/apply-events.ts';
import { claimEvents, markApplied } from '#capabilities/connectors/apply-store.ts';
import type { StoredEvent } from '#capabilities/connectors/event-store.ts';
import type { ConnectorRow } from '#capabilities/connectors/row.ts';
import { receiveStatement } from '#capabilities/reconciliation/receive-statement.ts';
import type { ConnectorClient } from '#edge/providers/connectors/client.ts';
import { fetchingKeys } from '#foundation/database/fetching-keys.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { NIL_ID } from '#foundation/lib/ids.ts';

/** Fetches a statement that an event names (bank-files.md §5.1); the event is tried again while it is not there. */
export async function fetchStatement(
  { runtime, client }: { readonly runtime: Runtime; readonly client: ConnectorClient },
  connector: ConnectorRow,
  event: StoredEvent,
  { settlementAccount, date }: AskedStatement,
): Promise<void> {
  const answer = await client.call(connector, 'getStatement', { query: { settlementAccount, date } });
  if (answer.kind !== 'answer') {
    const why = answer.kind === 'silence' ? answer.why : `status ${answer.status}`;
    throw new Error(`the statement of ${settlementAccount} on ${date} cannot be fetched: ${why}`);
  }
  if (answer.body.settlementAccount !== settlementAccount)
    throw new Error(`the connector gives a statement of another account than ${settlementAccount}`);
  const now = new Date(runtime.clock.now());
  await fetchingKeys(runtime.personKeys, NIL_ID, () =>
    runtime.database.transaction(async (run) => {
      if (!(await claimEvents(run, connector.id, [event])).has(event.seq)) return;
      const outcome = await receiveStatement({ run, runtime, now }, connector, answer.body);
      await markApplied(run, event, outcome, now);
    }),
  );
}
