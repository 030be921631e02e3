import { operatorSession, postToOperator } from './session.ts';

/** What the browser's passkey answers to a challenge, in base64url, or what the issuer confirmed. */
export type Proof = PasskeyProof | { readonly nonce: string; readonly confirmation: string };

interface PasskeyProof {
  readonly nonce: string;
  readonly assertion: {
    readonly credentialId: string;
    readonly clientDataJson: string;
    readonly authenticatorData: string;
    readonly signature: string;
  };
}

interface Challenge {
  readonly nonce: string;
  readonly challenge: string;
  readonly rpId: string;
}

const PATIENCE_MS = 300_000;

/** Proves that the operator is present: what needs it can be done for five minutes (operator.md §3.4). */
export async function stepUp(): Promise<void> {
  if (!operatorSession.value?.hasPasskey) return leaveForIssuer();
  await postToOperator('step-up', await prove({}));
}

/** Signs the hash of a proposal. The proof is good for one approval (operator.md §5.4). */
export async function sign(hash: string): Promise<Proof> {
  if (operatorSession.value?.hasPasskey) return prove({ signs: hash });
  return takeConfirmation(hash) ?? leaveForIssuer(hash);
}

/** The page to which the issuer leads back reads where to go on, and leaves what it confirmed. */
const WAY = 'corridor-way';
const CONFIRMATION = 'corridor-confirmation';

/** An operator without a passkey proves presence where they sign in (operator.md §1.3a), and then is here again. */
async function leaveForIssuer(signs?: string): Promise<never> {
  const asked = signs === undefined ? {} : { signs };
  const { url } = (await postToOperator('issuer/step-up', asked)) as { readonly url: string };
  sessionStorage.setItem(WAY, JSON.stringify({ ...asked, path: location.pathname + location.search }));
  location.assign(url);
  return new Promise(() => undefined);
}

/** What the issuer has confirmed for this hash, once. */
function takeConfirmation(hash: string): Proof | undefined {
  const { signs, nonce, confirmation } = JSON.parse(sessionStorage.getItem(CONFIRMATION) ?? '{}');
  if (signs !== hash) return undefined;
  sessionStorage.removeItem(CONFIRMATION);
  return { nonce, confirmation };
}

async function prove(asked: { readonly signs?: string }): Promise<PasskeyProof> {
  const { nonce, challenge, rpId } = (await postToOperator('step-up/challenge', asked)) as Challenge;
  const credential = await navigator.credentials
    .get({
      publicKey: {
        challenge: decode(challenge),
        rpId,
        userVerification: 'required',
        timeout: PATIENCE_MS,
      },
    })
    .catch(() => null);
  if (!(credential instanceof PublicKeyCredential)) throw new Error('The passkey was not used. Try again.');
  const { rawId, response } = credential as PublicKeyCredential & {
    response: AuthenticatorAssertionResponse;
  };
  return {
    nonce,
    assertion: {
      credentialId: encode(rawId),
      clientDataJson: encode(response.clientDataJSON),
      authenticatorData: encode(response.authenticatorData),
      signature: encode(response.signature),
    },
  };
}

function decode(text: string): Uint8Array<ArrayBuffer> {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(bytes, (character) => character.charCodeAt(0));
}

function encode(buffer: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
