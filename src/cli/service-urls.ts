import type { Config } from '#app/config.ts';
import { printLine } from '#cli/print.ts';
import { parseServerUrl, withVersion } from '#cli/server-url.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';

/** The guides begin with this line, and the commands for developers need it. */
export function shellLine(baseUrl: string, user: string): string {
  return `export CORRIDOR_URL=${baseUrl} CORRIDOR_AUTH=${user}; export API=$CORRIDOR_URL AUTH=$CORRIDOR_AUTH`;
}

/** The address of a server on this machine. */
export function serverOrigin(host: string, port: number): string {
  // The wildcard address cannot be called, so the URL names this machine.
  const name = /^(0\.0\.0\.0|::)$/.test(host) ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

export function serverBaseUrl(origin: string, { publicUrl, serviceName }: Config): string {
  return `${publicUrl ?? origin}${wireNames(serviceName).basePath}`;
}

/** Prints new credentials with the line that a developer pastes to use them. */
export async function printNewCredentials(config: Config, user: string): Promise<void> {
  const baseUrl = await findBaseUrl(config);
  printLine(
    'The secret is shown only once: keep it. For the guides and the commands for developers, in a shell:',
  );
  if (baseUrl !== undefined) {
    printLine(`  ${shellLine(baseUrl, user)}`);
    return;
  }
  // The server may run on another PORT: a guess could send the secret to another program.
  printLine(`  export CORRIDOR_AUTH=${user} AUTH=${user}`);
  printLine(
    `No server answers at ${serverOrigin(config.host, config.port)} (HOST, PORT): set CORRIDOR_URL and API to the "Base URL" that your server prints when it starts.`,
  );
}

/** The configured public URL, or else the first of CORRIDOR_URL and HOST:PORT at which a server answers. */
async function findBaseUrl(config: Config): Promise<string | undefined> {
  const origin = serverOrigin(config.host, config.port);
  if (config.publicUrl !== undefined) return serverBaseUrl(origin, config);
  const known = knownUrl();
  if (known !== undefined && (await isAnswering(new URL(known).origin))) {
    return withVersion(known, config.serviceName);
  }
  return (await isAnswering(origin)) ? serverBaseUrl(origin, config) : undefined;
}

/** The CORRIDOR_URL of the commands for developers; nothing if they would refuse it. */
function knownUrl(): string | undefined {
  const text = process.env.CORRIDOR_URL?.trim();
  try {
    return text === undefined ? undefined : parseServerUrl(text);
  } catch {
    return undefined;
  }
}

/** A port without a listener refuses at once; only a busy machine takes long. */
const PROBE_MS = 10_000;

async function isAnswering(origin: string): Promise<boolean> {
  try {
    const reply = await fetch(`${origin}/health/live`, { signal: AbortSignal.timeout(PROBE_MS) });
    return reply.ok && (await reply.json()).status === 'live';
  } catch {
    return false;
  }
}
