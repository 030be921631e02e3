import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describeApi } from '#app/compose.ts';
import { FORMATS } from '#foundation/http/read/formats.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { TEST_DOMAINS } from '#tests/harness/harness.ts';
import type { Received } from '#tests/harness/receiver.ts';

export type WebhookCheck = (body: Received['body']) => void;

/**
 * Checks a webhook's body against the OpenAPI document, without additional fields, as strictly as replies are checked
 * against their operations (tests/harness/reply-check.ts).
 */
export function createWebhookCheck(): WebhookCheck {
  const document = describeApi(wireNames('Svc'), TEST_DOMAINS) as unknown as Document;
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    formats: { ...FORMATS, uri: FORMATS.url ?? true },
  });
  const compiled = new Map<string, ValidateFunction>();
  return (body) => {
    const name = NAMES[body.type.split('.')[0] ?? ''];
    assert.ok(name, `${body.type} is not declared`);
    const declared = document.webhooks[name]?.post.requestBody.content['application/json'].schema;
    assert.ok(declared, `the document has no webhook ${name}`);
    const validate = compiled.get(name) ?? ajv.compile(closed(declared, document));
    compiled.set(name, validate);
    const explain = () => `${body.type}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`;
    assert.ok(validate(body), explain());
  };
}

/** The document's webhook for the events of each kind of resource. */
const NAMES: Readonly<Record<string, string>> = {
  OUTGOING_PAYMENT: 'outgoing-payment',
  INCOMING_PAYMENT: 'incoming-payment',
  INTERNAL_ACCOUNT: 'internal-account-status',
  EXTERNAL_ACCOUNT: 'external-account-status',
  CUSTOMER: 'customer-update',
  TEST: 'test-webhook',
};

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
}

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly webhooks: Readonly<
    Record<
      string,
      { post: { requestBody: { content: { 'application/json': { readonly schema: Schema } } } } }
    >
  >;
}

/** The parts of an `allOf` each allow additional fields; the whole refuses fields that no part names. */
function closed(schema: Schema, document: Document, isPart = false): Schema {
  const { $ref, allOf, oneOf, anyOf, items, properties, additionalProperties, ...rest } = schema;
  if ($ref !== undefined) {
    const named = document.components.schemas[$ref.slice($ref.lastIndexOf('/') + 1)];
    assert.ok(named, $ref);
    return closed(named, document, isPart);
  }
  const each = (list: readonly Schema[], part: boolean) => list.map((one) => closed(one, document, part));
  const open = isPart && additionalProperties === true ? undefined : additionalProperties;
  const isClosed = properties !== undefined && open === undefined && !isPart;
  const bound = isClosed ? false : open;
  return {
    ...rest,
    ...(allOf && { allOf: each(allOf, true), ...(!isPart && { unevaluatedProperties: false }) }),
    ...(oneOf && { oneOf: each(oneOf, isPart) }),
    ...(anyOf && { anyOf: each(anyOf, isPart) }),
    ...(items && { items: closed(items, document) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, closed(property, document)]),
      ),
    }),
    ...(bound !== undefined && { additionalProperties: bound }),
  };
}
