import type { Corridor, RequestLog } from '@corridor/client';
import { OPERATIONS } from '@corridor/client/operations';
import type { Call } from '../../api/call.ts';

interface Declared {
  readonly method: string;
  readonly path: string;
  readonly body?: 'json' | 'form';
  readonly hasKey?: boolean;
}

const DECLARED = Object.entries(OPERATIONS) as unknown as readonly (readonly [keyof Corridor, Declared])[];

/** Everything that repeats a logged request. */
export interface LoggedCall {
  readonly call: Call;
  readonly declared: Declared;
}

/** The client's operation of a request; undefined for a path that does not exist. */
export function loggedCallOf({ method, route, path, query, request }: RequestLog): LoggedCall | undefined {
  const found = DECLARED.find(([, { method: m, path: p }]) => m === method && p === route);
  if (!found) return undefined;
  const [operation, declared] = found;
  const input = { ...query, ...request };
  const call = {
    operation,
    params: paramsOf(route, path),
    input: Object.keys(input).length > 0 || declared.body !== undefined ? input : undefined,
  };
  return { call, declared };
}

/** The parts of the path that stand where the template has a name. */
function paramsOf(route: string, path: string): string[] {
  const parts = path.split('/');
  return route.split('/').flatMap((part, i) => (part.startsWith('{') ? [decode(parts[i] ?? '')] : []));
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
