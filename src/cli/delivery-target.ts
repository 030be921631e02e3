import type { Receiver } from '#capabilities/platform/listener-store.ts';
import { reportProgress } from '#cli/print.ts';

/** Where something that is sent again goes (platform.md §4.7.4), for the end of a sentence. */
export function whereSent(sentTo: readonly Receiver[]): string {
  const [hasEndpoint, hasListeners] = [sentTo.includes('ENDPOINT'), sentTo.includes('LISTENERS')];
  if (hasEndpoint)
    return hasListeners ? ' to the webhook endpoint and to listeners' : ' to the webhook endpoint';
  if (hasListeners) return ' to listeners; there is no webhook endpoint';
  return ', to nobody: there is no webhook endpoint, and nobody listens ("corridor listen" does, in a sandbox)';
}

/** Why no endpoint was told of an event, and who may know of it all the same (platform.md §4.2.5, §4.8.2). */
const SKIPPED =
  'there was no webhook endpoint to send it to when it was due. In a sandbox, whoever listened then ("corridor listen") ' +
  'heard it all the same';

/** The state of one event for people, who need not know the rules. */
export function showState(state: string): string {
  return state === 'SKIPPED' ? `${state}: ${SKIPPED}` : state;
}

/** The same below a table, once, on standard error. */
export function explainStates(events: readonly { readonly state: string }[]): void {
  if (events.some(({ state }) => state === 'SKIPPED')) reportProgress(`${showState('SKIPPED')}.`);
}
