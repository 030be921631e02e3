// lane: whole — searches every table for planted values

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { redactBySchema } from '#edge/request-log/redact.ts';
import { loadRequest } from '#edge/request-log/routes.ts';
import { sql } from '#foundation/database/sql.ts';
import { type NamedOperation, statusOf } from '#foundation/http/declare/operation.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { testWorld } from '#tests/harness/harness.ts';

/** A name, an IBAN, a card number, a secret and a birthday in one text, for any field. */
const TEXT = 'Planted Person DE89370400440532013000 4111111111111111 sk_live_planted 1815-12-10';
const NUMBER = 4_111_111_111_111_111;
const PLANTED = /planted|DE8937|411111|1815-12/i;
/** The same as the name of a field. */
const NAME = 'field DE89370400440532013000 4111111111111111 1815-12-10 planted';

type Path = readonly (string | number)[];

/** Every path in a value that leads to a string or a number. */
function* leaves(value: unknown, at: Path = []): Generator<Path> {
  if (typeof value === 'string' || typeof value === 'number') yield at;
  else if (Array.isArray(value)) for (const [i, item] of value.entries()) yield* leaves(item, [...at, i]);
  else if (value !== null && typeof value === 'object')
    for (const [name, item] of Object.entries(value)) yield* leaves(item, [...at, name]);
}

function planted(value: unknown, at: Path): unknown {
  const copy = structuredClone(value);
  let here = copy as Record<string | number, unknown>;
  for (const step of at.slice(0, -1)) here = here[step] as typeof here;
  const last = at.at(-1) ?? '';
  here[last] = typeof here[last] === 'number' ? NUMBER : TEXT;
  return copy;
}

/** Plants the text everywhere at once, except in fields that select a variant. */
function plantedThroughout(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return /type$/i.test(name) ? value : TEXT;
  if (Array.isArray(value)) return value.map((item) => plantedThroughout(item, name));
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).map(([key, item]) => [key, plantedThroughout(item, key)]);
  return Object.fromEntries([...members, [NAME, TEXT]]);
}

interface AnySchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, AnySchema>>;
  readonly items?: AnySchema;
  readonly oneOf?: readonly AnySchema[];
  readonly anyOf?: readonly AnySchema[];
}

/** Fields whose choices and numbers are kept, at any depth. */
function keptNames(schema: AnySchema | undefined): string[] {
  const branches = [
    ...(schema?.oneOf ?? []),
    ...(schema?.anyOf ?? []),
    ...(schema?.items ? [schema.items] : []),
  ];
  const own = Object.entries(schema?.properties ?? {}).flatMap(([name, property]) => {
    const isKept = samplesOf(property).some(
      (sample) =>
        JSON.stringify(redactBySchema({ properties: { [name]: property } })({ [name]: sample })) ===
        JSON.stringify({ [name]: sample }),
    );
    return [...(isKept ? [name] : []), ...keptNames(property)];
  });
  return [...own, ...branches.flatMap(keptNames)];
}

function samplesOf({ type, enum: choices, const: only, items, anyOf = [] }: AnySchema): unknown[] {
  if (items) return samplesOf(items).map((sample) => [sample]);
  if (only !== undefined) return [only];
  if (choices) return choices.slice(0, 1);
  if (type === 'boolean') return [true];
  if (type === 'integer' || type === 'number') return [1];
  return anyOf.flatMap(samplesOf);
}

describe('the content of the request log', () => {
  const world = testWorld();

  const examplesOf = (operation: NamedOperation) => Object.entries(operation.examples ?? {});

  it('platform.md §11.2: keeps no text that is planted in any field of any example request or reply', () => {
    let tried = 0;
    for (const operation of world.app.operations) {
      for (const [title, { body, query, reply, status }] of examplesOf(operation)) {
        const replySchema =
          status === undefined || status === statusOf(operation)
            ? operation.reply
            : operation.otherReplies?.[status];
        for (const [schema, value] of [
          [operation.body, body],
          [operation.query, query],
          [replySchema, reply],
        ] as const) {
          if (!schema || value === undefined) continue;
          for (const at of leaves(value)) {
            const kept = JSON.stringify(redactBySchema(schema)(planted(value, at)));
            assert.doesNotMatch(kept, PLANTED, `${operation.id}, ${title}: ${at.join('.')}`);
            tried++;
          }
          assert.doesNotMatch(
            JSON.stringify(redactBySchema(schema)(plantedThroughout(value))),
            PLANTED,
            operation.id,
          );
        }
      }
    }
    assert.ok(tried > 2_000, `${tried} places`);
  });

  it('platform.md §11.2: keeps only these choices and numbers of a person or a business', () => {
    const operations = [
      'createCustomer',
      'updateCustomerById',
      'createBeneficialOwner',
      'updateBeneficialOwner',
    ];
    const kept = new Set<string>();
    for (const id of operations) {
      const { body, reply } = world.app.operations.find((operation) => operation.id === id) ?? {};
      for (const schema of [body, reply]) for (const name of keptNames(schema)) kept.add(name);
    }
    assert.deepEqual([...kept].sort(), [
      ...['acceptanceMethod', 'businessType', 'customerType', 'email', 'entityType', 'isDeleted'],
      ...['kybStatus', 'kycStatus', 'phone'],
    ]);
  });

  it('platform.md §11.2: keeps no text that is planted in paths, queries, bodies and field names of real requests', async () => {
    const platform = await world.platform();
    const base = wireNames('Svc').basePath;
    for (const operation of world.app.operations) {
      for (const [, { body, query }] of examplesOf(operation)) {
        const sent = Object.keys(query ?? {}).map((name) => [name, TEXT]);
        const search = new URLSearchParams([...sent, [NAME, TEXT]]);
        await world.app.http.inject({
          method: operation.method,
          url: `${base}${operation.path.replace(/:\w+/g, encodeURIComponent(TEXT))}?${search}`,
          headers: { authorization: platform.authorization, 'content-type': 'application/json' },
          ...(body !== undefined && { payload: JSON.stringify(plantedThroughout(body)) }),
        });
        // Fewer than the limit of waiting rows, so that none is dropped.
        await platform.call('listRequestLogs', { query: { limit: 1 } });
      }
    }
    const rows = await world.database.query<{ id: Id<'RequestLog'>; text: string }>(
      sql`select id, (to_jsonb(r) - '{bodies,unknown_fields}'::text[])::text as text from request_logs r where platform_id = ${platform.id}`,
    );
    assert.ok(rows.length > 150, `${rows.length} requests`);
    const work = await platform.work();
    let named = 0;
    for (const { id, text } of rows) {
      assert.doesNotMatch(text, PLANTED);
      const shown = await work.read((tx) => loadRequest(tx, id));
      assert.doesNotMatch(JSON.stringify(shown), PLANTED);
      named += Number(shown?.unknownFields?.some((name) => name.endsWith('field_DE#_#')) ?? false);
    }
    assert.ok(named > 100, `${named} requests with names that were not known`);
    assert.deepEqual(
      world.logged.filter((line) => /DE8937|411111|1815-12/.test(line)),
      [],
    );
  });
});
