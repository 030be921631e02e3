import { isUtf8 } from 'node:buffer';
import { ERRORS_MAX } from '#http/validate.ts';
import { type FieldError, invalidFields, Refusal } from '#lib/refusals.ts';

const DEPTH_MAX = 64;

/** JSON is UTF-8; a decoder would quietly put other characters in the place of what is not. */
export function decodeText(raw: Buffer): string {
  if (!isUtf8(raw)) throw badFormat('The body is not valid UTF-8.');
  return raw.toString('utf8');
}

/** Parses a JSON body that must be an object. Anything else is 400 `INVALID_REQUEST_FORMAT` (§1.1.6). */
export function parseJsonObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badFormat('The body is not valid JSON.');
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw badFormat('The body must be a JSON object.');
  }
  checkText(value);
  return value as Record<string, unknown>;
}

export function badFormat(reason: string): Refusal {
  return new Refusal('INVALID_REQUEST_FORMAT', reason);
}

/**
 * Refuses what the database could not store as it came: the NUL character and halves of surrogate pairs;
 * and nesting so deep that walking it costs more than it is worth. Iterative, so that depth cannot hurt.
 */
export function checkText(root: unknown): void {
  const errors: FieldError[] = [];
  const stack: { value: unknown; path: string; depth: number }[] = [{ value: root, path: '', depth: 0 }];
  for (let at = stack.pop(); at; at = stack.pop()) {
    if (at.depth > DEPTH_MAX) throw badFormat(`The body is nested deeper than ${DEPTH_MAX} levels.`);
    if (typeof at.value === 'string') {
      if (!isStorable(at.value)) errors.push({ field: at.path, message: NOT_STORABLE });
    } else if (at.value !== null && typeof at.value === 'object') {
      const members = Object.entries(at.value);
      if (members.some(([key]) => !isStorable(key)))
        errors.push({ field: at.path || 'body', message: `a field name ${NOT_STORABLE}` });
      // The last one pushed is looked at next: fields are named in the order of the document (§10.2).
      for (const [key, value] of members.reverse()) {
        if (!isStorable(key)) continue;
        stack.push({ value, path: at.path ? `${at.path}.${key}` : key, depth: at.depth + 1 });
      }
    }
    if (errors.length === ERRORS_MAX) break;
  }
  if (errors.length > 0) throw invalidFields(errors);
}

const NOT_STORABLE = 'holds a NUL character or a broken surrogate pair';

export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** On POST and PUT `null` means absent, at every depth (§1.1.6). */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (value === null || typeof value !== 'object') return value;
  const kept: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (member !== null) setOwn(kept, key, withoutNulls(member));
  }
  return kept;
}

/** `__proto__` is an ordinary name in JSON; plain assignment would change the prototype. */
function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
