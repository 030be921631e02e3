import { READING_STYLE } from '#foundation/http/html-page.ts';

export const STYLE = `${READING_STYLE}
main { max-width: 34rem; }
button { font: inherit; padding: .5rem 1rem; cursor: pointer; }
button:focus-visible, input:focus-visible { outline: 2px solid; outline-offset: 2px; }
input { font: inherit; padding: .4rem; width: 8rem; }
.digits { font-size: 2rem; letter-spacing: .3rem; font-variant-numeric: tabular-nums; }
[hidden] { display: none; }
`;

/**
 * The whole script of the operators' pages: it takes the secret out of the address, asks the browser for a passkey, or goes to the
 * issuer and comes back, and shows what the service answered, as text only. A page that needs a proof of presence of the
 * issuer leaves in `corridor-way` what is signed and where to go on.
 */
export const SCRIPT = `
(() => {
  const at = (id) => document.getElementById(id);
  const say = (text) => { at('notice').textContent = text; };
  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (one) => one.charCodeAt(0));
  const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=+$/, '');
  const call = async (method, path, body) => {
    const reply = await fetch('/console/api/' + path, {
      method,
      headers: {
        'x-corridor-console': '1',
        ...(body && { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = reply.status === 204 ? {} : await reply.json();
    if (!reply.ok) throw Object.assign(new Error(answer.reason), { code: answer.code });
    return answer;
  };
  const attempt = (step) => async (event) => {
    event?.preventDefault();
    say('');
    try {
      await step();
    } catch (error) {
      say(error.name === 'NotAllowedError' ? 'The passkey was not used. Try again.' : error.message);
    }
  };
  const answerOf = async ({ nonce, challenge, rpId }) => {
    const { rawId, response } = await navigator.credentials.get({
      publicKey: { challenge: bytes(challenge), rpId, userVerification: 'required', timeout: 300000 },
    });
    return { nonce, assertion: {
      credentialId: text(rawId),
      clientDataJson: text(response.clientDataJSON),
      authenticatorData: text(response.authenticatorData),
      signature: text(response.signature),
    } };
  };
  const pages = {
    join() {
      const secret = location.hash.slice(1);
      history.replaceState(null, '', location.pathname);
      let preview;
      const load = attempt(async () => {
        preview = await call('POST', 'operator/join/preview', { secret });
        at('who').textContent = preview.user.displayName + ' (' + preview.user.name + ')';
        at('ready').hidden = false;
      });
      at('register').addEventListener('click', attempt(async () => {
        const { nonce, challenge, rp, user } = preview;
        const { rawId, response } = await create(challenge, rp, user);
        const joined = await call('POST', 'operator/join', { secret, nonce, attestation: {
          credentialId: text(rawId),
          clientDataJson: text(response.clientDataJSON),
          attestationObject: text(response.attestationObject),
        } });
        at('ready').hidden = true;
        if (joined.status === 'ACTIVE') return location.assign('/console/operator');
        at('digits').textContent = joined.digits;
        at('joined').hidden = false;
      }));
      load();
    },
    'sign-in'() {
      at('enter').addEventListener('click', attempt(async () => {
        const start = await call('POST', 'operator/sign-in/challenge', {});
        await call('POST', 'operator/sign-in', await answerOf(start));
        location.assign('/console/operator');
      }));
    },
    'go-to-issuer'() {
      at('enter').addEventListener('click', attempt(async () => {
        location.assign((await call('POST', 'operator/issuer/sign-in', {})).url);
      }));
    },
    'come-back'() {
      const answer = location.search;
      history.replaceState(null, '', location.pathname);
      const { signs, path } = JSON.parse(sessionStorage.getItem('corridor-way') ?? '{}');
      sessionStorage.removeItem('corridor-way');
      attempt(async () => {
        const end = await call('POST', 'operator/issuer/finish', { answer, ...(signs && { signs }) }).catch((error) => {
          at('again').hidden = false;
          throw error;
        });
        if (signs) sessionStorage.setItem('corridor-confirmation', JSON.stringify({ signs, ...end }));
        location.replace(path ?? '/console/operator');
      })();
    },
  };
  const create = async (challenge, rp, user) => {
    const made = await navigator.credentials.create({ publicKey: {
      challenge: bytes(challenge),
      rp,
      user: { ...user, id: bytes(user.id) },
      pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      extensions: { credProps: true },
      attestation: 'none',
      timeout: 300000,
    } });
    if (made.getClientExtensionResults().credProps?.rk === false) {
      throw new Error('This passkey cannot sign in by itself. Use another device or password manager.');
    }
    return made;
  };
  pages[document.body.querySelector('main').dataset.page]();
})();
`;
