import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { CALLS } from '#foundation/connector-protocol/calls.ts';
import { connectorDocument } from '#foundation/connector-protocol/document.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';

describe('the OpenAPI document of connectors', () => {
  it('docs/connectors.openapi.json is current: npm run openapi writes it', async () => {
    const written = JSON.parse(await readFile('docs/connectors.openapi.json', 'utf8'));
    assert.deepEqual(written, JSON.parse(JSON.stringify(connectorDocument(wireNames('Svc')))));
  });

  it('connectors.md §1.3: it has every call, and every status that counts', () => {
    const { paths } = connectorDocument(wireNames('Svc')) as {
      paths: Record<string, Record<string, Described>>;
    };
    for (const [name, { path, method, statuses, refusals }] of Object.entries(CALLS)) {
      const described = paths[path]?.[method.toLowerCase()];
      assert.equal(described?.operationId, name);
      const expected = [...statuses, ...refusals, 400, 401, 429, 503].map(String).sort();
      assert.deepEqual(Object.keys(described?.responses ?? {}).sort(), expected, name);
    }
  });

  it('connectors.md §7.11: it has the nudge, with the headers of a signed request', () => {
    const { webhooks } = connectorDocument(wireNames('Svc')) as {
      webhooks: { nudge: { post: Described & { parameters: { name: string; required: boolean }[] } } };
    };
    const { parameters, responses } = webhooks.nudge.post;
    assert.deepEqual(Object.keys(responses), ['204', '401', '429']);
    assert.deepEqual(
      parameters.filter(({ required }) => required).map(({ name }) => name),
      ['X-Svc-Request-Id', 'X-Svc-Signature-Key-Id', 'X-Svc-Signature'],
    );
  });

  it('every reference leads to a schema, and headers carry the name of the service', () => {
    const text = JSON.stringify(connectorDocument(wireNames('Acme')));
    const { components } = JSON.parse(text) as { components: { schemas: Record<string, unknown> } };
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      assert(Object.hasOwn(components.schemas, name), name);
    }
    assert.match(text, /X-Acme-Store/);
    assert.doesNotMatch(text, /X-Svc-/);
  });

  it('every member of a body is described', () => {
    const { components } = connectorDocument(wireNames('Svc')) as {
      components: { schemas: Record<string, Schema> };
    };
    const bare = Object.entries(components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, member]) => !member.description && !member.$ref && member.const === undefined)
        .map(([member]) => `${name}.${member}`),
    );
    assert.deepEqual(bare, []);
  });
});

interface Described {
  readonly operationId: string;
  readonly responses: Record<string, unknown>;
}

interface Schema {
  readonly properties?: Record<string, { description?: string; $ref?: string; const?: unknown }>;
}
