import type { CallToolResult } from '@modelcontextprotocol/server';
import type { AgentApi, ApiReply } from '#edge/mcp/agent-api.ts';
import { findOwnCurrencies, type Money } from '#edge/mcp/amounts.ts';
import { presentDetails } from '#edge/mcp/present.ts';
import type { Tool } from '#edge/mcp/tool.ts';
import { UNKNOWN_FIELD } from '#foundation/http/field-errors.ts';
import type { FieldError } from '#foundation/lib/refusals.ts';

interface ErrorBody {
  readonly code?: string;
  readonly reason?: string;
  readonly details?: Details;
}

interface Details {
  readonly currency?: string;
  readonly violation?: string;
  readonly errors?: readonly FieldError[];
  readonly [name: string]: unknown;
}

/**
 * A refusal is for the model, which can do something about it: not an error of the protocol. It is text alone, since
 * clients check structured content against the schema of the tool's successes, and throw where it does not fit (C.6.6).
 */
export async function refused(
  api: AgentApi,
  tool: Tool,
  { status, body }: ApiReply,
): Promise<CallToolResult> {
  const { code, reason, details } = inWordsOf(tool, body as ErrorBody);
  const own = await findOwnCurrencies(api, details?.currency === undefined ? [] : [details.currency]);
  const error = { code, reason, details: details && presentDetails(details, own) };
  const sentence = wordsOf(error) + (tool.kind === 'pay' ? tellEffect(status, code) : '');
  return { isError: true, content: contentOf(sentence, error) };
}

/** With the names that the tool's arguments have: a model knows no others. */
function inWordsOf({ fields = {} }: Tool, { code, reason, details }: ErrorBody): ErrorBody {
  const named = (text: string) =>
    Object.entries(fields).reduce(
      (said, [api, own]) =>
        said.replace(new RegExp(`(?<![\\w.])${api.replaceAll('.', '\\.')}(?!\\w)`, 'g'), own),
      text,
    );
  // A field that the tool does not know is called what the model called it.
  const errors = details?.errors?.map((error) =>
    error.message === UNKNOWN_FIELD
      ? error
      : { ...error, field: named(error.field), message: named(error.message) },
  );
  return {
    ...(code !== undefined && { code }),
    ...(reason !== undefined && { reason: named(reason) }),
    ...(details && { details: { ...details, ...(errors && { errors }) } }),
  };
}

/** Code, violation and reason, every bad field with what is wrong with it: a model may look no further. */
export function wordsOf(body: unknown): string {
  const { code, reason, details } = body as ErrorBody;
  const fields = details?.errors?.map(({ field, message }) => `${field}: ${message}`).join('; ');
  const words =
    limitWords(details) ?? fields ?? ADVICE[code ?? ''] ?? reason ?? 'The service gave no reason.';
  const violation = details?.violation === undefined ? '' : `${details.violation}: `;
  return `REFUSED: ${code ?? 'INTERNAL_ERROR'}: ${violation}${words}`;
}

/** The limits of a policy, with their figures: what a model needs in order to ask for less, or not at all. */
function limitWords(details: Details | undefined): string | undefined {
  const told = LIMITS[details?.violation ?? ''];
  const [limit, used, requested] = [details?.limit, details?.used, details?.requested].map(figure);
  return told && limit && used && requested ? told({ limit, used, requested }) : undefined;
}

interface Figures {
  readonly limit: string;
  readonly used: string;
  readonly requested: string;
}

function figure(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return (value as Money | undefined)?.decimal;
}

const LIMITS: Readonly<Record<string, (figures: Figures) => string>> = {
  PER_TRANSACTION_LIMIT: ({ limit, requested }) =>
    `${requested} is above your limit of ${limit} for one payment. Nobody can approve more than that.`,
  DAILY_TRANSACTION_LIMIT: ({ limit, used }) =>
    `Your limit is ${limit} ${limit === '1' ? 'payment' : 'payments'} a day (UTC), and you started ${used} today.`,
  DAILY_LIMIT: ({ limit, used, requested }) =>
    `${requested} is above what is left of your limit of ${limit} a day (UTC): ${used} is used today.`,
  MONTHLY_LIMIT: ({ limit, used, requested }) =>
    `${requested} is above what is left of your limit of ${limit} a month (UTC): ${used} is used this month.`,
};

/** What a call that pays has done, for a model that would otherwise pay in another way. */
function tellEffect(status: number, code: string | undefined): string {
  if (status >= 500) {
    return code === 'SERVICE_UNAVAILABLE'
      ? ''
      : ' It is not known whether this took effect: repeat it with exactly the same arguments, and it takes effect once.';
  }
  if (code === 'CONFLICT' || code === 'DUPLICATE_PAY_REQUEST') {
    return ' This call moved nothing. An earlier one may have: look at list_actions before you pay in any other way.';
  }
  return ' This call moved nothing.';
}

/** In place of reasons that are for a program that can send headers, since a model cannot. */
const ADVICE: Readonly<Record<string, string>> = {
  WALLET_SIGNATURE_MISSING:
    'This pays out of an embedded wallet, and its owner must sign it. You cannot: the customer pays it through the ' +
    'platform. Do not ask for it again.',
};

/** For clients that read text only: the sentence first, then the data. */
export function contentOf(sentence: string, data: object): CallToolResult['content'] {
  return [
    { type: 'text', text: sentence },
    { type: 'text', text: JSON.stringify(data) },
  ];
}
