import { fieldNames, HIDDEN, isHarmlessText } from '#edge/request-log/redact.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import type { SentData } from '#foundation/http/serve/request-record.ts';
import { isObject } from '#foundation/lib/is-object.ts';
import { type Code, type FieldError, invalidFields, type Refusal } from '#foundation/lib/refusals.ts';

/** Refusals that may quote another party, whose words can contain anything. */
const QUOTES_OTHERS: ReadonlySet<Code> = new Set<Code>([
  'STABLECOIN_PROVIDER_ERROR',
  'STABLECOIN_VERIFICATION_FAILED',
  'WEBHOOK_DELIVERY_ERROR',
  'LOOKUP_REQUEST_FAILED',
  'LNURLP_REQUEST_FAILED',
  'PAYREQ_REQUEST_FAILED',
  'INVALID_PAYREQ_RESPONSE',
  'PARSE_LNURLP_RESPONSE_ERROR',
  'PARSE_PAYREQ_RESPONSE_ERROR',
  'COUNTERPARTY_PUBKEY_FETCH_ERROR',
  'SENDER_NOT_ACCEPTED',
]);

/** What was read from a request, and what the log keeps of it. */
export interface SentAndKept {
  readonly sent: SentData | undefined;
  readonly kept: { readonly query?: unknown; readonly request?: unknown };
}

/**
 * Keeps the refusal as it was sent: its code, its reason, and the names and messages of the bad fields. Our own texts are
 * fixed, but some repeat a sent value. Every sent value that the log hides is hidden in them, too, and so are the names of
 * unknown fields.
 */
export function redactRefusal(
  operation: NamedOperation,
  { code, status, message, details }: Refusal,
  { sent, kept }: SentAndKept,
): Record<string, unknown> {
  const hidden = [...hiddenTexts(sent?.query, kept.query), ...hiddenTexts(sent?.body, kept.request)];
  const errors = showErrors(operation, (details?.errors ?? []) as FieldError[], hidden);
  const own = errors.length > 0 ? invalidFields(errors).message : mask(message, hidden);
  const reason = QUOTES_OTHERS.has(code) ? HIDDEN : own;
  const shown = {
    ...showDetails(details, hidden),
    ...(errors.length > 0 && { errors }),
  };
  return {
    ...{ status, code, reason, message: reason },
    ...(Object.keys(shown).length > 0 && { details: shown }),
  };
}

function showErrors(
  operation: NamedOperation,
  errors: readonly FieldError[],
  hidden: readonly string[],
): FieldError[] {
  const names = knownNames(operation);
  return errors.map(({ field, message }) => ({
    field: field.split('.').every((part) => names.has(part) || /^\d{1,4}$/.test(part)) ? field : HIDDEN,
    message: mask(message, hidden),
  }));
}

/** Everything else about the refusal: figures, ids, statuses and currencies. */
function showDetails(
  details: Readonly<Record<string, unknown>> | undefined,
  hidden: readonly string[],
): Record<string, unknown> {
  const others = Object.entries(details ?? {}).filter(([name]) => name !== 'errors');
  return Object.fromEntries(others.map(([name, value]) => [name, showDetail(value, hidden)]));
}

const WORD = /^[A-Z][A-Z0-9_]{1,60}$/;

function showDetail(value: unknown, hidden: readonly string[]): unknown {
  if (Array.isArray(value)) return value.slice(0, 10).map((item) => showDetail(item, hidden));
  if (isObject(value)) return showDetails(value, hidden);
  if (typeof value !== 'string') return value ?? null;
  return (isHarmlessText(value) || WORD.test(value)) && !hidden.includes(value) ? value : HIDDEN;
}

/** A request with more texts than this shows none of its refusal's texts. */
const TEXTS_MAX = 500;

/** The texts of a request that the log does not keep, and the names of its unknown fields. */
function hiddenTexts(sent: unknown, kept: unknown, found: string[] = []): string[] {
  if (found.length > TEXTS_MAX) return found;
  if (typeof sent === 'string' || typeof sent === 'number') {
    if (sent !== kept) found.push(String(sent).trim());
  } else if (Array.isArray(sent)) {
    for (const [i, item] of sent.entries())
      hiddenTexts(item, Array.isArray(kept) ? kept[i] : undefined, found);
  } else if (isObject(sent)) {
    const shown = isObject(kept) ? kept : {};
    for (const [name, value] of Object.entries(sent)) {
      if (!Object.hasOwn(shown, name)) found.push(name);
      hiddenTexts(value, shown[name], found);
    }
  }
  return found;
}

/** Refusals shorten a long value that they repeat. */
const QUOTED_MIN = 8;
/** A shorter text identifies nobody, and is part of many words. */
const TEXT_MIN = 3;

/** Hides the sent texts in a sentence: whole, shortened, or a number that is part of one. */
function mask(sentence: string, hidden: readonly string[]): string {
  if (hidden.length > TEXTS_MAX) return HIDDEN;
  let masked = sentence;
  for (const text of hidden) {
    if (text.length >= QUOTED_MIN) masked = maskBeginning(masked, text);
    else if (text.length >= TEXT_MIN) masked = masked.replaceAll(wholeWord(text), HIDDEN);
  }
  const digits = hidden.map((text) => text.replaceAll(/[\s.-]/g, '').toLowerCase());
  return masked.replaceAll(/[\p{L}\p{N}]*\d[\p{L}\p{N}]{4,}/gu, (token) =>
    digits.some((text) => text.includes(token.toLowerCase())) ? HIDDEN : token,
  );
}

function maskBeginning(sentence: string, text: string): string {
  const lower = sentence.toLowerCase();
  const wanted = text.toLowerCase();
  const at = lower.indexOf(wanted.slice(0, QUOTED_MIN));
  if (at < 0) return sentence;
  let length = QUOTED_MIN;
  while (length < wanted.length && lower[at + length] === wanted[length]) length++;
  return sentence.slice(0, at) + HIDDEN + maskBeginning(sentence.slice(at + length), text);
}

function wholeWord(text: string): RegExp {
  // A hyphen stays as it is: a pattern with the flag `u` does not accept its escape.
  const escaped = text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'giu');
}

const namesOfOperations = new WeakMap<NamedOperation, Set<string>>();

function knownNames(operation: NamedOperation): Set<string> {
  let names = namesOfOperations.get(operation);
  if (!names) {
    names = fieldNames(operation.query, fieldNames(operation.body)).add('Idempotency-Key');
    namesOfOperations.set(operation, names);
  }
  return names;
}
