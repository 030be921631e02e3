import type { Receiver } from '#capabilities/platform/listener-store.ts';
import { reportProgress } from '#cli/print.ts';

/** Names the receivers of a resent event (platform.md §4.7.4), for the end of a sentence. */
export function describeReceivers(sentTo: readonly Receiver[]): string {
  const [hasEndpoint, hasListeners] = [sentTo.includes('ENDPOINT'), sentTo.includes('LISTENERS')];
  if (hasEndpoint)
    return hasListeners ? ' to the webhook endpoint and to listeners' : ' to the webhook endpoint';
  if (hasListeners) return ' to listeners; there is no webhook endpoint';
  return ', to no receiver: there is no webhook endpoint and no listener (in a sandbox, "corridor listen" is one)';
}

/** Why no endpoint received an event, and which receivers did (platform.md §4.2.5, §4.8.2). */
const SKIPPED =
  'the platform had no webhook endpoint when it was due. In a sandbox, a listener of that time ("corridor listen") ' +
  'received it all the same';

/** The state of one event, explained to readers who do not know the rules. */
export function showState(state: string): string {
  return state === 'SKIPPED' ? `${state}: ${SKIPPED}` : state;
}

/** Prints the explanation once below a table, on standard error. */
export function explainStates(events: readonly { readonly state: string }[]): void {
  if (events.some(({ state }) => state === 'SKIPPED')) reportProgress(`${showState('SKIPPED')}.`);
}
