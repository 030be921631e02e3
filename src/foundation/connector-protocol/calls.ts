import type { Static, TSchema } from 'typebox';
import {
  AccountReport,
  AccountRequest,
  checkAccount,
  checkStatement,
  NameCheckReport,
  NameCheckRequest,
  Statement,
} from '#foundation/connector-protocol/bank-records.ts';
import { Capabilities, checkCapabilities } from '#foundation/connector-protocol/capabilities.ts';
import { checkPage, EventPage } from '#foundation/connector-protocol/events.ts';
import { checkOrder, OrderBody, OrderReport } from '#foundation/connector-protocol/orders.ts';
import { PlayRequest, TestCredit } from '#foundation/connector-protocol/test-mode.ts';
import { checkValue, type Problem } from '#foundation/connector-protocol/values.ts';

/** Every call of the protocol: what is sent, and what a signed answer may be (connectors.md §1.3). */
export interface ConnectorCall<Answer extends TSchema = TSchema> {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Parameters in braces. */
  readonly path: string;
  readonly query?: readonly string[];
  readonly body?: TSchema;
  readonly answer: Answer;
  /** The fault of the body of a 2xx. */
  check(value: unknown): readonly Problem[];
  /** The statuses of an answer with `answer`. */
  readonly statuses: readonly (200 | 201)[];
  /** The statuses of a refusal that say something about this call alone. */
  readonly refusals: readonly (404 | 409 | 410)[];
  /** It exists only where the capabilities name this. */
  readonly only?: 'accounts' | 'nameChecks' | 'statements' | 'test';
}

function call<Answer extends TSchema>(
  definition: Omit<ConnectorCall<Answer>, 'check'> & Partial<Pick<ConnectorCall, 'check'>>,
): ConnectorCall<Answer> {
  return { check: (value) => checkValue(definition.answer, value), ...definition };
}

export const CALLS = {
  getCapabilities: call({
    method: 'GET',
    path: '/capabilities',
    answer: Capabilities,
    check: checkCapabilities,
    statuses: [200],
    refusals: [],
  }),
  putOrder: call({
    method: 'PUT',
    path: '/orders/{reference}',
    body: OrderBody,
    answer: OrderReport,
    check: checkOrder,
    statuses: [201, 200],
    refusals: [409],
  }),
  getOrder: call({
    method: 'GET',
    path: '/orders/{reference}',
    answer: OrderReport,
    check: checkOrder,
    statuses: [200],
    refusals: [404],
  }),
  cancelOrder: call({
    method: 'POST',
    path: '/orders/{reference}/cancel',
    answer: OrderReport,
    check: checkOrder,
    statuses: [200],
    refusals: [],
  }),
  putAccount: call({
    method: 'PUT',
    path: '/accounts/{accountId}',
    body: AccountRequest,
    answer: AccountReport,
    check: checkAccount,
    statuses: [201, 200],
    refusals: [409],
    only: 'accounts',
  }),
  getAccount: call({
    method: 'GET',
    path: '/accounts/{accountId}',
    answer: AccountReport,
    check: checkAccount,
    statuses: [200],
    refusals: [404],
    only: 'accounts',
  }),
  closeAccount: call({
    method: 'DELETE',
    path: '/accounts/{accountId}',
    answer: AccountReport,
    statuses: [200],
    refusals: [404],
    only: 'accounts',
  }),
  listEvents: call({
    method: 'GET',
    path: '/events',
    query: ['after', 'limit'],
    answer: EventPage,
    check: checkPage,
    statuses: [200],
    refusals: [410],
  }),
  getStatement: call({
    method: 'GET',
    path: '/statements',
    query: ['settlementAccount', 'date'],
    answer: Statement,
    check: checkStatement,
    statuses: [200],
    refusals: [404],
    only: 'statements',
  }),
  checkName: call({
    method: 'POST',
    path: '/name-checks',
    body: NameCheckRequest,
    answer: NameCheckReport,
    statuses: [200],
    refusals: [],
    only: 'nameChecks',
  }),
  playOrder: call({
    method: 'POST',
    path: '/test/play',
    body: PlayRequest,
    answer: OrderReport,
    check: checkOrder,
    statuses: [200],
    refusals: [404, 409],
    only: 'test',
  }),
  testCredit: call({
    method: 'POST',
    path: '/test/credit',
    body: TestCredit,
    answer: TestCredit,
    statuses: [200],
    refusals: [404, 409],
    only: 'test',
  }),
} as const;

export type CallName = keyof typeof CALLS;
export type AnswerOf<N extends CallName> = Static<(typeof CALLS)[N]['answer']>;

/** Any call may be answered with these, too. */
export const ANY_REFUSALS = [400, 401, 429, 503] as const;

/** The statuses that make Corridor send the same again after `Retry-After`. */
export const LATER = [429, 503] as const;

/** The most bytes of an order and of an answer (connectors.md §1.2). */
export const REQUEST_MAX_BYTES = 64 * 1024;
export const ANSWER_MAX_BYTES = 4 * 1024 * 1024;
const CAPABILITIES_MAX_BYTES = 256 * 1024;

export function answerMaxBytes(name: CallName): number {
  return name === 'getCapabilities' ? CAPABILITIES_MAX_BYTES : ANSWER_MAX_BYTES;
}

/** connectors.md §1.1: a call ends after this time. */
export const CALL_TIMEOUT_MS = 20_000;

/** The path of a call below the configured URL, with its query. */
export function pathOf(
  name: CallName,
  parameters: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const path = CALLS[name].path.replace(/\{(\w+)\}/g, (_whole, parameter: string) =>
    encodeURIComponent(parameters[parameter] ?? ''),
  );
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}
