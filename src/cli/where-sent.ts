import type { Receiver } from '#platform/listener-store.ts';

/** Where something that is sent again goes (platform.md §4.7.4), for the end of a sentence. */
export function whereSent(sentTo: readonly Receiver[]): string {
  const [hasEndpoint, hasListeners] = [sentTo.includes('ENDPOINT'), sentTo.includes('LISTENERS')];
  if (hasEndpoint)
    return hasListeners ? ' to the webhook endpoint and to listeners' : ' to the webhook endpoint';
  if (hasListeners) return ' to listeners; there is no webhook endpoint';
  return ', to nobody: there is no webhook endpoint, and nobody listens ("corridor listen" does, in a sandbox)';
}
