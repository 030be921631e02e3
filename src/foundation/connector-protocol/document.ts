import type { TSchema } from 'typebox';
import { CALLS, type CallName, type ConnectorCall } from '#foundation/connector-protocol/calls.ts';
import { CURSOR_MAX, EVENTS_MAX } from '#foundation/connector-protocol/events.ts';
import { ErrorBody, SettlementAccountId } from '#foundation/connector-protocol/values.ts';
import { referenced } from '#foundation/http/document/openapi.ts';
import type { WireNames } from '#foundation/lib/wire-names.ts';

type Json = Record<string, unknown>;

/** The OpenAPI document of the protocol, made from the declarations that read and check its bodies. */
export function connectorDocument(names: WireNames): Json {
  const components = new Map<string, Json>();
  const refer = (schema: TSchema): Json => withoutOwnFormats(referenced(schema, components)) as Json;
  const paths: Record<string, Json> = {};
  for (const name of Object.keys(CALLS) as CallName[]) {
    const call: ConnectorCall = CALLS[name];
    paths[call.path] = {
      ...paths[call.path],
      [call.method.toLowerCase()]: describeCall(name, call, names, refer),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Connectors of Corridor',
      version: '1',
      description: about(names),
      contact: { name: 'The operator of this service' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: 'https://connector.example.com', description: 'The URL at which you run your connector.' },
    ],
    paths,
    webhooks: { nudge: { post: describeNudge(names) } },
    components: {
      schemas: withoutOwnFormats(Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1)))),
    },
  };
}

const about = ({
  word,
}: WireNames) => `A connector is a service of yours that reaches a bank or a payment provider. Corridor makes
these calls; you implement them. \`corridor connector check\` tries your connector.

Every request is signed. \`X-${word}-Request-Id\` is a UUID, \`X-${word}-Signature-Key-Id\` names the secret, and
\`X-${word}-Signature\` is \`{"v":"2","t":"<time>","s":"<base64>"}\`. \`s\` is the HMAC-SHA256 of these lines, which line feeds join:
\`request\`, the method, the path with its query, the request id, \`t\`, and the SHA-256 of the body in hexadecimal. Refuse a
request with 401 if its signature is wrong or if \`t\` is more than five minutes off.

Sign every answer, refusals included, with the secret of its request. \`X-${word}-Store\` is the id of everything that you have
recorded; take a new one if you lose records. \`X-${word}-Signature\` signs: \`answer\`, the request id, the status, the store, \`t\`,
and the SHA-256 of the body in hexadecimal. **An answer that is not signed, or not described here, counts as no answer:** Corridor then asks again, and
never takes it for a failure of the payment.

Record an order durably before you answer, and before you tell your bank. \`FAILED\` and \`CANCELLED\` are promises that no money
moved and none will: if you do not know, say \`SENT\`. Ignore members that you do not know.`;

interface Words {
  readonly summary: string;
  readonly description: string;
}

const WORDS: Readonly<Record<CallName, Words>> = {
  getCapabilities: {
    summary: 'Say what you can do',
    description:
      'Corridor reads this every five minutes. It refuses capabilities that contradict themselves, and keeps the last good ones.',
  },
  putOrder: {
    summary: 'Take an order',
    description:
      '201 if the order is new. 200 with the order as it is now, and no other effect, if you know it with the same body; compare bodies as JSON. ' +
      '409 if you know it with another body. 400 if you will never take it. An order that was cancelled before it came is answered with `CANCELLED`.',
  },
  getOrder: {
    summary: 'Show an order',
    description:
      'Corridor asks when it does not know what became of an order. 404 says that you never received it: Corridor then sends it again.',
  },
  cancelOrder: {
    summary: 'Cancel an order',
    description:
      'Cancel what you have not given to your bank, for good. Otherwise answer with the order as it is. If you do not know the reference, remember it: ' +
      'the order may still be on its way, and must do nothing when it comes. It has no amount then.',
  },
  putAccount: {
    summary: 'Open an account',
    description:
      'Open an account for a customer, or answer `PENDING` and report the outcome with an `ACCOUNT` event. The same body again gives the account as it is.',
  },
  getAccount: { summary: 'Show an account', description: 'The account as it is now.' },
  closeAccount: {
    summary: 'Close an account',
    description: 'The second time gives the closed account again. Report money that still comes in.',
  },
  listEvents: {
    summary: 'List what happened',
    description:
      'All events in one list, oldest first, for at least 90 days. An event never changes; a correction is another event. ' +
      '410 if the cursor is not one of yours.',
  },
  getStatement: {
    summary: 'Give a statement',
    description:
      'The lines lead from opening to closing balance, to the unit, and the statement begins with the closing balance of the one before. 404 until it is there.',
  },
  checkName: {
    summary: 'Compare a name',
    description:
      'Compare a name with that of the holder of an account. The same reference again gives the same result.',
  },
  playOrder: {
    summary: 'Give an order a state',
    description:
      'Test mode only. An order stays `RECEIVED` until it is played. 409 if the order cannot reach this state.',
  },
  testCredit: {
    summary: 'Let money come in',
    description: 'Test mode only. The money comes in at the test bank, and a `CREDIT` event reports it.',
  },
};

/** connectors.md §7.11: the only call that a connector makes. */
function describeNudge(names: WireNames): Json {
  return {
    operationId: 'nudge',
    summary: 'Say that there are new events',
    description:
      'The only call that you may make: `POST /connectors/<name>/nudge` below the public URL of Corridor, with the name of your connector. Corridor then reads ' +
      'your events at once. Sign it as Corridor signs a request, with `nudge` as the first line and `/connectors/<name>/nudge` as the path. Its body may be ' +
      'empty. Without nudges your events are read every `pollSeconds`.',
    parameters: requestHeaders(names),
    responses: {
      204: { description: 'Your events are read now.' },
      401: { description: 'The signature is not good, or no connector has this name.' },
      429: { description: 'You have sent more than ten within a second.' },
    },
  };
}

const ONLY: Readonly<Record<NonNullable<ConnectorCall['only']>, string>> = {
  accounts: 'Needed only if your capabilities name `accounts`.',
  nameChecks: 'Needed only if your capabilities name `nameChecks`.',
  statements: 'Needed only if your capabilities say `statements: true`.',
  test: 'Without `test: true` in your capabilities it is 404.',
};

const ANSWERS: Readonly<Record<number, string>> = {
  200: 'The answer.',
  201: 'It is new, and recorded durably.',
  400: 'You will never take this.',
  401: 'The signature is missing, wrong, too old, or made with an unknown secret.',
  404: 'It does not exist.',
  409: 'It contradicts what you have recorded. Nothing changes.',
  410: 'The cursor is unknown.',
  429: 'You do not take it now, because there are too many calls.',
  503: 'You do not take it now.',
};

function describeCall(
  name: CallName,
  call: ConnectorCall,
  names: WireNames,
  refer: (schema: TSchema) => Json,
): Json {
  const { summary, description } = WORDS[name];
  const refusals = [...call.refusals, 400, 401, 429, 503].sort((a, b) => a - b);
  return {
    operationId: name,
    summary,
    description: call.only === undefined ? description : `${description} ${ONLY[call.only]}`,
    parameters: [...pathParameters(call), ...queryParameters(call), ...requestHeaders(names)],
    ...(call.body && {
      requestBody: { required: true, content: { 'application/json': { schema: refer(call.body) } } },
    }),
    responses: Object.fromEntries([
      ...call.statuses.map((status) => [status, describeAnswer(status, refer(call.answer), names)]),
      ...refusals.map((status) => [status, describeAnswer(status, refer(ErrorBody), names)]),
    ]),
  };
}

function describeAnswer(status: number, schema: Json, names: WireNames): Json {
  const isLater = status === 429 || status === 503;
  const headers = {
    [`X-${names.word}-Store`]: {
      required: true,
      description: 'The id of your store.',
      schema: { type: 'string' },
    },
    [names.signatureHeader]: {
      required: true,
      description: 'The signature of the answer.',
      schema: { type: 'string' },
    },
    ...(isLater && {
      'Retry-After': {
        required: true,
        description: 'Seconds until the call may be repeated; it counts as 1 to 600.',
        schema: { type: 'integer', minimum: 0 },
      },
    }),
  };
  return { description: ANSWERS[status], headers, content: { 'application/json': { schema } } };
}

function pathParameters({ path }: ConnectorCall): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    ...{ name, in: 'path', required: true },
    description:
      name === 'reference' ? 'The order: a UUID in lower case.' : 'The account: `InternalAccount:<uuid>`.',
    schema: { type: 'string' },
  }));
}

const QUERY: Readonly<
  Record<string, { readonly description: string; readonly required: boolean; readonly schema: unknown }>
> = {
  after: {
    required: false,
    description: 'A cursor of yours. Absent: begin with the first event.',
    schema: { type: 'string', maxLength: CURSOR_MAX },
  },
  limit: {
    required: false,
    description: 'The most events in the answer.',
    schema: { type: 'integer', minimum: 1, maximum: EVENTS_MAX, default: EVENTS_MAX },
  },
  settlementAccount: { required: true, description: 'The settlement account.', schema: SettlementAccountId },
  date: {
    required: true,
    description: 'The day, in the zone of the settlement account.',
    schema: { type: 'string', format: 'date' },
  },
};

function queryParameters({ query = [] }: ConnectorCall): Json[] {
  return query.map((name) => ({ name, in: 'query', ...QUERY[name] }));
}

function requestHeaders({ word, signatureHeader, signatureKeyIdHeader }: WireNames): Json[] {
  const described: [string, string][] = [
    [`X-${word}-Request-Id`, 'The id of the request, a UUID.'],
    [signatureKeyIdHeader, 'The secret that signed it: `ConnectorKey:<uuid>`.'],
    [signatureHeader, 'The signature of the request.'],
  ];
  return described.map(([name, description]) => ({
    ...{ name, in: 'header', required: true, description },
    schema: { type: 'string' },
  }));
}

/** Formats that other validators know; ours are described in words. */
const KNOWN_FORMATS = ['date', 'date-time'];

function withoutOwnFormats(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutOwnFormats);
  if (schema === null || typeof schema !== 'object') return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(
        ([key, value]) => key !== 'format' || typeof value !== 'string' || KNOWN_FORMATS.includes(value),
      )
      .map(([key, value]) => [key, withoutOwnFormats(value)]),
  );
}
