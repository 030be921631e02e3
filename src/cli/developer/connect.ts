import type { Corridor, CorridorError, CorridorOptions } from '@corridor/client';
import { type Command, Option } from 'commander';
import { OperatorError, UsageError } from '#cli/failure.ts';
import { parseServerUrl, urlOption, withVersion } from '#cli/server-url.ts';

/** The options of every command for developers: a server, and a token of a platform there. */
export interface ServerOptions {
  readonly url?: string;
  readonly auth?: string;
  readonly json?: boolean;
}

/** Makes a command one for developers. */
export function onServer(command: Command): Command {
  return command
    .addOption(urlOption())
    .addOption(
      new Option(
        '--auth <credentials>',
        'token id and client secret, as <token id>:<client secret>. Prefer the variable: other users of this ' +
          'machine can read arguments',
      ).env('CORRIDOR_AUTH'),
    )
    .option('--json', 'print JSON');
}

/** The client's connection to that server. SERVICE_NAME must be set for a service that has a name of its own. */
export function readConnection({ url, auth }: ServerOptions): CorridorOptions {
  // The id may have a colon of its own: Token:<uuid>.
  const [, tokenId, clientSecret] = auth?.trim().match(/^(.+):(.+)$/) ?? [];
  if (url === undefined || auth === undefined) {
    throw new UsageError(
      `${url === undefined ? 'CORRIDOR_URL' : 'CORRIDOR_AUTH'} is not set: paste the line that "npm start" printed as ` +
        '"In a shell", or give --url and --auth',
    );
  }
  if (!tokenId || !clientSecret) {
    throw new UsageError('--auth (or CORRIDOR_AUTH) must be <token id>:<client secret>');
  }
  const { SERVICE_NAME: serviceName } = process.env;
  return {
    baseUrl: withVersion(parseServerUrl(url.trim()), serviceName),
    tokenId,
    clientSecret,
    ...(serviceName !== undefined && { serviceName }),
  };
}

/** Runs a command against its server, and explains a refusal of the server. */
export async function asDeveloper(
  options: ServerOptions,
  act: (corridor: Corridor) => Promise<void>,
): Promise<void> {
  const connection = readConnection(options);
  // Loaded here, so that the other commands start quickly.
  const { createCorridor, CorridorError } = await import('@corridor/client');
  try {
    await act(createCorridor(connection));
  } catch (error) {
    throw error instanceof CorridorError ? explainCall(error, connection) : error;
  }
}

/** Explains a failed call: code and reason, every bad field, and the request id. */
export function explainCall(
  error: CorridorError,
  { baseUrl }: Pick<CorridorOptions, 'baseUrl'>,
): OperatorError {
  const { code, reason, status, requestId } = error;
  const { origin } = new URL(baseUrl);
  if (code === 'CONNECTION_FAILED') {
    const cause = failureCode(error);
    if (cause?.startsWith('ERR_SSL')) {
      return new OperatorError(`${origin} answers, but not over TLS: should its address begin with http:?`);
    }
    return new OperatorError(
      `${origin} does not answer${cause ? ` (${cause})` : ''}: start it with "npm start", or name another server with ` +
        '--url or CORRIDOR_URL.',
    );
  }
  if (code === 'TIMEOUT') return new OperatorError(`${origin} did not answer in time.`);
  const fields = error.errors.map(({ field, message }) => `${field}: ${message}`);
  // If there is a single field, the reason is often the same sentence.
  const isSaid = fields.length === 1 && fields[0] === reason;
  const request = requestId === undefined ? '' : ` (request ${requestId})`;
  return new OperatorError(`${status} ${code}: ${reason}${request}`, {
    more: [...(isSaid ? [] : fields.map((field) => `  ${field}`)), ...hintsOf(error)],
  });
}

/** The system's error code, such as `ECONNREFUSED`. */
export function failureCode({ cause }: CorridorError): string | undefined {
  const inner = cause instanceof Error ? cause.cause : undefined;
  return inner instanceof Error && 'code' in inner ? String(inner.code) : undefined;
}

function hintsOf({ code, status, reason, details }: CorridorError): string[] {
  if (code === 'WEBHOOK_ENDPOINT_NOT_SET') {
    return [
      'This needs a receiver that answers: give your platform a webhook endpoint (PATCH /config with webhookEndpoint), or run',
      '  corridor listen --forward-to http://localhost:3000/hooks',
    ];
  }
  if (details.cause === 'WEBHOOK_ENDPOINT_NOT_SET') {
    return [
      'Give your platform a webhook endpoint first: PATCH /config with webhookEndpoint. Without a public address',
      '"corridor listen --forward-to http://localhost:3000/hooks" delivers every event except this one.',
    ];
  }
  if (status === 401) {
    return [
      '--auth or CORRIDOR_AUTH must be the id and the secret of a token of this server, as <id>:<secret>.',
    ];
  }
  // Commands call existing paths only, so a missing path means a wrong address.
  if (code === 'UNEXPECTED_REPLY' || (status === 404 && reason.startsWith('There is no such path'))) {
    return ['Is this the address of the API? "npm start" prints it as "Base URL".'];
  }
  return [];
}
