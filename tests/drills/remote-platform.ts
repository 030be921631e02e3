import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { ApiRequest, Deployment } from '#tests/drills/deployment.ts';
import { command } from '#tests/harness/command-line.ts';
import type { Environment } from '#tests/harness/corridor-process.ts';
import type { Answered, Call, TestPlatform } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { createReceiver, type Receiver } from '#tests/harness/receiver.ts';

export interface RemotePlatform extends TestPlatform {
  readonly receiver: Receiver;
}

/**
 * A new platform of a real server, called over HTTP like the in-process platforms of tests. Each call is repeated under its
 * key until it is answered, however often the server dies meanwhile.
 */
export async function createRemotePlatform(
  site: Pick<Deployment, 'ask' | 'environment'>,
  settings: readonly string[],
): Promise<RemotePlatform> {
  const { id, ...facts } = await createPlatform(site.environment, settings);
  const receiver = await createReceiver();
  const platform = await callRemotely(site, { id: uuidOf(id), ...facts });
  const self: RemotePlatform = { ...platform, receiver, receive: async () => receiver };
  const set = await self.call('updatePlatformConfig', { body: { webhookEndpoint: receiver.url } });
  assert.equal(set.status, 200, set.raw);
  return self;
}

/** A platform that exists, called over HTTP. */
export async function callRemotely(
  site: Pick<Deployment, 'ask'>,
  facts: Pick<TestPlatform, 'id' | 'authorization' | 'webhookPublicKey'>,
): Promise<TestPlatform> {
  const operations = await readOperations();
  const nothingBelow = () => Promise.reject(new Error('there is no way below the API of another process'));
  const self: TestPlatform = {
    ...facts,
    call: (operationId, call) => self.send(operationId, call as Call),
    async send(operationId, call = {}) {
      const operation = operations.get(operationId);
      assert.ok(operation, `no operation ${operationId}`);
      return (await ask(site, operation, call, self.authorization)) as Answered<never>;
    },
    work: nothingBelow,
    receive: nothingBelow,
  };
  return self;
}

/** Creates a platform by the operator's command. */
export async function createPlatform(environment: Environment, settings: readonly string[]) {
  const words = ['platform', 'create', '--name', 'Drill', '--json'];
  const made = await command([...words, ...settings.flatMap((text) => ['--set', text])], environment);
  assert.equal(made.code, 0, made.stderr);
  const { clientId, clientSecret, ...facts } = JSON.parse(made.stdout) as Record<
    'id' | 'clientId' | 'clientSecret' | 'webhookPublicKey',
    string
  >;
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  return { ...facts, authorization };
}

interface Route {
  readonly method: ApiRequest['method'];
  readonly path: string;
}

async function readOperations(): Promise<Map<string, Route>> {
  const text = await readFile(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, { operationId: string }>> };
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => {
        return [operationId, { method: method.toUpperCase() as Route['method'], path }] as const;
      }),
    ),
  );
}

async function ask(
  site: Pick<Deployment, 'ask'>,
  { method, path }: Route,
  call: Call,
  authorization: string,
): Promise<Answered> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(call.query ?? {})) {
    for (const item of [value].flat()) query.append(name, String(item));
  }
  const place = path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(call.params?.[name] ?? ''),
  );
  const answer = await site.ask({
    method,
    path: query.size > 0 ? `${place}?${query}` : place,
    authorization: call.as ?? authorization,
    ...(call.body !== undefined && { body: call.body }),
    ...(call.key !== undefined && { key: call.key }),
  });
  const isJson = String(answer.headers['content-type'] ?? '').startsWith('application/json');
  return {
    status: answer.status,
    headers: answer.headers,
    raw: answer.text,
    body: isJson ? JSON.parse(answer.text) : {},
  };
}
