import Type, {
  type Static,
  type TObject,
  type TObjectOptions,
  type TProperties,
  type TSchema,
  type TUnion,
} from 'typebox';
import type { ResourceType } from '#foundation/lib/ids.ts';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

type Described<P> = readonly [description: string, properties: P, options?: TObjectOptions];

/** An object that the OpenAPI document lists under its own name, and describes if it stands on its own. */
export function component<P extends TProperties>(name: string, ...parts: Described<P> | [P]): TObject<P> {
  const [description, properties, options] = parts.length === 1 ? [undefined, parts[0]] : parts;
  const described = description === undefined ? options : { ...options, description };
  return Type.Object(properties, { ...described, 'x-component': name } as TObjectOptions);
}

/** Any other schema (an enum, a union) that the document lists under its own name. */
export function namedSchema<S extends TSchema>(name: string, schema: S): S {
  return Object.defineProperties(
    { 'x-component': name },
    Object.getOwnPropertyDescriptors(schema),
  ) as unknown as S;
}

/** An enum that the document lists under its own name. */
export function namedEnum<const V extends readonly string[]>(name: string, description: string, values: V) {
  return namedSchema(name, stringEnum(values, { description }));
}

export function stringEnum<const V extends readonly string[]>(
  values: V,
  options: Record<string, unknown> = {},
) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options });
}

/**
 * A union with a discriminator: the validator looks at the tag first and reports the errors of that branch only
 * (decision 0001). Every branch has the tag as a required `Type.Literal` or enum.
 */
export function tagged<const B extends TObject[]>(
  tag: string,
  branches: B,
  options: Record<string, unknown> = {},
): TUnion<B> {
  return Type.Unsafe<Static<TUnion<B>>>({
    type: 'object',
    discriminator: { propertyName: tag },
    required: [tag],
    oneOf: branches,
    ...options,
  }) as unknown as TUnion<B>;
}

/** On PATCH: `null` clears the field (platform.md §1.1.6). */
export function clearable<S extends TSchema>(schema: S) {
  const { description } = schema as { description?: string };
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}

/**
 * A field that the service sets. Clients that send a resource back include it, and the service ignores any value.
 * `schema` is its usual type; the other branch names all types, since generators and linters stumble over an empty one.
 */
export function ignored(schema: TSchema, description = 'Set by the service; ignored.') {
  const anything = Type.Unsafe<unknown>({ type: ['array', 'boolean', 'null', 'number', 'object', 'string'] });
  return Type.Optional(Type.Union([schema, anything], { description }));
}

/** The full public id, as in bodies and replies. */
export function idSchema<T extends ResourceType>(type: T, options: Record<string, unknown> = {}) {
  return Type.Unsafe<`${T}:${string}`>({
    type: 'string',
    'x-ids': [type],
    pattern: `^${type}:${UUID}$`,
    examples: [`${type}:019542f5-b3e7-7d02-8000-000000000099`],
    ...options,
  });
}

export function anyIdSchema<T extends ResourceType>(
  types: readonly [T, ...T[]],
  options: Record<string, unknown> = {},
) {
  return Type.Unsafe<`${T}:${string}`>({
    type: 'string',
    'x-ids': [...types],
    pattern: `^(${types.join('|')}):${UUID}$`,
    examples: [`${types[0]}:019542f5-b3e7-7d02-8000-000000000099`],
    ...options,
  });
}

declare const sent: unique symbol;

/** The query of a handler: its ids are bare UUIDs. */
export type BareQuery<Q> = { [Name in keyof Q]: Bare<Q[Name]> };
type Bare<V> = V extends { readonly [sent]?: infer T } ? (T extends ResourceType ? Id<T> : V) : V;

/** In a query: the full id or the bare UUID; the handler receives the bare UUID. */
export function queryId<T extends ResourceType>(type: T, options: Record<string, unknown> = {}) {
  const pattern = `^(${type}:)?${UUID}$`;
  return Type.Unsafe<string & { readonly [sent]?: T }>({
    type: 'string',
    'x-id': type,
    'x-ids': [type],
    pattern,
    ...options,
  });
}

export function dateTime(options: Record<string, unknown> = {}) {
  return Type.String({ format: 'date-time', ...options });
}

export function text(minLength: number, maxLength: number, options: Record<string, unknown> = {}) {
  return Type.String({ minLength, maxLength, ...options });
}

/** An amount to be moved, in the smallest unit. Zero and below are 400 `INVALID_AMOUNT` (platform.md §1.2.4). */
export function movedAmount(options: Record<string, unknown> = {}) {
  return Type.Integer({
    'x-amount': true,
    'x-minor-units': true,
    maximum: Number.MAX_SAFE_INTEGER,
    ...options,
  });
}

/** A count or limit in the smallest unit: plain field validation. */
export function minorUnits(options: Record<string, unknown> = {}) {
  return Type.Integer({ 'x-minor-units': true, minimum: 0, maximum: Number.MAX_SAFE_INTEGER, ...options });
}

export const Currency = component('Currency', 'A currency and how its amounts are written.', {
  code: Type.Optional(
    Type.String({ description: 'ISO 4217 code, or BTC, USDC, USDT, USDB.', examples: ['USD'] }),
  ),
  name: Type.Optional(Type.String({ description: 'English name of the currency.', examples: ['US Dollar'] })),
  symbol: Type.Optional(Type.String({ description: 'Usual symbol.', examples: ['$'] })),
  decimals: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Digits after the point: amounts are in units of 10^-decimals.',
      examples: [2],
    }),
  ),
});

export const CurrencyAmount = component('CurrencyAmount', 'An exact amount of one currency.', {
  amount: Type.Integer({
    description: 'In the smallest unit of the currency (cents, satoshis, …).',
    examples: [12550],
  }),
  currency: Currency,
});

const PAGING = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 20,
      description: 'The maximum number of rows in a page.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({ description: 'The `nextCursor` of the previous page, with the same filters. Opaque.' }),
  ),
};

/** A list's query: its filters, then `limit` and `cursor`. */
export function pageQuery<P extends TProperties>(filters: P) {
  return Type.Object({ ...filters, ...PAGING });
}

export function page<S extends TSchema>(name: string, item: S, options: { total?: boolean } = {}) {
  const properties = {
    data: Type.Array(item, { description: 'The rows of this page.' }),
    hasMore: Type.Boolean({ description: 'Whether another page follows.' }),
    nextCursor: Type.Optional(Type.String({ description: 'Send this as `cursor` to get the next page.' })),
    totalCount: Type.Optional(
      Type.Integer({
        description:
          'The number of all matches of the filters, on every page. Exact up to 10,000, left out above.',
      }),
    ),
  };
  if (options.total === false) Reflect.deleteProperty(properties, 'totalCount');
  return component(name, 'One page, and the cursor of the next.', properties);
}

/** Why an operator does something: part of every change that one makes, and of its audit row (operator.md §6.1). */
export function operatorReason() {
  return Type.String({
    minLength: 3,
    maxLength: 200,
    pattern: '^\\P{Cc}*$',
    description: 'Why, in one line, for the audit log.',
    // It is written for the person who decides, and no field of a record.
    'x-masked': 'none',
  });
}
