import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import type { AgentPermission } from '#capabilities/agents/schemas.ts';
import type { AgentApi, ApiCall, ApiReply } from '#edge/mcp/agent-api.ts';
import type { OwnCurrencies } from '#foundation/lib/currencies.ts';

export interface ToolResult {
  /** What happened, in a sentence of the service's own. */
  readonly outcome: string;
  readonly data: object;
}

/** One tool: an operation under `/agents/me`, in words that a model can act on (C.6.2). */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly route: string;
  /** It is listed for agents that have one of these permissions; empty: for all. */
  readonly needs: readonly AgentPermission[];
  readonly input: TObject;
  /** What its structured content holds when it succeeds. */
  readonly output: TSchema;
  /** What clients may assume: whether it changes anything, and whether a repetition changes more. */
  readonly kind: 'read' | 'write' | 'pay';
  /** The operation's field names → this tool's names, where the two differ. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Refuses what the operation itself could not: by throwing, or with the reply that is answered instead. */
  check?(args: object, api: AgentApi): Promise<ApiReply | undefined>;
  request(args: object): ApiCall;
  /** Refuses, by throwing, a reply that is not what was asked for. */
  checkReply?(body: never, args: object): void;
  /** Currencies that the reply names by their code, without their decimals. */
  currenciesOf?(body: never): readonly string[];
  present(body: never, own: OwnCurrencies): ToolResult;
}

/** Its arguments are validated before it is called with them. */
export function tool<Fields extends TProperties>(
  declared: Omit<Tool, 'input' | 'check' | 'request' | 'checkReply'> & {
    readonly input: TObject<Fields>;
    check?(args: Static<TObject<Fields>>, api: AgentApi): Promise<ApiReply | undefined>;
    request(args: Static<TObject<Fields>>): ApiCall;
    checkReply?(body: never, args: Static<TObject<Fields>>): void;
  },
): Tool {
  return declared as unknown as Tool;
}

export const inputs = <Fields extends TProperties>(fields: Fields): TObject<Fields> =>
  Type.Object(fields, { additionalProperties: false });
/** Ids are letters, digits and signs; anything else could not travel in a key or a path. */
export const id = (description: string) =>
  Type.String({ minLength: 1, maxLength: 200, pattern: '^[!-~]*$', description });

export const PAGE = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'How many at most.' })),
  cursor: Type.Optional(Type.String({ description: 'The nextCursor of the page before.' })),
};

/** Those that were given, as a query has them. */
export function queryOf(args: object): { query: Record<string, string> } {
  const given = Object.entries(args).filter(([, value]) => value !== undefined && value !== null);
  return { query: Object.fromEntries(given.map(([name, value]) => [name, String(value)])) };
}

export interface Page<Item> {
  readonly data: readonly Item[];
  readonly hasMore: boolean;
  readonly nextCursor?: string;
}

export const listOf =
  <Item>(what: string, present: (item: Item, own: OwnCurrencies) => object) =>
  ({ data, hasMore, nextCursor }: Page<Item>, own: OwnCurrencies): ToolResult => ({
    outcome: `${data.length} ${what}${hasMore ? '; there are more, ask again with nextCursor as cursor' : ''}.`,
    data: { items: data.map((item) => present(item, own)), hasMore, nextCursor },
  });
