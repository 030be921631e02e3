import { appendFileSync } from 'node:fs';
import type { TestEvent } from 'node:test/reporters';

/** The variable that names the file for the events of a process. */
export const EVENTS_FILE = 'TEST_EVENTS_FILE';

/**
 * A reporter that appends every event to a file at once, a line of JSON each, so that the progress of a process is known
 * even if it crashed or was killed.
 */
export default async function* keepEvents(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    appendFileSync(process.env[EVENTS_FILE] ?? '', `${JSON.stringify(event, withErrors)}\n`);
    yield '';
  }
}

interface SerializedError {
  readonly keptError: true;
  readonly message: string;
  readonly stack: string | undefined;
  readonly code?: unknown;
  readonly failureType?: unknown;
  readonly cause?: unknown;
}

/** JSON cannot represent an error. Its message already contains the compared values. */
function withErrors(_name: string, value: unknown): unknown {
  if (!(value instanceof Error)) return typeof value === 'bigint' ? String(value) : value;
  const { message, stack, cause } = value;
  const { code, failureType } = value as { code?: unknown; failureType?: unknown };
  return { keptError: true, message, stack, code, failureType, cause } satisfies SerializedError;
}

export function readEvents(text: string): TestEvent[] {
  // The last line of a killed process may be half a line.
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line, revived));
}

function revived(_name: string, value: unknown): unknown {
  if (!isKept(value)) return value;
  const { message, stack, code, failureType, cause } = value;
  const error = new Error(message, cause === undefined ? undefined : { cause });
  const hidden = { stack: { value: stack }, code: { value: code }, failureType: { value: failureType } };
  return Object.defineProperties(error, hidden);
}

function isKept(value: unknown): value is SerializedError {
  return typeof value === 'object' && value !== null && 'keptError' in value;
}
