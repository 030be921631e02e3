// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { SERVICE } from '#app/compose.ts';
import { createCompile } from '#foundation/http/read/compile-schema.ts';
import { FORMATS } from '#foundation/http/read/formats.ts';
import { webhookExample } from '#foundation/lib/examples.ts';
import { STORY } from '#tests/checks/example-story.ts';
import {
  createStoryteller,
  eventExamples,
  STORY_SETTINGS,
  STORY_WORLD,
  type Storyteller,
} from '#tests/checks/storyteller.ts';
import { findExposed, personalValues } from '#tests/harness/exposed-values.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { findJsonTexts } from '#tests/harness/personal-words.ts';

/** Events that the story does not cause, and what would cause them: their examples are checked only against the schema. */
const UNTOLD: Readonly<Record<string, string>> = {
  'BULK_UPLOAD.FAILED': 'a file without one good row',
  'CUSTOMER.KYC_PENDING': 'a name that ends in 001',
  'CUSTOMER.KYC_REJECTED': 'a name that ends in 002',
  'CUSTOMER.KYB_APPROVED': 'a business with all papers',
  'CUSTOMER.KYB_PENDING': 'a registration number that ends in 001',
  'CUSTOMER.KYB_REJECTED': 'a registration number that ends in 002',
  'VERIFICATION.IN_PROGRESS': 'a registration number that ends in 001',
  'VERIFICATION.PENDING_MANUAL_REVIEW': 'a name that ends in 001',
  'VERIFICATION.REJECTED': 'a name that ends in 002',
  'OUTGOING_PAYMENT.REFUND_FAILED': 'a destination that ends in 007',
  'INCOMING_PAYMENT.REFUND_FAILED': 'the operator',
  'INTERNAL_ACCOUNT.STATUS_UPDATED': 'the operator',
  'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED': 'the operator',
};

/** The tables of the foundation and the edge that describe people beside the tables of customers themselves. */
const TRACES = [
  ...[
    'audit_log',
    'codes',
    'contents',
    'events',
    'idempotency_keys',
    'jobs',
    'operator_runs',
    'request_logs',
  ],
  ...['sandbox_messages', 'signed_requests', 'webhook_attempts', 'webhook_queues'],
];

describe('the examples of the document', () => {
  const world = testWorld(STORY_WORLD);
  let storyteller: Storyteller;

  before(async () => {
    const platform = await world.platform({ settings: STORY_SETTINGS });
    storyteller = await createStoryteller(world, platform.id, platform.send);
  });

  after(() => storyteller.close());

  it('every operation has one, and the story sends each once', () => {
    const titles = world.app.operations.flatMap(({ id, examples = {} }) => {
      assert.ok(Object.keys(examples).length > 0, `${id} has no example`);
      return Object.keys(examples).map((title) => `${id}: ${title}`);
    });
    const sent = STORY.flatMap((step) => ('seconds' in step ? [] : [`${step[0]}: ${step[1]}`]));
    assert.deepEqual(sent.toSorted(), titles.toSorted());
  });

  it('each works where the story sends it, and gets the reply that it shows', () => storyteller.tell(STORY));

  it('SECURITY.md: after the story, every text in stored JSON has a word about personal data', async () => {
    const { found, without } = await findJsonTexts(world.database);
    assert.ok(found.length > 60, `${found.length}`);
    assert.deepEqual(without, []);
  });

  it('decision 0039: after the story, no trace of a customer is in clear text or under a data key', async () => {
    const { runtime } = world.app;
    const values = await personalValues(runtime);
    assert.ok(values.length > 20, `${values.length}`);
    const exposed = await findExposed(world.database, runtime.vault, TRACES, values);
    // The platform's own account is no customer's, though its holder has the name of one.
    assert.deepEqual(
      exposed.filter((place) => !place.includes('POST /platform/external-accounts')),
      [],
    );
  });

  it('every event has one, which equals a sent webhook, or at least fits the schema', () => {
    const compile = createCompile(new Ajv2020({ allErrors: true, strict: false, formats: FORMATS }));
    for (const { name, body, examples } of SERVICE.webhooks) {
      const validate = compile(body);
      const types = typesOf(body);
      assert.deepEqual(Object.keys(examples ?? {}).sort(), types.toSorted(), name);
      for (const [type, data] of Object.entries(examples ?? {})) {
        assert.ok(validate(webhookExample(type, data)), `${type}: ${JSON.stringify(validate.errors)}`);
      }
    }
    const untold = [...eventExamples().keys()].filter((type) => !storyteller.told.has(type));
    const about = JSON.stringify(untold.map((type) => [type, storyteller.misses.get(type)]));
    assert.deepEqual(untold.toSorted(), Object.keys(UNTOLD).sort(), about);
  });
});

/** The types of event that a webhook's body may have. */
function typesOf(body: unknown): string[] {
  const { allOf } = body as { allOf: { properties: { type: { enum: string[] } } }[] };
  return allOf.at(-1)?.properties.type.enum ?? [];
}
