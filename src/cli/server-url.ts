import { Option } from 'commander';
import { UsageError } from '#cli/failure.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';

/** The server of a command that needs no database of its own. */
export function urlOption(): Option {
  return new Option('--url <url>', 'the base URL of the API, with its version').env('CORRIDOR_URL');
}

/** Returns it without its last slash. Requires https, because credentials are sent there. */
export function parseServerUrl(text: string): string {
  const url = URL.parse(text);
  const isLocal = url && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (!url || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal))) {
    throw new UsageError('--url (or CORRIDOR_URL) must be an https URL, or an http URL of this machine');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new UsageError('--url (or CORRIDOR_URL) must have no credentials, query or fragment in it');
  }
  return url.href.replace(/\/$/, '');
}

/** Adds the API's path to an address without one. The client would, too, but commands print the address. */
export function withVersion(url: string, serviceName = 'Svc'): string {
  return new URL(url).pathname === '/' ? `${url}${wireNames(serviceName).basePath}` : url;
}
