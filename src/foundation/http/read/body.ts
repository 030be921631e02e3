import { isUtf8 } from 'node:buffer';
import { visit as visitJson } from 'jsonc-parser';
import { ERRORS_MAX } from '#foundation/http/read/validate.ts';
import { type FieldError, invalidFields, Refusal } from '#foundation/lib/refusals.ts';
import { isStorable } from '#foundation/lib/storable.ts';

const DEPTH_MAX = 64;

/** JSON is UTF-8; a decoder would silently replace invalid bytes. */
export function decodeText(raw: Buffer): string {
  if (!isUtf8(raw)) throw badFormat('The body is not valid UTF-8.');
  return raw.toString('utf8');
}

/** Parses a JSON body that must be an object. Anything else is 400 `INVALID_REQUEST_FORMAT` (platform.md §1.1.6). */
export function requireJsonObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw notJson(text);
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw badFormat('The body must be a JSON object.');
  }
  requireStorable(value);
  return value as Record<string, unknown>;
}

/** Names the position of the error: the engine's own message rarely does, and it quotes the body. */
function notJson(text: string): Refusal {
  const onError = (_code: number, _offset: number, _length: number, line: number, column: number) => {
    throw badFormat(`The body is not valid JSON: see line ${line + 1}, column ${column + 1}.`);
  };
  try {
    visitJson(text, { onError }, { disallowComments: true });
  } catch (error) {
    if (error instanceof Refusal) return error;
    // The parser is recursive: a body that is nested too deeply for it is refused without a position.
    if (!(error instanceof RangeError)) throw error;
  }
  return badFormat('The body is not valid JSON.');
}

export function badFormat(reason: string): Refusal {
  return new Refusal('INVALID_REQUEST_FORMAT', reason);
}

/**
 * Refuses text that the database could not store unchanged (the NUL character, halves of surrogate pairs), numbers that
 * are infinite once read, which JSON cannot write again, and excessive nesting.
 */
export function requireStorable(root: unknown): void {
  const errors: FieldError[] = [];
  visit(root, [], errors);
  if (errors.length > 0) throw invalidFields(errors);
}

/**
 * Collects errors in the order of the document (platform.md §10.0.2). A path is formatted only for an error: a body may
 * contain half a million values.
 */
function visit(value: unknown, path: (string | number)[], errors: FieldError[]): void {
  if (path.length > DEPTH_MAX) throw badFormat(`The body is nested deeper than ${DEPTH_MAX} levels.`);
  if (errors.length === ERRORS_MAX) return;
  if (typeof value === 'string') {
    if (!isStorable(value)) errors.push({ field: path.join('.'), message: NOT_STORABLE });
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) errors.push({ field: path.join('.'), message: NOT_FINITE });
  } else if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) visitMember(i, value[i], path, errors);
  } else if (value !== null && typeof value === 'object') {
    const names = Object.keys(value);
    if (!names.every(isStorable))
      errors.push({ field: path.join('.') || 'body', message: `a field name ${NOT_STORABLE}` });
    for (const name of names) {
      if (isStorable(name)) visitMember(name, (value as Record<string, unknown>)[name], path, errors);
    }
  }
}

function visitMember(
  name: string | number,
  value: unknown,
  path: (string | number)[],
  errors: FieldError[],
): void {
  path.push(name);
  visit(value, path, errors);
  path.pop();
}

const NOT_STORABLE = 'contains a NUL character or a broken surrogate pair';
const NOT_FINITE = 'is a number too large to be read';

/**
 * On POST and PUT `null` means absent, at every depth (platform.md §1.1.6). Removes it in place: copying a body with very
 * many fields would take longer than parsing it.
 */
export function withoutNulls<Value>(value: Value): Value {
  if (Array.isArray(value)) for (const item of value) withoutNulls(item);
  else if (value !== null && typeof value === 'object') {
    const members = value as Record<string, unknown>;
    for (const name of Object.keys(members)) {
      if (members[name] === null) delete members[name];
      else withoutNulls(members[name]);
    }
  }
  return value;
}
