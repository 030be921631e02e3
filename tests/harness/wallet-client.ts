import assert from 'node:assert/strict';
import { ApiKeyStamper } from '@turnkey/api-key-stamper';
import {
  decryptCredentialBundle,
  encryptOtpCodeToBundle,
  generateP256KeyPair,
  getPublicKey,
} from '@turnkey/crypto';
import { completeProvisioning } from '#capabilities/accounts/provision-account.ts';
import { setCustomerStatus } from '#capabilities/customers/lifecycle/set-customer-status.ts';
import { fetchAccounts, inCurrency } from '#tests/given/accounts.ts';
import { type CreatedCustomer, givenCustomer, PERSON } from '#tests/given/customers.ts';
import type { BodyOf } from '#tests/harness/api-types.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

type Call = NonNullable<Parameters<TestPlatform['send']>[1]>;

/**
 * The client of a wallet's owner. It uses the libraries of such clients and no code of the service, so that both sides can
 * agree only on the wire.
 */
export interface ClientKey {
  /** Hexadecimal. */
  readonly privateKey: string;
  readonly compressed: string;
  readonly uncompressed: string;
}

export interface Wallet {
  readonly customer: CreatedCustomer;
  readonly accountId: string;
  /** Its `EMAIL_OTP` credential, made with the wallet. */
  readonly credentialId: string;
}

export function newClientKey(): ClientKey {
  const { privateKey, publicKey, publicKeyUncompressed } = generateP256KeyPair();
  return { privateKey, compressed: publicKey, uncompressed: publicKeyUncompressed };
}

let people = 0;

/** A new owner without another wallet, with an address and a number that trigger no special outcome of the sandbox. */
export function newPerson() {
  people += 1;
  return { ...PERSON, email: `ada.${people}x@example.com`, phoneNumber: `+1415${2_000_005 + people * 10}` };
}

/** A customer with an embedded wallet. */
export async function givenWallet(platform: TestPlatform, person: object = PERSON): Promise<Wallet> {
  const customer = await givenCustomer(platform, person);
  const account = inCurrency(await fetchAccounts(platform, customer.id), 'USDB');
  const { body } = await platform.call('listAuthCredentials', { query: { accountId: account.id } });
  return { customer, accountId: account.id, credentialId: body.data[0]?.id ?? '' };
}

/** The stamp of this payload by this key. */
export async function signStamp({ privateKey, compressed }: ClientKey, payload: string): Promise<string> {
  const stamper = new ApiKeyStamper({ apiPrivateKey: privateKey, apiPublicKey: compressed });
  return (await stamper.stamp(payload)).stampHeaderValue;
}

/** The headers of a signed retry. */
export async function signedHeaders(
  key: ClientKey,
  { payloadToSign, requestId }: { readonly payloadToSign: string; readonly requestId: string },
): Promise<Record<string, string>> {
  return { 'svc-wallet-signature': await signStamp(key, payloadToSign), 'request-id': requestId };
}

/** Both legs of a signed call; the reply of the second. */
export async function callSigned(platform: TestPlatform, key: ClientKey, operation: string, options: Call) {
  const first = await platform.send(operation, options);
  assert.equal(first.status, 202, first.raw);
  const headers = await signedHeaders(key, first.body as never);
  return platform.send(operation, { ...options, headers });
}

/** Both legs of a call signed by this text; by default the sandbox's test stamp. */
export async function callStamped(
  platform: TestPlatform,
  operation: string,
  options: Call,
  stamp = 'sandbox-valid-signature',
) {
  const first = await platform.send(operation, options);
  assert.equal(first.status, 202, first.raw);
  const headers = { 'svc-wallet-signature': stamp, 'request-id': String(first.body.requestId) };
  return platform.send(operation, { ...options, headers });
}

/** The code sealed for `encryptedOtpBundle`, together with the client's key. */
export function sealCode(bundle: string, key: ClientKey, code = '000000'): Promise<string> {
  return encryptOtpCodeToBundle(code, bundle, key.compressed, serviceKeyOf(bundle));
}

/** The service's key, which a real client knows beforehand. */
export function serviceKeyOf(envelope: string): string {
  return (JSON.parse(envelope) as { enclaveQuorumPublic: string }).enclaveQuorumPublic;
}

export interface Login {
  readonly session: BodyOf<'verifyAuthCredential'>;
  readonly key: ClientKey;
}

export interface LoginOptions {
  readonly type?: 'EMAIL_OTP' | 'SMS_OTP';
  /** Called after the challenge is made; by default the sandbox's code. */
  readonly code?: () => Promise<string>;
}

/** A session by the code that was sent; the client's own key signs for it. */
export async function logIn(
  platform: TestPlatform,
  credentialId: string,
  options: LoginOptions = {},
): Promise<Login> {
  const challenge = await platform.send('challengeAuthCredential', { params: { id: credentialId } });
  assert.equal(challenge.status, 200, challenge.raw);
  const { otpEncryptionTargetBundle } = challenge.body as { otpEncryptionTargetBundle: string };
  return answerChallenge(platform, credentialId, otpEncryptionTargetBundle, options);
}

/** The second half of a login: the code is sealed to the bundle of the challenge. */
export async function answerChallenge(
  platform: TestPlatform,
  credentialId: string,
  bundle: string,
  { type = 'EMAIL_OTP', code = async () => '000000' }: LoginOptions = {},
): Promise<Login> {
  const key = newClientKey();
  const params = { id: credentialId };
  const body = { type, encryptedOtpBundle: await sealCode(bundle, key, await code()) };
  const done = await callSigned(platform, key, 'verifyAuthCredential', { params, body });
  assert.equal(done.status, 200, done.raw);
  return { session: done.body as Login['session'], key };
}

/** The key that a session's reply holds for the client. */
export function openSessionKey(encryptedSessionSigningKey: string, { privateKey }: ClientKey): string {
  return decryptCredentialBundle(encryptedSessionSigningKey, privateKey);
}

/** The key pair of a known private key. */
export function deriveClientKey(privateKey: string): ClientKey {
  const hex = (isCompressed: boolean) => Buffer.from(getPublicKey(privateKey, isCompressed)).toString('hex');
  return { privateKey, compressed: hex(true), uncompressed: hex(false) };
}

/** The parts of a quote that matter for its signature. */
interface SignableQuote {
  readonly id: string;
  readonly paymentInstructions?: readonly { readonly accountOrWalletInfo: object }[] | undefined;
}

/** The payload that the owner of the wallet signs to execute this quote. */
export function requirePayload({ paymentInstructions }: SignableQuote): string {
  const payload = payloadIn(paymentInstructions);
  assert.ok(payload, 'the quote has nothing to sign');
  return payload;
}

/** Undefined: a quote that needs no signature. */
export function payloadIn(instructions: unknown = []): string | undefined {
  const infos = (instructions as { accountOrWalletInfo: { payloadToSign?: string } }[]).map(
    ({ accountOrWalletInfo }) => accountOrWalletInfo,
  );
  return infos.find(({ payloadToSign }) => payloadToSign !== undefined)?.payloadToSign;
}

/** Executes a quote with a stamp over its payload. */
export async function executeSigned(
  platform: TestPlatform,
  quote: SignableQuote,
  key: ClientKey,
  idempotencyKey?: string,
) {
  return platform.call('executeQuote', {
    params: { quoteId: quote.id },
    headers: { 'svc-wallet-signature': await signStamp(key, requirePayload(quote)) },
    ...(idempotencyKey !== undefined && { key: idempotencyKey }),
  });
}

/** Provisions the wallet and approves its owner, which in production only the operator can do. */
export async function activateWallet(platform: TestPlatform, { customer, accountId }: Wallet): Promise<void> {
  const work = await platform.work();
  await work.write(async (tx) => {
    await setCustomerStatus(tx, uuidOf(customer.id), 'APPROVED');
    const id = uuidOf(accountId);
    await completeProvisioning(tx, { accountId: id, coordinates: {} });
  });
}
