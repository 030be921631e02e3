import { closestMatch } from 'leven';
import type { TObject, TSchema } from 'typebox';
import { branchFinder, propertiesOf } from '#foundation/http/field-errors.ts';
import { ERRORS_MAX } from '#foundation/http/read/validate.ts';
import { isObject } from '#foundation/lib/is-object.ts';
import type { FieldError } from '#foundation/lib/refusals.ts';
import type { WireNames } from '#foundation/lib/wire-names.ts';

/** A field of a body, or a parameter of a query, that the operation does not know (platform.md §1.1.6). */
interface UnknownField {
  /** Its path, made safe for a header and for the log. */
  readonly path: string;
  /** The known name beside it that it resembles. */
  readonly meant: string | undefined;
}

/** At most this many are named in the header and in the log; further ones are counted. */
const NAMED_MAX = 10;
const NAME_MAX_CHARACTERS = 40;

export class UnknownFields {
  readonly #isRefused: boolean;
  readonly #fields: UnknownField[] = [];
  #count = 0;

  constructor({ isRefused }: { readonly isRefused: boolean }) {
    this.#isRefused = isRefused;
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  lookAtBody(schema: TSchema, body: unknown): void {
    lookFor(schema)?.(body, [], this);
  }

  /** Parameters with an empty value count as absent, whatever their name. */
  lookAtQuery(schema: TObject | undefined, search: string): void {
    if (search === '') return;
    const known = Object.keys(schema?.properties ?? {});
    const sent = [...new URLSearchParams(search)].filter(([, text]) => text !== '').map(([name]) => name);
    for (const name of new Set(sent)) if (!known.includes(name)) this.add([], name, known);
  }

  add(at: readonly (string | number)[], name: string, known: Iterable<string>): void {
    this.#count++;
    if (this.#fields.length === ERRORS_MAX) return;
    const path = [...at, cleaned(name)].join('.');
    this.#fields.push({ path, meant: closestName(name, [...known]) });
  }

  /** The unknown fields as errors, if the platform refuses them; otherwise none. */
  problems(names: WireNames): FieldError[] {
    if (!this.#isRefused) return [];
    return this.#fields.map(({ path, meant }) => ({
      field: path,
      message:
        meant === undefined ? 'is not known' : `is not known: did you mean ${onTheWire(meant, names)}?`,
    }));
  }

  /** `immediatlyExecute: did you mean immediatelyExecute?`, one text for each. */
  describe(names: WireNames): string[] {
    const named = this.#fields
      .slice(0, NAMED_MAX)
      .map(({ path, meant }) =>
        meant === undefined ? path : `${path}: did you mean ${onTheWire(meant, names)}?`,
      );
    const others = this.#count - named.length;
    return others > 0 ? [...named, `and ${others} more`] : named;
  }
}

/** If a client puts a value where a name belongs, the log must not show it: only a few digits in a row are shown. */
function cleaned(name: string): string {
  return name
    .slice(0, NAME_MAX_CHARACTERS)
    .replaceAll(/[^\w$-]/g, '_')
    .replaceAll(/\d{4,}/g, '#');
}

function onTheWire(name: string, names: WireNames): string {
  return JSON.parse(names.outgoing(JSON.stringify(name))) as string;
}

/** Spellings of one name in other styles (`account_id`, `AccountID`) count as equal. */
function closestName(name: string, known: readonly string[]): string | undefined {
  const sent = simplified(name.slice(0, NAME_MAX_CHARACTERS));
  const bySpelling = new Map(known.map((one) => [simplified(one), one]));
  const maxDistance = Math.min(3, Math.ceil(sent.length / 3));
  const found = closestMatch(sent, [...bySpelling.keys()], { maxDistance });
  return found === undefined ? undefined : bySpelling.get(found);
}

function simplified(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Adds the fields of a value that its schema does not declare. */
type Look = (value: unknown, at: (string | number)[], found: UnknownFields) => void;

const looks = new WeakMap<TSchema, Look | 'nothing'>();

/** Built once for each schema; undefined if no field can be unknown: in a text, in a free-form object. */
function lookFor(schema: TSchema): Look | undefined {
  let look = looks.get(schema);
  if (look === undefined) {
    look =
      lookAtUnion(schema) ?? lookAtChoice(schema) ?? lookAtList(schema) ?? lookAtObject(schema) ?? 'nothing';
    looks.set(schema, look);
  }
  return look === 'nothing' ? undefined : look;
}

/** Checks only the branch that the tag names, and builds only its check: there are fifty kinds of account. */
function lookAtUnion(schema: TSchema): Look | undefined {
  const { oneOf, discriminator } = schema as { oneOf?: TSchema[]; discriminator?: { propertyName: string } };
  if (!oneOf || !discriminator) return undefined;
  const branchOf = branchFinder(oneOf, discriminator.propertyName);
  const lookWithoutTag = lookAtNames(() => oneOf.flatMap((branch) => Object.keys(propertiesOf(branch))));
  return (value, at, found) => {
    if (!isObject(value)) return;
    const branch = branchOf(value);
    const look = branch ? lookFor(branch) : lookWithoutTag;
    look?.(value, at, found);
  };
}

/** If the tag itself may be misspelt, fields that no branch knows are still reported. */
function lookAtNames(namesOf: () => string[]): Look {
  let known: Set<string> | undefined;
  return (value, at, found) => {
    known ??= new Set(namesOf());
    for (const name of Object.keys(value as object)) if (!known.has(name)) found.add(at, name, known);
  };
}

/** Checks a value or `null`. If other types are accepted as well, no field is unknown. */
function lookAtChoice(schema: TSchema): Look | undefined {
  const { anyOf } = schema as { anyOf?: TSchema[] };
  const choices = (anyOf ?? []).filter((choice) => (choice as { type?: string }).type !== 'null');
  const [only, ...others] = choices;
  return only && others.length === 0 ? lookFor(only) : undefined;
}

function lookAtList(schema: TSchema): Look | undefined {
  const { items, maxItems = Number.POSITIVE_INFINITY } = schema as { items?: TSchema; maxItems?: number };
  const look = items && lookFor(items);
  if (!look) return undefined;
  return (value, at, found) => {
    // The entries of a list that is too long are not validated either.
    if (!Array.isArray(value) || value.length > maxItems) return;
    for (let i = 0; i < value.length; i++) lookInside(look, value[i], i, at, found);
  };
}

function lookAtObject(schema: TSchema): Look | undefined {
  const { properties, additionalProperties } = schema as {
    properties?: Record<string, TSchema>;
    additionalProperties?: unknown;
  };
  if (!properties) return undefined;
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  const known = new Map(Object.entries(properties).map(([name, property]) => [name, lookFor(property)]));
  return (value, at, found) => {
    if (!isObject(value)) return;
    for (const name of Object.keys(value)) {
      const look = known.get(name);
      if (look) lookInside(look, value[name], name, at, found);
      else if (!isOpen && !known.has(name)) found.add(at, name, known.keys());
    }
  };
}

function lookInside(
  look: Look,
  value: unknown,
  name: string | number,
  at: (string | number)[],
  found: UnknownFields,
): void {
  at.push(name);
  look(value, at, found);
  at.pop();
}
