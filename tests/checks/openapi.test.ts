import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import { Ajv2020, type Format } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { describeApi, describeOperatorApi } from '#app/compose.ts';
import { EVENT_TYPES } from '#foundation/events/types.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { readSection } from '#tests/checks/rules.ts';
import { TEST_DOMAINS } from '#tests/harness/harness.ts';

interface Schema {
  $ref?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  oneOf?: Schema[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  discriminator?: { propertyName: string; mapping?: Record<string, string> };
}

interface Described {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: ({ name: string; in: string; required?: boolean; description?: string } & DescribedContent)[];
  requestBody?: { content: Record<string, DescribedContent> };
  responses: Record<string, { description?: string; content?: Record<string, DescribedContent> }>;
}

interface DescribedContent {
  schema: Schema;
  examples?: Record<string, { value: unknown }>;
}

interface Document {
  openapi: string;
  info: { title: string; version: string };
  servers: { url: string }[];
  tags: { name: string; description?: string }[];
  'x-tagGroups': { name: string; tags: string[] }[];
  paths: Record<string, Record<string, Described>>;
  webhooks: Record<string, Record<string, Described>>;
  components: {
    schemas: Record<string, Schema>;
    headers: Record<string, unknown>;
    securitySchemes: Record<string, unknown>;
  };
}

describe('the OpenAPI document', () => {
  let document: Document;
  let operations: { route: string; described: Described }[];

  before(() => {
    document = describeApi(wireNames('Svc'), TEST_DOMAINS) as unknown as Document;
    operations = Object.entries({ ...document.paths, ...document.webhooks }).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => ({ route: `${method} ${path}`, described })),
    );
  });

  it('is docs/openapi.json, so that every change of the interface shows in review', async () => {
    const text = await readFile(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
    assert.ok(
      text === `${JSON.stringify(document, null, 2)}\n`,
      'docs/openapi.json differs from the operations: run "npm run openapi" and look at what changed',
    );
  });

  it('docs/operators.openapi.json is the document of the operators’ operations', async () => {
    const described = describeOperatorApi(wireNames('Svc'), TEST_DOMAINS);
    const text = await readFile(new URL('../../docs/operators.openapi.json', import.meta.url), 'utf8');
    assert.ok(
      text === `${JSON.stringify(described, null, 2)}\n`,
      'docs/operators.openapi.json differs from the operations: run "npm run openapi" and look at what changed',
    );
  });

  it('is OpenAPI 3.1 with a title, a version, a server and named ways to sign in', () => {
    assert.match(document.openapi, /^3\.1\.\d$/);
    assert.ok(document.info.title && document.info.version);
    assert.deepEqual(document.servers, [{ url: '/svc/2025-10-13' }]);
    assert.ok(Object.keys(document.components.securitySchemes).length > 0);
  });

  it('names every operation once, in one known area, with a summary and a description', () => {
    const ids = operations.map(({ described }) => described.operationId).filter((id) => id !== undefined);
    assert.deepEqual(repeated(ids), []);
    const lacking = operations.filter(({ described }) => !described.summary || !described.description);
    assert.deepEqual(
      lacking.map(({ route }) => route),
      [],
    );
    const areas = new Set(document.tags.map(({ name }) => name));
    for (const { route, described } of operations.filter(({ route }) => route.includes('/'))) {
      assert.equal(described.tags?.length, 1, route);
      assert.ok(areas.has(described.tags?.[0] ?? ''), `${route}: ${described.tags}`);
    }
  });

  it('puts every area into one group, with a sentence that says what it is for', () => {
    for (const { name, description } of document.tags) assert.match(description ?? '', /^[A-Z].*\.$/s, name);
    const grouped = document['x-tagGroups'].flatMap(({ tags }) => tags);
    assert.deepEqual(
      grouped,
      document.tags.map(({ name }) => name),
    );
  });

  it('declares each parameter of each path, and no other', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const [method, { parameters = [] }] of Object.entries(methods)) {
        const declared = parameters.filter((parameter) => parameter.in === 'path');
        assert.deepEqual(declared.map(({ name }) => name).sort(), inPath.toSorted(), `${method} ${path}`);
        assert.ok(
          declared.every(({ required }) => required),
          `${method} ${path}`,
        );
        const keys = parameters.map(({ name, in: place }) => `${place} ${name}`);
        assert.deepEqual(repeated(keys), [], `${method} ${path}`);
      }
    }
  });

  it('describes every answer, including a success and the errors that any call can get', () => {
    for (const { route, described } of operations) {
      for (const [status, answer] of Object.entries(described.responses)) {
        assert.ok(answer.description, `${route} ${status}`);
      }
      assert.ok(
        Object.keys(described.responses).some((status) => /^2\d\d$/.test(status)),
        route,
      );
    }
  });

  it('shows each call with examples of its parameters, its body and its reply, under the same titles', () => {
    for (const { route, described } of operations.filter(({ route }) => route.includes('/'))) {
      const { parameters = [], requestBody, responses } = described;
      const shown = [...parameters, ...contentsOf(requestBody)].flatMap(titlesOf);
      const successes = Object.entries(responses).filter(([status]) => /^2/.test(status));
      const replies = successes.flatMap(([, success]) => contentsOf(success));
      const titles = replies.flatMap(titlesOf);
      assert.ok(replies.length === 0 || titles.length > 0, `${route} shows no reply`);
      assert.ok(!requestBody || shown.length > 0, `${route} shows no request`);
      if (replies.length > 0)
        assert.deepEqual(
          [...new Set(shown)].filter((title) => !titles.includes(title)),
          [],
          route,
        );
    }
  });

  it('refers only to components that it has, and has no unused component except errors', () => {
    const wanted = new Set<string>();
    walk(document, (node) => {
      if (typeof node.$ref === 'string') wanted.add(node.$ref);
    });
    const held = (['schemas', 'headers'] as const).flatMap((kind) =>
      Object.keys(document.components[kind]).map((name) => `#/components/${kind}/${name}`),
    );
    assert.deepEqual(
      [...wanted].filter((name) => !held.includes(name)),
      [],
    );
    assert.deepEqual(
      held.filter((name) => !wanted.has(name) && !/Error\d{3}$/.test(name)),
      [],
    );
  });

  it('distinguishes the branches of every union by a field that each has, and names the value of each branch', () => {
    let unions = 0;
    walk(document, (node, path) => {
      const { oneOf, discriminator } = node as Schema;
      if (!oneOf) return;
      unions++;
      assert.ok(discriminator?.mapping, `${path} has no discriminator`);
      const { propertyName, mapping } = discriminator;
      for (const branch of oneOf) {
        const { required = [], properties = {} } = resolve(document, branch);
        assert.ok(required.includes(propertyName), `${path}: ${branch.$ref}`);
        const { const: only, enum: tags = [only] } = resolve(document, properties[propertyName] ?? {});
        const mapped = Object.entries(mapping).filter(([, name]) => name === branch.$ref);
        assert.deepEqual(mapped.map(([tag]) => tag).sort(), tags.toSorted(), `${path}: ${branch.$ref}`);
      }
      const known = new Set(oneOf.map((branch) => branch.$ref));
      assert.ok(
        Object.values(mapping).every((name) => known.has(name)),
        path,
      );
    });
    assert.ok(unions > 100, `${unions}`);
  });

  it('describes every property of every schema, and every parameter', () => {
    const silent: string[] = [];
    walk(document, (node, path) => {
      for (const [name, property] of Object.entries((node as Schema).properties ?? {})) {
        if (!isTold(document, property)) silent.push(`${path}.${name}`);
      }
    });
    for (const { route, described } of operations) {
      for (const { name, description, schema } of described.parameters ?? []) {
        if (!description && !isTold(document, schema)) silent.push(`${route} ${name}`);
      }
    }
    assert.deepEqual(silent, []);
  });

  it('platform.md §10.0.2: names the format of an address as JSON Schema does: any validator takes our own loopback ones', () => {
    const addresses: string[] = [];
    walk(document, (node, path) => {
      assert.notEqual(node.format, 'url', path);
      if (node.format === 'uri') addresses.push(path);
    });
    assert.ok(addresses.length >= 12, `${addresses}`);
    const check = new Ajv2020({ formats: { uri: fullFormats.uri as Format } }).compile({ format: 'uri' });
    for (const address of [
      'http://127.0.0.1:9000/hooks',
      'http://localhost:8080/onboard/x',
      'https://[::1]/',
    ]) {
      assert.ok(check(address), address);
    }
  });

  // That changes only add is shown by comparing with a released document, once there is one.
  it('platform.md §1.1.2: marks deprecated fields, and does not list the removed failure reasons', () => {
    const deprecated: string[] = [];
    const reasons = new Set<string>();
    walk(document, (node, path) => {
      if (node.deprecated === true) deprecated.push(path);
      if (path.endsWith('.failureReason') && !path.includes('StablecoinOperation.')) {
        for (const reason of node.enum as string[]) reasons.add(reason);
      }
    });
    assert.deepEqual(deprecated, [
      'document.paths./transfer-in.post',
      'document.paths./transfer-out.post',
      'document.paths./cards.get.parameters.1.schema',
      'document.paths./cards.get.parameters.5.schema',
      'document.components.schemas.CardCreateRequest.properties.threeDSecurePassword',
      'document.components.schemas.CardCreateRequest.properties.cardholderId',
      'document.components.schemas.CardCreateRequest.properties.fundingSources',
      'document.components.schemas.CardUpdateRequest.properties.state',
      'document.components.schemas.CardUpdateRequest.properties.fundingSources',
      'document.components.schemas.ReconciliationInstructions.properties.transactionHash',
    ]);
    const gone = ['EXECUTION_FAILED_POST_DEBIT', 'SETTLEMENT_FAILED', 'TIMEOUT', 'MANUAL_REFUND'];
    assert.ok(reasons.size > 0);
    assert.deepEqual(
      gone.filter((reason) => reasons.has(reason)),
      [],
    );
  });

  it('platform.md §4.3: describes every type of event that is sent; the rule lists all of them', async () => {
    const section = readSection(await readFile('docs/rules/platform.md', 'utf8'), '4.3');
    const [table = '', declared = ''] = section.split('Declared and never sent today');
    const sent = [...table.matchAll(/^\| (`[^|]*)\|/gm)].flatMap(([, names = '']) => eventTypes(names));
    const described = JSON.stringify(
      Object.entries(document.components.schemas).filter(([name]) => name.includes('Webhook')),
    );
    assert.deepEqual(
      sent.filter((type) => !described.includes(`"${type}"`)),
      [],
    );
    const others = EVENT_TYPES.filter((type) => !sent.includes(type));
    const isDeclared = (type: string) =>
      declared.includes(type) || declared.includes(`${type.split('.')[0]}.*`);
    assert.deepEqual(
      others.filter((type) => !isDeclared(type)),
      [],
    );
    assert.deepEqual(
      sent.filter((type) => !EVENT_TYPES.some((known) => known === type)),
      [],
    );
  });

  it('has what linters require: a contact, an id for every operation, and no schema that says nothing', () => {
    assert.ok((document.info as { contact?: { name?: string } }).contact?.name);
    const unnamed = operations.filter(
      ({ described }) => !/^[a-z][A-Za-z0-9]*$/.test(described.operationId ?? ''),
    );
    assert.deepEqual(
      unnamed.map(({ route }) => route),
      [],
    );
    const empty: string[] = [];
    const look = (node: unknown, path: string): void => {
      if (node === null || typeof node !== 'object') return;
      for (const [key, value] of Object.entries(node)) {
        const isUnion = ['anyOf', 'oneOf', 'allOf'].includes(key) && Array.isArray(value);
        if (isUnion && (value.length === 0 || value.some((branch) => Object.keys(branch).length === 0)))
          empty.push(`${path}/${key}`);
        look(value, `${path}/${key}`);
      }
    };
    look(document.components.schemas, '');
    look(document.paths, '');
    assert.deepEqual(empty, []);
  });

  it('cards.md §0.1: with its overlay it accepts a card under the older names, as the service does, and neither name is missing', async () => {
    const text = await readFile(
      new URL('../../docs/openapi.older-names.overlay.json', import.meta.url),
      'utf8',
    );
    const { actions } = JSON.parse(text) as { actions: OverlayAction[] };
    const changed = actions.reduce(overlaid, structuredClone(document)) as Document;
    const isTaken = (described: Document, body: object) => {
      const ajv = new Ajv2020({ strict: false, validateFormats: false });
      ajv.addSchema({ $id: 'https://api.test/openapi.json', components: described.components });
      return ajv.validate(
        { $ref: 'https://api.test/openapi.json#/components/schemas/CardCreateRequest' },
        body,
      );
    };
    const id = '019542f5-b3e7-7d02-8000-000000000099';
    const account = `InternalAccount:${id}`;
    const today = { customerId: `Customer:${id}`, form: 'VIRTUAL', fundingSource: account };
    const older = { cardholderId: `Customer:${id}`, form: 'VIRTUAL', fundingSources: [account] };
    assert.deepEqual([isTaken(document, today), isTaken(document, older)], [true, false]);
    assert.deepEqual([isTaken(changed, today), isTaken(changed, older)], [true, true]);
    for (const field of ['cardholderId', 'form', 'fundingSources'] as const) {
      const { [field]: _, ...rest } = older;
      assert.equal(isTaken(changed, rest), false, field);
    }
  });

  it('platform.md §1.2.1: requires the id of every resource in a reply, so that typed clients need not check', () => {
    const optional = Object.entries(document.components.schemas)
      .filter(([, { properties = {}, required = [] }]) => 'id' in properties && !required.includes('id'))
      .map(([name]) => name);
    assert.deepEqual(optional, []);
  });

  it('requires only properties that it declares', () => {
    walk(document, (node, path) => {
      const { properties, required = [] } = node as Schema;
      if (!properties || !Array.isArray(required)) return;
      assert.deepEqual(
        required.filter((name) => !(name in properties)),
        [],
        path,
      );
    });
  });
});

function contentsOf(part: { content?: Record<string, DescribedContent> } | undefined): DescribedContent[] {
  return Object.values(part?.content ?? {});
}

function titlesOf({ examples = {} }: DescribedContent): string[] {
  return Object.keys(examples);
}

function isTold(document: Document, schema: Schema): boolean {
  return Boolean(schema.description ?? resolve(document, schema).description);
}

function resolve(document: Document, schema: Schema): Schema {
  const name = schema.$ref?.slice('#/components/schemas/'.length);
  return name === undefined ? schema : (document.components.schemas[name] ?? {});
}

/** `A.X`, `.Y` are `A.X` and `A.Y`. */
function eventTypes(names: string): string[] {
  let resource = '';
  return [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => {
    if (!name.startsWith('.')) resource = name.split('.')[0] ?? '';
    return name.startsWith('.') ? `${resource}${name}` : name;
  });
}

/** Visits every object of the document, with the way to it. */
function walk(
  root: unknown,
  visit: (node: Record<string, unknown>, path: string) => void,
  path = 'document',
): void {
  if (root === null || typeof root !== 'object') return;
  if (!Array.isArray(root)) visit(root as Record<string, unknown>, path);
  for (const [name, member] of Object.entries(root)) walk(member, visit, `${path}.${name}`);
}

function repeated(names: readonly string[]): string[] {
  return names.filter((name, i) => names.indexOf(name) !== i);
}

/** An action of an OpenAPI overlay, whose target is a plain path here. */
interface OverlayAction {
  readonly target: string;
  readonly remove?: boolean;
  readonly update?: object;
}

function overlaid(document: unknown, { target, remove, update }: OverlayAction): unknown {
  const path = target.replace(/^\$\./, '').split('.');
  const last = path.pop() ?? '';
  const holder = path.reduce((at, name) => at[name] as Tree, document as Tree);
  assert.ok(last in holder, target);
  if (remove) delete holder[last];
  else Object.assign(holder[last] as Tree, update);
  return document;
}

type Tree = Record<string, unknown>;
