import type { FastifyError, FastifyRequest } from 'fastify';
import type { AgentApi, ApiCall, ApiReply } from '#edge/mcp/agent-api.ts';
import type { Caller } from '#foundation/http/caller.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { readKey } from '#foundation/http/idempotency/idempotency.ts';
import type { Perform } from '#foundation/http/perform/perform.ts';
import type { Validator } from '#foundation/http/read/validate.ts';
import { toRefusal } from '#foundation/http/serve/errors.ts';
import { readPlainCall } from '#foundation/http/serve/read-call.ts';
import type { WireNames } from '#foundation/lib/wire-names.ts';

export interface PerformedApiParts {
  operations(): readonly NamedOperation[];
  readonly perform: Perform;
  readonly validate: Validator;
  readonly names: WireNames;
}

/** Performs the agent's operations in this process for the caller of this request, like a call over their routes. */
export function performedApi(parts: PerformedApiParts, request: FastifyRequest, caller: Caller): AgentApi {
  return async (route, call = {}) => {
    const operation = parts.operations().find((one) => one.route === route);
    if (!operation) throw new Error(`there is no operation ${route}`);
    try {
      return await perform(parts, operation, call, request, caller);
    } catch (error) {
      const refusal = toRefusal(error as FastifyError, request);
      return { status: refusal.status, body: refusal.body(), isRepeated: false };
    }
  };
}

async function perform(
  parts: PerformedApiParts,
  operation: NamedOperation,
  { key, ...plain }: ApiCall,
  { id, ip: remoteAddress, headers }: FastifyRequest,
  caller: Caller,
): Promise<ApiReply> {
  const call = readPlainCall(operation, plain, parts);
  const reply = await parts.perform(operation, {
    ...call,
    caller,
    key: readKey(key, false),
    request: { id, remoteAddress, headers, path: '/mcp', search: '' },
  });
  const body: unknown = reply.body === '' ? {} : JSON.parse(parts.names.outgoing(reply.body));
  return { status: reply.status, body, isRepeated: reply.isReplayed ?? false };
}
