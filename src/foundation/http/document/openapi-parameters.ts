import { type Example, shownExamples } from '#foundation/http/declare/example.ts';
import { keyRuleOf, type NamedOperation } from '#foundation/http/declare/operation.ts';
import type { WireNames } from '#foundation/lib/wire-names.ts';

type Json = Record<string, unknown>;
const EXAMPLE_KEY = '5a0e7a0c-6a53-4f0e-9d5e-2f1b8f0c1d77';

type Refer = (schema: unknown) => Json;

/** The parameters of an operation outside its body, as the document lists them. */
export function describeParameters(operation: NamedOperation, names: WireNames, refer: Refer): Json[] {
  return [
    ...pathParameters(operation),
    ...queryParameters(operation, refer),
    ...keyHeader(operation),
    ...signatureHeaders(operation, names),
  ];
}

function pathParameters(operation: NamedOperation): Json[] {
  return Object.entries(operation.params ?? {}).map(([name, rule]) => ({
    name,
    in: 'path',
    required: true,
    description: 'id' in rule ? (rule.description ?? `\`${rule.id}:<uuid>\`, or the bare UUID.`) : rule.text,
    schema: { type: 'string' },
    ...shownExamples(operation.examples, ({ params }) => params && Reflect.get(params, name)),
  }));
}

function queryParameters(operation: NamedOperation, refer: Refer): Json[] {
  const { properties = {}, required = [] } = (operation.query ?? {}) as {
    properties?: Json;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest } = refer(schema);
    return {
      name,
      in: 'query',
      required: required.includes(name),
      ...(description !== undefined && { description }),
      schema: rest,
      ...shownExamples(operation.examples, ({ query }) => query && Reflect.get(query, name)),
    };
  });
}

function keyHeader(operation: NamedOperation): Json[] {
  const rule = keyRuleOf(operation);
  if (rule === 'ignored') return [];
  const description = operation.idempotency?.secretReply
    ? 'A repeated call with the same key has no second effect, and its reply is not sent again.'
    : 'A repeated call with the same key and body gets the same reply and has no second effect.';
  const schema = { type: 'string', minLength: 1, maxLength: 255 };
  const header = { name: 'Idempotency-Key', in: 'header', description, schema };
  if (rule === 'optional') return [{ ...header, required: false }];
  // A required key comes with an example.
  return [{ ...header, required: true, example: EXAMPLE_KEY }];
}

function signatureHeaders({ signed, examples }: NamedOperation, names: WireNames): Json[] {
  if (!signed) return [];
  const header = (name: string, description: string, pick: (example: Example) => unknown): Json => ({
    ...{ name, in: 'header', required: false, description, schema: { type: 'string' } },
    ...shownExamples(examples, pick),
  });
  const payload = signed.withoutRequestId ? 'the payload to sign' : 'the payload of the first leg';
  const about = 'The `requestId` from the reply to the first leg.';
  return [
    header(names.walletSignatureHeader, `Signature over ${payload}.`, ({ signature }) => signature),
    ...(signed.withoutRequestId ? [] : [header('Request-Id', about, requestIdOf)]),
  ];
}

function requestIdOf({ challenge, requestId = challenge?.requestId }: Example): string | undefined {
  return requestId;
}
