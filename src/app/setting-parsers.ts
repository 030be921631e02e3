import { isIP } from 'node:net';
import type { ListedOrigin } from '#foundation/crypto/webauthn.ts';

// Parsers for the settings (src/app/config.ts): each returns the value, or undefined if the text is invalid.

export function parseRegion(text: string): string | undefined {
  return /^[a-z0-9-]{1,64}$/.test(text) ? text : undefined;
}

export function parseBoolean(text: string): boolean | undefined {
  return { true: true, false: false }[text];
}

export function parseVisibleAscii(text: string): string | undefined {
  return /^[\x21-\x7e]{1,255}$/.test(text) ? text : undefined;
}

export function parseSecret(text: string): string | undefined {
  return /^[\x21-\x7e]{32,255}$/.test(text) ? text : undefined;
}

export function parseInteger(min: number, max: number): (text: string) => number | undefined {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  };
}

export function parseHost(text: string): string | undefined {
  return /^[A-Za-z0-9._:%-]{1,253}$/.test(text) ? text : undefined;
}

/** Whether only this machine can reach a server that listens there. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** An app's origin may contain an equals sign; the text after the last one is its relying party. */
export function parseOrigins(text: string): ListedOrigin[] | undefined {
  const listed = text.split(',').map((entry) => {
    const [, origin, domain] = /^\s*(\S+)=([^\s=]+)\s*$/.exec(entry) ?? [];
    const rpId = domain === undefined ? undefined : parseDomain(domain);
    return origin === undefined || rpId === undefined ? undefined : { origin, rpId };
  });
  return listed.includes(undefined) ? undefined : (listed as ListedOrigin[]);
}

export function parseNetworks(text: string): string[] | undefined {
  const names = text.split(',').map((name) => name.trim());
  return names.every(isNetwork) ? names : undefined;
}

/** `/0` is refused: if every address were trusted, any client could claim to be another. */
function isNetwork(name: string): boolean {
  const [address = '', bits = '1', ...more] = name.split('/');
  const bitsMax = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return more.length === 0 && parseInteger(1, bitsMax)(bits) !== undefined;
}

export function parseFolder(text: string): string | undefined {
  return text.includes('\0') || text.trim() === '' ? undefined : text;
}

export function parseServiceName(text: string): string | undefined {
  return /^[A-Z][A-Za-z0-9]{0,31}$/.test(text) ? text : undefined;
}

export function parseDomain(text: string): string | undefined {
  const lower = text.toLowerCase();
  const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
  return lower.length <= 253 && new RegExp(`^${label}(\\.${label})+$`).test(lower) ? lower : undefined;
}

export function parseDomains(text: string): string[] | undefined {
  const names = text.split(',').map((name) => parseDomain(name.trim()));
  const known = names.filter((name) => name !== undefined);
  return new Set(known).size === names.length ? known : undefined;
}

export function parsePostgresUrl(text: string): string | undefined {
  const url = URL.parse(text);
  const isPostgres = url?.protocol === 'postgres:' || url?.protocol === 'postgresql:';
  return isPostgres && url.pathname.length > 1 ? text : undefined;
}

export function parseOrigin(text: string): string | undefined {
  const url = URL.parse(text);
  const isBare = url && url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password;
  return isBare && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}
