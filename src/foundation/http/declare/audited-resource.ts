import { isPublicId } from '#foundation/lib/ids.ts';
import { isObject } from '#foundation/lib/is-object.ts';

/**
 * The resource in a call's audit row: the one in its reply, which the call may have created; else the last one in its
 * path; else the path itself.
 */
export function auditedResource(body: unknown, path: string): string {
  // Clients may write the colon of an id as %3A.
  const words = path.split('/').map((word) => word.replace(/%3a/i, ':'));
  return readResourceId(body) ?? words.findLast(isPublicId) ?? path;
}

function readResourceId(body: unknown): string | undefined {
  if (!isObject(body)) return undefined;
  const { id, agent, jobId, resetId, code } = body;
  for (const named of [id, isObject(agent) ? agent.id : undefined, jobId, resetId]) {
    if (typeof named === 'string' && isPublicId(named)) return named;
  }
  // An invitation has no id but its code.
  return typeof code === 'string' && 'inviterUma' in body ? `invitation ${code}` : undefined;
}
