import { CorridorError } from '@corridor/client';
import { saveBlob } from '../save.ts';
import { type OperatorOperation, withProof } from './call.ts';
import { OPERATIONS } from './generated/operations.ts';
import { operatorFetch } from './session.ts';

/** Saves the reply of an operation that answers with a file. */
export async function saveFile(
  operation: OperatorOperation,
  params: readonly string[],
  query: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const { file, name } = await withProof(() => loadFile(operation, params, query));
  saveBlob(name, file);
}

/** The address of an operation that reads. */
export function addressOf(operation: OperatorOperation, params: readonly string[]): string {
  const rest = [...params];
  const path = OPERATIONS[operation].path.replaceAll(/\{[^}]+\}/g, () =>
    encodeURIComponent(rest.shift() ?? ''),
  );
  return `/console/api${path}`;
}

async function loadFile(
  operation: OperatorOperation,
  params: readonly string[],
  query: Readonly<Record<string, unknown>>,
): Promise<{ file: Blob; name: string }> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  const reply = await operatorFetch(`${addressOf(operation, params)}?${search}`);
  if (!reply.ok) throw await refusalOf(reply);
  const [, name] = /filename="([^"]+)"/.exec(reply.headers.get('content-disposition') ?? '') ?? [];
  return { file: await reply.blob(), name: name ?? `${operation}.csv` };
}

async function refusalOf(reply: Response): Promise<CorridorError> {
  const { code, message, reason, details } = await reply.json();
  return new CorridorError({ code, reason: reason ?? message, status: reply.status, details });
}
