import type { CAPABILITIES } from '#app/capabilities.ts';
import type { Code, FieldError } from '#foundation/lib/refusals.ts';

/** The types of calls and replies, taken from the declarations. */

type Brought = Extract<(typeof CAPABILITIES)[number], { operations: unknown }>['operations'];

type Listed = Brought extends infer Each
  ? Each extends (...parts: never) => infer Made
    ? Made
    : Each
  : never;

type Declared = Extract<Listed, readonly unknown[]>[number];

export type OperationId = Declared['id'];

type TypesOf<Id, Operation = Declared> = Operation extends { id: infer Known; types?: infer Types }
  ? Id extends Known
    ? NonNullable<Types>
    : never
  : never;

/** The input of an operation. */
export interface CallOf<Id extends OperationId> extends Caller {
  params?: TypesOf<Id>['params'];
  query?: { readonly [Name in keyof TypesOf<Id>['query']]?: QueryValue };
  /** Forms are put together field by field, and are not checked here. */
  body?: RequestOf<Id> | FormData;
}

/** The body that an operation takes. */
export type RequestOf<Id extends OperationId> = Sent<TypesOf<Id>['body']>;

/** For helpers that take a typed body: a body that no typed client would send. */
export function untyped<Body>(body: unknown): Body {
  return body as Body;
}

/** Any input of any operation, valid or not. */
export interface Call extends Caller {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, QueryValue>>;
  /** An object becomes JSON; text, bytes and FormData are sent as they are. */
  body?: unknown;
}

interface Caller {
  headers?: Readonly<Record<string, string>>;
  /** Idempotency-Key */
  key?: string;
  /** The caller instead of the platform's own token: 'nobody' (no credentials), or another Authorization header. */
  as?: string;
}

type QueryValue = string | number | boolean | readonly string[] | undefined;

export interface Answered<Body = Record<string, unknown>> {
  status: number;
  body: Body;
  headers: Record<string, string | string[] | number | undefined>;
  raw: string;
}

/** The body of a reply: the operation's own, or a refusal's. The status tells which, and is asserted. */
export type BodyOf<Id extends string> = [TypesOf<Id>] extends [never]
  ? Refused & Record<string, unknown>
  : Shown<TypesOf<Id>['reply']> & Omit<Refused, keyof Shown<TypesOf<Id>['reply']>>;

/** The body of a refusal (platform.md §10). */
export interface Refused {
  status: number;
  code: Code;
  reason: string;
  message: string;
  details: Shown<{ errors: FieldError[] }> & Record<string, unknown>;
}

/** A reply that may be a refusal, of whichever operation. */
export type AnyReply = Answered<Pick<Refused, 'code' | 'details'>>;

/**
 * A reply as tests read it: with the fields of every branch of a union, the optional ones and the first items of a list,
 * as if all of them were present. The types check names and kinds; the test's comparison checks presence.
 */
export type Shown<T> =
  | Exclude<T, object | undefined>
  | (T extends readonly (infer Item)[] ? List<Shown<Item>> : never)
  | ([Plain<T>] extends [never] ? never : { [Name in KeyOf<Plain<T>>]: Shown<ValueOf<Plain<T>, Name>> });

type List<Item> = [Item, Item, Item, ...Item[]];
type Plain<T> = Exclude<Extract<T, object>, readonly unknown[]>;
type KeyOf<T> = T extends unknown ? keyof T : never;
type ValueOf<T, Name extends PropertyKey> = T extends unknown
  ? Name extends keyof T
    ? T[Name]
    : never
  : never;

/**
 * A body as tests send it: the names and kinds of what the operation declares, with the fields of every branch of a union
 * and none of them required. A value of an enum may be any text, because values are defined apart from where they are sent.
 */
export type Sent<T> =
  | Widened<Exclude<T, object | undefined>>
  | (T extends readonly (infer Item)[] ? readonly Sent<Item>[] : never)
  | ([Plain<T>] extends [never]
      ? never
      : { readonly [Name in KeyOf<Plain<T>>]?: Sent<ValueOf<Plain<T>, Name>> | undefined });

type Widened<T> = T extends string ? string : T extends number ? number : T extends boolean ? boolean : T;
