import assert from 'node:assert/strict';
import type { TSchema } from 'typebox';
import type { EventType } from '#foundation/events/types.ts';
import { type Example, shownExamples } from '#foundation/http/declare/example.ts';
import {
  callersOf,
  codesOf,
  keyConflictOf,
  keyRuleOf,
  type NamedOperation,
  statusOf,
} from '#foundation/http/declare/operation.ts';
import { errorSchemas } from '#foundation/http/document/error-schemas.ts';
import { type ApiFrame, OPERATORS_FRAME, platformsFrame } from '#foundation/http/document/frames.ts';
import { describeParameters } from '#foundation/http/document/openapi-parameters.ts';
import { propertiesOf, tagsOf } from '#foundation/http/field-errors.ts';
import { webhookExample } from '#foundation/lib/examples.ts';
import { CODES, type Code } from '#foundation/lib/refusals.ts';
import { API_VERSION, type WireNames } from '#foundation/lib/wire-names.ts';

/** One kind of webhook we send, as the document's `webhooks` section lists it. */
export interface WebhookDeclaration<Data = unknown> {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly body: TSchema;
  /** Example data, one for each type of event. */
  readonly examples?: Readonly<Partial<Record<EventType, Data>>>;
}

/** Areas that the reference shows together, each with a description. */
export interface AreaGroup {
  readonly name: string;
  readonly areas: Readonly<Record<string, string>>;
}

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the platforms' API, made from the same declarations that make the routes. */
export function openApiDocument(
  operations: readonly NamedOperation[],
  webhooks: readonly WebhookDeclaration[],
  names: WireNames,
  groups: readonly AreaGroup[] = [],
): Json {
  return describeAll(operations, webhooks, names, groups, platformsFrame(operations, names));
}

/** The document of what operators do over HTTP (operator.md §6). */
export function operatorsDocument(
  operations: readonly NamedOperation[],
  names: WireNames,
  groups: readonly AreaGroup[],
): Json {
  return describeAll(operations, [], names, groups, OPERATORS_FRAME);
}

function describeAll(
  operations: readonly NamedOperation[],
  webhooks: readonly WebhookDeclaration[],
  names: WireNames,
  groups: readonly AreaGroup[],
  frame: ApiFrame,
): Json {
  const components = new Map<string, Json>();
  const refer = (schema: unknown): Json => referenced(schema, components) as Json;
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation, names, refer) };
  }
  for (const [status, schema] of errorSchemas(frame.readers))
    refer({ ...schema, 'x-component': `Error${status}` });
  const document: Json = {
    openapi: '3.1.0',
    info: {
      title: frame.title,
      version: API_VERSION,
      description: frame.about,
      // Each operator is responsible for their own service: no address would be right for all of them.
      contact: { name: 'The operator of this service' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: frame.server }],
    security: frame.security,
    ...describeAreas(operations, groups),
    paths,
    webhooks: Object.fromEntries(webhooks.map((webhook) => [webhook.name, describeWebhook(webhook, refer)])),
  };
  document.components = {
    securitySchemes: frame.securitySchemes,
    headers: {
      RetryAfter: {
        description: 'Seconds after which the call may be repeated.',
        schema: { type: 'integer', minimum: 1 },
      },
    },
    schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
  return JSON.parse(names.outgoing(JSON.stringify(document))) as Json;
}

function describeAreas(operations: readonly NamedOperation[], groups: readonly AreaGroup[]): Json {
  const found = new Set(operations.map(({ area }) => area));
  const described = groups
    .flatMap(({ areas }) => Object.entries(areas))
    .filter(([name]) => found.delete(name))
    .map(([name, description]) => ({ name, description }));
  const tags = [...described, ...[...found].map((name) => ({ name }))];
  if (groups.length === 0) return { tags };
  return { tags, 'x-tagGroups': groups.map(({ name, areas }) => ({ name, tags: Object.keys(areas) })) };
}

function describe(operation: NamedOperation, names: WireNames, refer: (schema: unknown) => Json): Json {
  const usual = statusOf(operation);
  const others = Object.entries(operation.otherReplies ?? {}).map(([status, schema]) => [
    status,
    response(
      Number(status),
      schema,
      refer,
      shownExamples(operation.examples, replyWithStatus(Number(status))),
    ),
  ]);
  const parameters = describeParameters(operation, names, refer);
  return {
    operationId: operation.id,
    tags: [operation.area],
    summary: operation.summary,
    ...(operation.description !== undefined && { description: operation.description }),
    ...(operation.deprecated && { deprecated: true }),
    ...(operation.isExperimental && { 'x-experimental': true }),
    ...(operation.isBeyondContract && { 'x-beyond-contract': true }),
    ...(operation.access !== 'operator' && { security: describeSecurity(operation) }),
    ...(operation.operator && { 'x-roles': operation.operator.roles }),
    ...(operation.operator?.two && { 'x-second-operator': operation.operator.two }),
    ...(parameters.length > 0 && { parameters }),
    ...(operation.body && { requestBody: requestBody(operation, refer) }),
    responses: {
      [usual]: response(usual, operation.reply, refer, shownExamples(operation.examples, replyOf)),
      ...Object.fromEntries(others),
      ...errorResponses(operation),
    },
  };
}

function requestBody(operation: NamedOperation, refer: (schema: unknown) => Json): Json {
  const media = operation.multipart ? 'multipart/form-data' : 'application/json';
  const examples = shownExamples(operation.examples, ({ body }) => body);
  const content = { [media]: { schema: refer(operation.body), ...examples } };
  return { required: !operation.bodyOptional, content };
}

function response(
  status: number,
  schema: TSchema | undefined,
  refer: (schema: unknown) => Json,
  examples: Json,
): Json {
  if (!schema) return { description: 'Done; no content.' };
  const description =
    status === 201 ? 'Created.' : status === 202 ? 'Accepted; a further step is needed.' : 'Success.';
  return { description, content: { 'application/json': { schema: refer(schema), ...examples } } };
}

const replyOf = ({ status, reply }: Example) => (status === undefined ? reply : undefined);
const replyWithStatus =
  (other: number) =>
  ({ challenge, status, reply }: Example) =>
    status === other ? reply : challenge;

const SAYS_WHEN_AGAIN: ReadonlySet<Code> = new Set(['RATE_LIMITED', 'SERVICE_UNAVAILABLE']);
const RETRY_AFTER = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };

/** The errors of an operation: its own codes, and those that every operation may answer with. */
function errorResponses(operation: NamedOperation): Json {
  const codes = new Set<Code>(codesOf(operation));
  if (operation.access !== 'public')
    for (const code of ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED'] as const) codes.add(code);
  if (operation.body || operation.query) codes.add('INVALID_INPUT');
  if (keyRuleOf(operation) !== 'ignored')
    codes.add('INVALID_INPUT').add(keyConflictOf(operation)).add('CUSTOMER_DELETED');
  if (operation.operator?.stepUp) codes.add('STEP_UP_REQUIRED');
  if (operation.operator?.two) codes.add('PROPOSAL_PENDING');
  if (operation.body) codes.add('INVALID_REQUEST_FORMAT').add('REQUEST_TIMEOUT');
  for (const rule of Object.values(operation.params ?? {})) if ('id' in rule) codes.add(rule.missing);
  codes.add('INTERNAL_ERROR').add('SERVICE_UNAVAILABLE');
  const byStatus = Map.groupBy([...codes], (code) => CODES[code]);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, list]) => [
        status,
        {
          description: list.map((code) => `\`${code}\``).join(', '),
          ...(list.some((code) => SAYS_WHEN_AGAIN.has(code)) && { headers: RETRY_AFTER }),
          content: { 'application/json': { schema: { $ref: `#/components/schemas/Error${status}` } } },
        },
      ]),
  );
}

function describeWebhook(webhook: WebhookDeclaration, refer: (schema: unknown) => Json): Json {
  return {
    post: {
      operationId: `${camelCased(webhook.name)}Webhook`,
      summary: webhook.summary,
      description: webhook.description,
      security: [{ WebhookSignature: [] }],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: refer(webhook.body), ...eventExamples(webhook) } },
      },
      responses: {
        200: { description: 'Any 2xx: accepted.' },
        409: { description: 'Already received; counts as delivered.' },
      },
    },
  };
}

/** `card-transaction` becomes `cardTransaction`; a `-webhook` at the end is dropped. */
function camelCased(name: string): string {
  return name.replace(/-webhook$/, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function eventExamples({ examples = {} }: WebhookDeclaration): Json {
  const shown = Object.entries(examples).map(([type, data]) => [type, { value: webhookExample(type, data) }]);
  return shown.length > 0 ? { examples: Object.fromEntries(shown) } : {};
}

/** The security scheme of each kind of caller over HTTP. */
const SCHEMES = { token: 'BasicAuth', agent: 'AgentAuth' } as const;

function describeSecurity(operation: NamedOperation): Json[] {
  return callersOf(operation).flatMap((kind) =>
    kind === 'token' || kind === 'agent' ? [{ [SCHEMES[kind]]: [] }] : [],
  );
}

/**
 * JSON Schema's names of formats that our error replies name differently (platform.md §10.0.2): validators know a `url` as
 * well, but theirs refuses loopback addresses.
 */
const FORMAT_NAMES: Readonly<Record<string, string>> = { url: 'uri' };

function documentedFormat({ type, format }: Json): Json {
  const name = type === 'string' && typeof format === 'string' ? FORMAT_NAMES[format] : undefined;
  return name === undefined ? {} : { format: name };
}

/** Maps each tag to its branch; a mapping can only point to branches that have a name. */
function documentedDiscriminator({ discriminator, oneOf }: Json): Json {
  if (discriminator === undefined) return {};
  const { propertyName } = discriminator as { propertyName: string };
  const mapping: Record<string, string> = {};
  for (const branch of oneOf as (TSchema & { readonly 'x-component'?: string })[]) {
    for (const tag of tagsOf(propertiesOf(branch)[propertyName])) {
      assert(branch['x-component'], `a branch of a union by ${propertyName} has no name`);
      assert(!(tag in mapping), `${propertyName} ${tag} stands for two branches`);
      mapping[tag] = `#/components/schemas/${branch['x-component']}`;
    }
  }
  return { discriminator: { propertyName, mapping } };
}

/** Named schemas move into `components` once; everything else stays where it is. */
export function referenced(schema: unknown, components: Map<string, Json>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => referenced(item, components));
  if (schema === null || typeof schema !== 'object') return schema;
  const { 'x-component': name, ...rest } = schema as Json;
  const walked = Object.fromEntries(
    Object.entries({ ...rest, ...documentedFormat(rest), ...documentedDiscriminator(rest) })
      .filter(([key]) => !['x-id', 'x-ids', 'x-amount', 'x-minor-units'].includes(key))
      .map(([key, value]) => [key, referenced(value, components)]),
  );
  if (typeof name !== 'string') return walked;
  const known = components.get(name);
  if (known && JSON.stringify(known) !== JSON.stringify(walked))
    throw new Error(`two schemas are named ${name}`);
  components.set(name, walked);
  return { $ref: `#/components/schemas/${name}` };
}
