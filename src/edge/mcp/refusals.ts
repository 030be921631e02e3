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
 * A refusal is a result for the model, which can react to it, not an error of the protocol. It is text only, because
 * clients check structured content against the schema of the tool's successes and throw on a mismatch (agents.md §6.6).
 */
export async function refused(
  api: AgentApi,
  tool: Tool,
  { status, body }: ApiReply,
): Promise<CallToolResult> {
  const { code, reason, details } = translateRefusal(tool, body as ErrorBody);
  const own = await findOwnCurrencies(api, details?.currency === undefined ? [] : [details.currency]);
  const error = { code, reason, details: details && presentDetails(details, own) };
  const sentence = describeRefusal(error) + (tool.kind === 'pay' ? tellEffect(status, code) : '');
  return { isError: true, content: buildContent(sentence, error) };
}

/** Renames fields to the tool's arguments, because a model knows no other names. */
function translateRefusal({ fields = {} }: Tool, { code, reason, details }: ErrorBody): ErrorBody {
  const named = (text: string) =>
    Object.entries(fields).reduce(
      (said, [api, own]) =>
        said.replace(new RegExp(`(?<![\\w.])${api.replaceAll('.', '\\.')}(?!\\w)`, 'g'), own),
      text,
    );
  // An unknown field keeps the model's name.
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

/** Returns code, violation and reason with every invalid field, because a model may read no further. */
export function describeRefusal(body: unknown): string {
  const { code, reason, details } = body as ErrorBody;
  const fields = details?.errors?.map(({ field, message }) => `${field}: ${message}`).join('; ');
  const words =
    limitWords(details) ?? fields ?? (code && ADVICE[code]) ?? reason ?? 'The service gave no reason.';
  const violation = details?.violation === undefined ? '' : `${details.violation}: `;
  return `REFUSED: ${code ?? 'INTERNAL_ERROR'}: ${violation}${words}`;
}

/** Describes a policy's limits with their figures, so that a model can request less or stop. */
function limitWords(details: Details | undefined): string | undefined {
  const told = details?.violation === undefined ? undefined : LIMITS[details.violation];
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
    `${requested} is above your limit of ${limit} for one payment. Approval cannot raise this limit.`,
  DAILY_TRANSACTION_LIMIT: ({ limit, used }) =>
    `Your limit is ${limit} ${limit === '1' ? 'payment' : 'payments'} a day (UTC), and you started ${used} today.`,
  DAILY_LIMIT: ({ limit, used, requested }) =>
    `${requested} is above what is left of your limit of ${limit} a day (UTC): ${used} is used today.`,
  MONTHLY_LIMIT: ({ limit, used, requested }) =>
    `${requested} is above what is left of your limit of ${limit} a month (UTC): ${used} is used this month.`,
};

/** Tells the effect of a refused payment call, so that a model does not pay again in another way. */
function tellEffect(status: number, code: string | undefined): string {
  if (status >= 500) {
    return code === 'SERVICE_UNAVAILABLE'
      ? ''
      : ' It is not known whether this took effect: repeat it with exactly the same arguments; it takes effect only once.';
  }
  if (code === 'CONFLICT' || code === 'DUPLICATE_PAY_REQUEST') {
    return ' This call moved nothing. An earlier one may have: look at list_actions before you pay in any other way.';
  }
  return ' This call moved nothing.';
}

/** Replaces reasons that advise sending headers, which a model cannot do. */
const ADVICE: Readonly<Record<string, string>> = {
  WALLET_SIGNATURE_MISSING:
    'This pays from an embedded wallet, and its owner must sign it. You cannot: the customer pays it ' +
    'through the platform. Do not request it again.',
};

/** For clients that read text only: the sentence first, then the data. */
export function buildContent(sentence: string, data: object): CallToolResult['content'] {
  return [
    { type: 'text', text: sentence },
    { type: 'text', text: JSON.stringify(data) },
  ];
}
