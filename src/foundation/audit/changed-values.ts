import { canonicalJson } from '#foundation/lib/canonical-json.ts';
import { isObject } from '#foundation/lib/is-object.ts';

/** A value that a change replaces, named as the field of the request: `settings.fees.fixed.USD`. Null: there is none. */
export interface ChangedValue {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
  /** `before` changes by itself, as a rate does: with another `before` it is still the same change. */
  readonly moves?: true;
}

/** The values in which two objects differ, member by member, also within lists of objects. */
export function changedValues(before: unknown, after: unknown, path = ''): ChangedValue[] {
  if (isGroup(before) || isGroup(after)) {
    const [from, to] = [membersOf(before), membersOf(after)];
    // Not if a group replaced a single value, or a single value a group: the whole value changed then.
    if (from && to) {
      const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
      return names.flatMap((name) =>
        changedValues(from[name], to[name], path === '' ? name : `${path}.${name}`),
      );
    }
  }
  const [one, other] = [before ?? null, after ?? null];
  return canonicalJson(one) === canonicalJson(other) ? [] : [{ field: path, before: one, after: other }];
}

type Group = Readonly<Record<string, unknown>>;

function isGroup(value: unknown): value is Group {
  return Array.isArray(value) ? value.length > 0 && value.every(isObject) : isObject(value);
}

/** A value that is absent or an empty list counts as an empty group. Undefined: it is a single value. */
function membersOf(value: unknown): Group | undefined {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return {};
  return isGroup(value) ? value : undefined;
}
