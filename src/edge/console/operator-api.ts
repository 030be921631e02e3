import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findPlatform } from '#foundation/database/platforms.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import type { OperatorCaller } from '#foundation/http/caller.ts';
import { checkOperator } from '#foundation/http/declare/check-operator.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { findPlatformIdByResource, isFindable } from '#foundation/http/resource-platform-store.ts';
import { type HttpParts, registerOperations } from '#foundation/http/serve/register.ts';
import { parseId } from '#foundation/lib/ids.ts';
import { INSTALLATION, type Platform } from '#foundation/lib/platform.ts';
import { notFound, Refusal } from '#foundation/lib/refusals.ts';

/** An operator as the session knows them; the operation adds the platform. */
export type SignedInOperator = Omit<OperatorCaller, 'platform'>;

/** Finds the operator of a request's session, or says why it is refused. */
export type FindOperator = (request: FastifyRequest) => Promise<SignedInOperator | Refusal>;

export interface OperatorApiParts extends HttpParts {
  operatorOperations(): readonly NamedOperation[];
}

/** Serves the operators' operations for the operator behind the session (operator.md §6). */
export function registerOperatorApi(
  scope: FastifyInstance,
  prefix: string,
  findOperator: FindOperator,
  parts: OperatorApiParts,
): void {
  registerOperations(scope, parts.operatorOperations(), parts, {
    prefix,
    async identify(operation, request) {
      const operator = await findOperator(request);
      if (operator instanceof Refusal) return operator;
      const refusal = checkOperator(operation, { ...operator, platform: INSTALLATION }, parts.runtime.clock);
      if (refusal) return refusal;
      const platform = await findCalledPlatform(operation, request, parts.runtime);
      return platform instanceof Refusal ? platform : { ...operator, platform };
    },
  });
}

/** The platform of the resource that the path names first. */
async function findCalledPlatform(
  { operator, params = {} }: NamedOperation,
  request: FastifyRequest,
  { database }: Runtime,
): Promise<Platform | Refusal> {
  if (operator?.on !== 'resource') return INSTALLATION;
  const [name, rule] = Object.entries(params)[0] ?? [];
  if (name === undefined || rule === undefined || !('id' in rule) || !isFindable(rule.id)) {
    throw new Error('the path of an operation on a resource begins with an id that leads to a platform');
  }
  const id = parseId(rule.id, (request.params as Record<string, string>)[name] ?? '');
  const platformId = id && (await findPlatformIdByResource(database, rule.id, id));
  if (platformId === INSTALLATION.id) return INSTALLATION;
  const platform = platformId && (await findPlatform(database.query, platformId));
  return platform ?? notFound(rule.missing, rule.id);
}
