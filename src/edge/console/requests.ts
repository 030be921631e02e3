import type { FastifyRequest } from 'fastify';
import type { Static, TObject } from 'typebox';
import type { RequestFacts } from '#foundation/http/caller.ts';
import { badFormat, decodeText, requireJsonObject } from '#foundation/http/read/body.ts';
import type { HttpParts } from '#foundation/http/serve/register.ts';

/** Where the console's own API is. */
export const API = '/console/api';

/** The body of a request to the console's own routes, which are no operations. */
export function readSent<S extends TObject>(
  { body }: FastifyRequest,
  { validate }: Pick<HttpParts, 'validate'>,
  schema: S,
): Static<S> {
  if (!Buffer.isBuffer(body)) throw badFormat('A JSON body is required.');
  const sent = requireJsonObject(decodeText(body));
  validate(schema, sent);
  return sent as Static<S>;
}

/** Records the path of the route without its values, because some are secret or personal. */
export function factsOf({ id, ip: remoteAddress, headers, routeOptions }: FastifyRequest): RequestFacts {
  return { id, remoteAddress, headers, path: routeOptions.url ?? API, search: '' };
}
