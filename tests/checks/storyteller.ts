import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Wallet } from 'ethers';
import type { App } from '#app/app.ts';
import { SERVICE } from '#app/compose.ts';
import { REDEEMED_CODE } from '#capabilities/agents/examples.ts';
import { EXAMPLE_SIGNATURE } from '#capabilities/external-accounts/examples.ts';
import { EXAMPLE_PASSKEY } from '#capabilities/sca/examples.ts';
import {
  EXAMPLE_ID_TOKEN,
  EXAMPLE_OTP_BUNDLE,
  EXAMPLE_STAMP,
  VERIFY_GOOGLE,
} from '#capabilities/wallet-auth/examples.ts';
import type { Example } from '#foundation/http/declare/example.ts';
import { callersOf, keyRuleOf, type NamedOperation, statusOf } from '#foundation/http/declare/operation.ts';
import type { Clock } from '#foundation/lib/clock.ts';
import { EXAMPLE_WEBHOOK_ENDPOINT } from '#foundation/lib/examples.ts';
import { differences, type KnownValues, withKnown } from '#tests/checks/example-match.ts';
import type { Step } from '#tests/checks/example-story.ts';
import type { Answered, Call } from '#tests/harness/harness.ts';
import { goodClaims, unsignedToken } from '#tests/harness/issuer.ts';
import { createPasskey } from '#tests/harness/passkeys.ts';
import { createReceiver, type Received } from '#tests/harness/receiver.ts';
import { newClientKey, payloadIn, sealCode, signStamp } from '#tests/harness/wallet-client.ts';

/** The service's settings for the story: the domains of the examples, which are the defaults. */
export const STORY_WORLD = {
  domains: { defaultUmaDomain: 'uma.localhost', sandboxUmaDomains: ['sandbox.localhost'] },
};

/** The only setting that the story needs: the ownership of wallets must be proven. */
export const STORY_SETTINGS = { counterpartyRequirements: true };

/** Ada's client key. */
const OWNER = newClientKey();

/** The passkey of Emmy's browser. */
const PASSKEY = createPasskey({ rpId: 'localhost', origin: 'http://localhost:3000' });

/** The key whose address the examples' wallets have. */
const WALLET = new Wallet(`0x${'11'.repeat(32)}`);

/** How a call of the story reaches the service. */
export type Send = (operationId: string, call: Call) => Promise<Answered>;

export interface Storyteller {
  /** Sends the whole story in order, and compares each reply with its example. */
  tell(story: readonly Step[]): Promise<void>;
  /** The types of events that matched their examples. */
  readonly told: ReadonlySet<string>;
  /** How the last event of a type differed from its example. */
  readonly misses: ReadonlyMap<string, readonly string[]>;
  close(): Promise<void>;
}

/** Sends the examples of a document's story, in the roles of all its people. */
export async function createStoryteller(
  world: { readonly app: App; readonly clock: Clock },
  platformId: PlatformId,
  send: Send,
): Promise<Storyteller> {
  const known: KnownValues = new Map();
  const told = new Set<string>();
  const misses = new Map<string, string[]>();
  const operations = new Map(world.app.operations.map((operation) => [operation.id, operation]));
  const receiver = await createReceiver();
  // A call decides whether a payment is accepted.
  receiver.answer(({ body }) => ({ status: body.type === 'INCOMING_PAYMENT.PENDING' ? 202 : 200 }));
  known.set(EXAMPLE_WEBHOOK_ENDPOINT, receiver.url);
  const { clientPublicKey } = VERIFY_GOOGLE.body;
  const claims = goodClaims(new Date(world.clock.now()), clientPublicKey);
  known.set(EXAMPLE_ID_TOKEN, unsignedToken(claims));

  async function tell(story: readonly Step[]): Promise<void> {
    let last: Answered | undefined;
    for (const step of story) {
      last = await perform(step, last);
      await world.app.worker.settle(platformId);
      for (const delivery of receiver.received.splice(0)) noteEvent(delivery);
    }
  }

  async function perform(step: Step, last: Answered | undefined): Promise<Answered> {
    if ('seconds' in step) {
      const passed = await send('advanceSandboxClock', { body: step });
      assert.equal(passed.status, 200, passed.raw);
      return passed;
    }
    const [operation, example] = find(step);
    await prove(last);
    if (example.challenge) {
      const { signature: _missing, ...firstLeg } = example;
      const asked = await send(operation.id, buildCall(operation, firstLeg));
      assertAnswered(step, asked, 202, example.challenge);
      await prove(asked);
    }
    const answer = await send(operation.id, buildCall(operation, example));
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

  /** Signs for the next call, which only the holder of the keys can do. */
  async function prove(last: Answered | undefined): Promise<void> {
    const { messageToSign, otpEncryptionTargetBundle, paymentInstructions } = last?.body ?? {};
    const payloadToSign = last?.body.payloadToSign ?? payloadIn(paymentInstructions);
    if (typeof messageToSign === 'string')
      known.set(EXAMPLE_SIGNATURE, await WALLET.signMessage(messageToSign));
    if (typeof otpEncryptionTargetBundle === 'string')
      known.set(EXAMPLE_OTP_BUNDLE, await sealCode(otpEncryptionTargetBundle, OWNER));
    if (typeof payloadToSign === 'string') known.set(EXAMPLE_STAMP, await signStamp(OWNER, payloadToSign));
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
    const operation = operations.get(id);
    const example = operation?.examples?.[title];
    assert.ok(operation && example, `there is no example ${id}: ${title}`);
    return [operation, example];
  }

  function buildCall(operation: NamedOperation, { params, query, body, fileName, ...example }: Example) {
    const headers = headersOf(example);
    const key = keyRuleOf(operation) === 'ignored' ? {} : { key: randomUUID() };
    const isOfAgent = callersOf(operation).includes('agent');
    const as = isOfAgent ? { as: `Bearer ${known.get(REDEEMED_CODE.accessToken)}` } : {};
    const sent = { ...withKnown({ params, query, body, headers } as Sent, known), ...key, ...as };
    const { fileField } = operation.multipart ?? {};
    return fileField === undefined
      ? sent
      : { ...sent, body: buildForm(sent.body as Texts, fileField, fileName) };
  }

  function buildForm({ ...fields }: Texts, fileField: string, fileName: string | undefined): FormData {
    const form = new FormData();
    const content = fields[fileField] ?? '';
    delete fields[fileField];
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append(fileField, new Blob([content]), fileName);
    return form;
  }

  /** Several events of one type are sent; one of them matches the example. */
  function noteEvent({ body: { type, data } }: Received): void {
    const example = eventExamples().get(type);
    const learnt = new Map(known);
    const found = differences(example, data, learnt);
    if (found.length > 0 || told.has(type)) return void misses.set(type, found);
    told.add(type);
    for (const [text, real] of learnt) known.set(text, real);
  }

  return { tell, told, misses, close: receiver.close };
}

/** The payload of each type of event that its webhook shows. */
export function eventExamples(): ReadonlyMap<string, unknown> {
  return new Map(SERVICE.webhooks.flatMap(({ examples = {} }) => Object.entries(examples)));
}

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
