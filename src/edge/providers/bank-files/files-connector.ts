import { answerCall } from '#capabilities/bank-files/answer-calls.ts';
import type { FilesParts } from '#capabilities/bank-files/row.ts';
import type { AnswerOf, CallName } from '#foundation/connector-protocol/calls.ts';
import type { Answer } from '#foundation/connector-protocol/read-answer.ts';

/** A call as the client of connectors makes it. */
export interface Call {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | undefined;
}

/** Answers the calls of the protocol within this process, as a connector over HTTP would (bank-files.md §1.1). */
export async function callFiles<N extends CallName>(
  parts: FilesParts,
  connectorId: string,
  name: N,
  { parameters = {}, query = {}, body }: Call,
): Promise<Answer<AnswerOf<N>>> {
  const found = await answerCall(parts, connectorId, { name, parameters, query, body });
  if (!found) return { kind: 'silence', why: 'the connector has no profile yet' };
  const { store, answered } = found;
  if ('body' in answered)
    return { kind: 'answer', status: answered.status, store, body: answered.body as AnswerOf<N> };
  const { status, code, reason } = answered;
  const retryAfter = status === 429 || status === 503 ? RETRY_AFTER_SECONDS : undefined;
  return { kind: 'refusal', status, store, error: { code, reason }, retryAfter };
}

const RETRY_AFTER_SECONDS = 60;
