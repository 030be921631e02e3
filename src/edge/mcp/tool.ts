import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import { type AgentRoute, permissionsOf } from '#capabilities/agents/permissions.ts';
import type { AgentPermission } from '#capabilities/agents/schemas.ts';
import type { AgentApi, ApiCall, ApiReply } from '#edge/mcp/agent-api.ts';
import type { OwnCurrencies } from '#foundation/lib/currencies.ts';

export interface ToolResult {
  /** The outcome, in the service's own words. */
  readonly outcome: string;
  readonly data: object;
}

/** One tool: an operation under `/agents/me`, in words that a model can act on (agents.md §6.2). */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly route: AgentRoute;
  /** Listed for agents with one of these permissions; empty: for all. */
  readonly needs: readonly AgentPermission[];
  readonly input: TObject;
  /** The schema of its structured content on success. */
  readonly output: TSchema;
  /** Tells clients whether it changes anything, and whether a repetition changes more. */
  readonly kind: 'read' | 'write' | 'pay';
  /** The operation's field names → this tool's names, where the two differ. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Refuses what the operation itself could not check: by throwing, or by returning the reply to use instead. */
  check?(args: object, api: AgentApi): Promise<ApiReply | undefined>;
  request(args: object): ApiCall;
  /** Throws a refusal if the reply does not match the request. */
  checkReply?(body: never, args: object): void;
  /** Currencies that the reply names by their code, without their decimals. */
  currenciesOf?(body: never): readonly string[];
  present(body: never, own: OwnCurrencies): ToolResult;
}

/** Its functions get validated arguments only. */
export function tool<Fields extends TProperties>(
  declared: Omit<Tool, 'needs' | 'input' | 'check' | 'request' | 'checkReply'> & {
    /** Fewer agents than its operation takes. */
    readonly needs?: readonly AgentPermission[];
    readonly input: TObject<Fields>;
    check?(args: Static<TObject<Fields>>, api: AgentApi): Promise<ApiReply | undefined>;
    request(args: Static<TObject<Fields>>): ApiCall;
    checkReply?(body: never, args: Static<TObject<Fields>>): void;
  },
): Tool {
  return { needs: permissionsOf(declared.route), ...declared } as unknown as Tool;
}

export const inputs = <Fields extends TProperties>(fields: Fields): TObject<Fields> =>
  Type.Object(fields, { additionalProperties: false });
/** Ids are printable ASCII, because a key or a path cannot contain other characters. */
export const id = (description: string) =>
  Type.String({ minLength: 1, maxLength: 200, pattern: '^[!-~]*$', description });

export const PAGE = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Maximum number of entries.' })),
  cursor: Type.Optional(Type.String({ description: 'The nextCursor of the previous page.' })),
};

/** Converts the given arguments to a query. */
export function queryOf(args: object): { query: Record<string, string> } {
  const given = Object.entries(args).filter(([, value]) => value !== undefined && value !== null);
  return { query: Object.fromEntries(given.map(([name, value]) => [name, String(value)])) };
}

export interface Page<Item> {
  readonly data: readonly Item[];
  readonly hasMore: boolean;
  readonly nextCursor?: string;
}

export const asList =
  <Item>(what: string, present: (item: Item, own: OwnCurrencies) => object) =>
  ({ data, hasMore, nextCursor }: Page<Item>, own: OwnCurrencies): ToolResult => ({
    outcome: `${data.length} ${what}${hasMore ? '; there are more: call again with nextCursor as cursor' : ''}.`,
    data: { items: data.map((item) => present(item, own)), hasMore, nextCursor },
  });
