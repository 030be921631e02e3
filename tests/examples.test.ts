import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Wallet } from 'ethers';
import { REDEEMED_CODE } from '#agents/examples.ts';
import { EXAMPLE_SIGNATURE } from '#external-accounts/examples.ts';
import { createCompile } from '#http/compile-schema.ts';
import type { Example } from '#http/example.ts';
import { FORMATS } from '#http/formats.ts';
import { callersOf, keyRuleOf, type NamedOperation, statusOf } from '#http/operation.ts';
import { EXAMPLE_WEBHOOK_ENDPOINT, webhookExample } from '#lib/examples.ts';
import { REVIEWED_SENDER } from '#payments/examples.ts';
import { EXAMPLE_PASSKEY } from '#sca/examples.ts';
import { differences, type Known, withKnown } from '#tests/example-match.ts';
import { STORY, type Step } from '#tests/example-story.ts';
import { type Answered, type TestPlatform, testWorld } from '#tests/harness.ts';
import { goodClaims, unsignedToken } from '#tests/issuer.ts';
import { createPasskey } from '#tests/passkeys.ts';
import { createReceiver, type Received, type Receiver } from '#tests/receiver.ts';
import { newClientKey, payloadIn, sealCode, stampOf } from '#tests/wallet-client.ts';
import { EXAMPLE_ID_TOKEN, EXAMPLE_OTP_BUNDLE, EXAMPLE_STAMP, VERIFY_GOOGLE } from '#wallet-auth/examples.ts';
import { WEBHOOKS } from '../src/parts.ts';

/** The domains that the service has unless it is told others: those of the examples. */
const domains = { defaultUmaDomain: 'uma.localhost', sandboxUmaDomains: ['sandbox.localhost'] };

/** What signs for Ada. */
const OWNER = newClientKey();

/** What Emmy's browser has. */
const PASSKEY = createPasskey({ rpId: 'localhost', origin: 'http://localhost:3000' });

/** Whose address the examples' wallets have. */
const WALLET = new Wallet(`0x${'11'.repeat(32)}`);

/** Events that nothing in the story causes, and what would: their examples are held against the schema alone. */
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

describe('the examples of the document', () => {
  const world = testWorld({ domains });
  const known: Known = new Map();
  const told = new Set<string>();
  /** How the last event of a type differed from its example. */
  const misses = new Map<string, string[]>();
  let platform: TestPlatform;
  let receiver: Receiver;

  before(async () => {
    // The one setting that the story needs: wallets are to be proven.
    platform = await world.platform({ settings: { counterpartyRequirements: true } });
    receiver = await createReceiver();
    // Whether money is taken is decided by a call; of a sender who fails a review it is taken.
    receiver.answer(({ raw, body }) => {
      const isLeft = body.type === 'INCOMING_PAYMENT.PENDING' && !raw.includes(REVIEWED_SENDER);
      return { status: isLeft ? 202 : 200 };
    });
    known.set(EXAMPLE_WEBHOOK_ENDPOINT, receiver.url);
    const { clientPublicKey } = VERIFY_GOOGLE.body;
    const claims = goodClaims(new Date(world.clock.now()), clientPublicKey);
    known.set(EXAMPLE_ID_TOKEN, unsignedToken(claims));
  });

  after(() => receiver.close());

  const operations = () => new Map(world.app.operations.map((operation) => [operation.id, operation]));

  it('every operation has one, and the story sends each once', () => {
    const titles = [...operations().values()].flatMap(({ id, examples = {} }) => {
      assert.ok(Object.keys(examples).length > 0, `${id} has no example`);
      return Object.keys(examples).map((title) => `${id}: ${title}`);
    });
    const sent = STORY.flatMap((step) => ('seconds' in step ? [] : [`${step[0]}: ${step[1]}`]));
    assert.deepEqual(sent.toSorted(), titles.toSorted());
  });

  it('each works where the story sends it, and is answered as it says', async () => {
    let last: Answered | undefined;
    for (const step of STORY) {
      last = await perform(step, last);
      await world.app.worker.settle(platform.id);
      for (const delivery of receiver.received.splice(0)) noteEvent(delivery);
    }
  });

  async function perform(step: Step, last: Answered | undefined): Promise<Answered> {
    if ('seconds' in step) {
      const passed = await platform.call('advanceSandboxClock', { body: step });
      assert.equal(passed.status, 200, passed.raw);
      return passed;
    }
    const [operation, example] = find(step);
    await prove(last);
    if (example.challenge) {
      const { signature: _missing, ...firstLeg } = example;
      const asked = await platform.send(operation.id, callOf(operation, firstLeg));
      assertAnswered(step, asked, 202, example.challenge);
      await prove(asked);
    }
    const answer = await platform.send(operation.id, callOf(operation, example));
    assertAnswered(step, answer, example.status ?? statusOf(operation), example.reply ?? {});
    return answer;
  }

  function assertAnswered(
    [id, title]: readonly [string, string],
    { status, raw, body }: Answered,
    expectedStatus: number,
    expected: unknown,
  ): void {
    assert.equal(status, expectedStatus, `${id}: ${title} is answered with ${raw}`);
    assert.deepEqual(differences(expected, body, known), [], `${id}: ${title}`);
  }

  /** Does for the next call what only whoever holds the keys can do. */
  async function prove(last: Answered | undefined): Promise<void> {
    const { messageToSign, otpEncryptionTargetBundle, paymentInstructions } = last?.body ?? {};
    const payloadToSign = last?.body.payloadToSign ?? payloadIn(paymentInstructions);
    if (typeof messageToSign === 'string')
      known.set(EXAMPLE_SIGNATURE, await WALLET.signMessage(messageToSign));
    if (typeof otpEncryptionTargetBundle === 'string')
      known.set(EXAMPLE_OTP_BUNDLE, await sealCode(otpEncryptionTargetBundle, OWNER));
    if (typeof payloadToSign === 'string') known.set(EXAMPLE_STAMP, await stampOf(OWNER, payloadToSign));
    usePasskey(last?.body ?? {});
  }

  /** Emmy's browser makes a passkey, and answers with it. */
  function usePasskey({ options, passkeyOptions }: Record<string, unknown>): void {
    const learn = (made: Partial<typeof EXAMPLE_PASSKEY>) => {
      for (const [name, text] of Object.entries(made)) {
        known.set(EXAMPLE_PASSKEY[name as keyof typeof EXAMPLE_PASSKEY], text);
      }
    };
    if (options) {
      const made = PASSKEY.register((options as { challenge: string }).challenge);
      const { credentialId, clientDataJson: newClientData, attestationObject } = made;
      learn({ credentialId, newClientData, attestationObject });
    }
    if (passkeyOptions) {
      const { challenge } = passkeyOptions as { challenge: string };
      const answer = PASSKEY.assert(Buffer.from(challenge, 'base64url'));
      const { clientDataJson: clientData, authenticatorData, signature } = answer;
      learn({ clientData, authenticatorData, signature });
    }
  }

  function find([id, title]: readonly [string, string]): [NamedOperation, Example] {
    const operation = operations().get(id);
    const example = operation?.examples?.[title];
    assert.ok(operation && example, `there is no example ${id}: ${title}`);
    return [operation, example];
  }

  function callOf(operation: NamedOperation, { params, query, body, fileName, ...example }: Example) {
    const headers = headersOf(example);
    const key = keyRuleOf(operation) === 'required' ? { key: randomUUID() } : {};
    const isOfAgent = callersOf(operation).includes('agent');
    const as = isOfAgent ? { as: `Bearer ${known.get(REDEEMED_CODE.accessToken)}` } : {};
    const sent = { ...withKnown({ params, query, body, headers } as Sent, known), ...key, ...as };
    const { fileField } = operation.multipart ?? {};
    return fileField === undefined
      ? sent
      : { ...sent, body: formOf(sent.body as Texts, fileField, fileName) };
  }

  function formOf({ ...fields }: Texts, fileField: string, fileName: string | undefined): FormData {
    const form = new FormData();
    const content = fields[fileField] ?? '';
    delete fields[fileField];
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append(fileField, new Blob([content]), fileName);
    return form;
  }

  /** Of one type several are told; one of them is the example's. */
  function noteEvent({ body: { type, data } }: Received): void {
    const example = eventExamples().get(type);
    const learnt = new Map(known);
    const found = differences(example, data, learnt);
    if (found.length > 0 || told.has(type)) return void misses.set(type, found);
    told.add(type);
    for (const [text, real] of learnt) known.set(text, real);
  }

  const eventExamples = () => new Map(WEBHOOKS.flatMap(({ examples = {} }) => Object.entries(examples)));

  it('every event has one, which is what was really told, or at least what the schema allows', () => {
    const compile = createCompile(new Ajv2020({ allErrors: true, strict: false, formats: FORMATS }));
    for (const { name, body, examples } of WEBHOOKS) {
      const validate = compile(body);
      const types = typesOf(body);
      assert.deepEqual(Object.keys(examples ?? {}).sort(), types.toSorted(), name);
      for (const [type, data] of Object.entries(examples ?? {})) {
        assert.ok(validate(webhookExample(type, data)), `${type}: ${JSON.stringify(validate.errors)}`);
      }
    }
    const untold = [...eventExamples().keys()].filter((type) => !told.has(type));
    const about = JSON.stringify(untold.map((type) => [type, misses.get(type)]));
    assert.deepEqual(untold.toSorted(), Object.keys(UNTOLD).sort(), about);
  });
});

type Texts = Record<string, string>;

interface Sent {
  readonly params?: Texts;
  readonly query?: Texts;
  readonly body?: unknown;
  readonly headers: Texts;
}

/** Those of a signed call. */
function headersOf({ signature, challenge, requestId = signature && challenge?.requestId }: Example): Texts {
  return {
    ...(signature !== undefined && { 'svc-wallet-signature': signature }),
    ...(requestId !== undefined && { 'request-id': requestId }),
  };
}

/** The types of event that a webhook's body may have. */
function typesOf(body: unknown): string[] {
  const { allOf } = body as { allOf: { properties: { type: { enum: string[] } } }[] };
  return allOf.at(-1)?.properties.type.enum ?? [];
}
