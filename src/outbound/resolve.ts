import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';

/** All addresses of a host name. */
export type Resolve = (hostname: string) => Promise<string[]>;

/**
 * Asks the name server without the thread pool that `dns.lookup` shares with everything else: names whose
 * server does not answer would fill it and hold up the deliveries of others. Only a name that no server
 * knows goes to the system's own look-up, for the hosts file and search domains.
 */
export function createResolve(): Resolve {
  const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 });
  return async (hostname) => {
    const bare = hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(bare) !== 0) return [bare];
    // RFC 6761: never anything else.
    if (/(^|\.)localhost\.?$/i.test(bare)) return ['127.0.0.1', '::1'];
    const answers = await Promise.allSettled([resolver.resolve4(bare), resolver.resolve6(bare)]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length > 0) return found;
    if (!answers.every(isUnknownName)) throw new Error('the host name could not be resolved');
    const entries = await dns.lookup(bare, { all: true, verbatim: true });
    return entries.map((entry) => entry.address);
  };
}

const UNKNOWN: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

function isUnknownName(answer: PromiseSettledResult<string[]>): boolean {
  return answer.status === 'rejected' && UNKNOWN.has((answer.reason as { code?: unknown }).code);
}
