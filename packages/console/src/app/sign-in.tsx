import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { type Failure, failureOf } from '../api/failure.ts';
import { previewSignIn, type SignInPreview, signIn } from '../api/session.ts';
import { Skeleton } from '../ui/states.tsx';
import { isNamedAfterEnvironment, sayName } from '../ui/text.tsx';
import { NewAddress } from './signed-out.tsx';

/** Takes the secret out of the address at once, so that neither history nor a look at the screen shows it. */
function takeSecret(): string {
  const secret = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
  return secret;
}

/** Names the platform, and asks before it signs in: a link from somebody else must not sign anybody in unnoticed. */
export function SignIn() {
  // An address that is opened in this tab again differs behind `#` only, so the browser does not load the page.
  const [secret, setSecret] = useState(takeSecret);
  const [preview, setPreview] = useState<SignInPreview>();
  const [failure, setFailure] = useState<Failure>();
  const { route } = useLocation();
  useEffect(() => {
    const onHash = () => {
      if (location.hash === '') return;
      setPreview(undefined);
      setFailure(undefined);
      setSecret(takeSecret());
    };
    addEventListener('hashchange', onHash);
    return () => removeEventListener('hashchange', onHash);
  }, []);
  useEffect(() => {
    document.title = 'Sign in – Corridor';
    if (secret !== '')
      previewSignIn(secret).then(setPreview, (error: unknown) => setFailure(failureOf(error)));
  }, [secret]);
  const enter = () => {
    signIn(secret).then(
      () => route('/console', true),
      (error: unknown) => setFailure(failureOf(error)),
    );
  };
  if (secret === '' || failure) return <NoEntry failure={failure} />;
  return <main class="alone">{preview ? <Question preview={preview} enter={enter} /> : <Skeleton />}</main>;
}

function Question({ preview, enter }: { preview: SignInPreview; enter: () => void }) {
  const { platform, permissions, tokenName } = preview;
  return (
    <>
      <p class="alone-product">Corridor</p>
      <h1>
        Open the console of {isNamedAfterEnvironment(platform) ? 'your sandbox' : <bdi>{platform.name}</bdi>}?
      </h1>
      <p class={`band-mark band-${platform.environment.toLowerCase()}`}>
        {ENVIRONMENTS[platform.environment.toUpperCase()] ?? sayName(platform.environment)}
      </p>
      <p>
        This browser will have the permissions of the token {tokenName && <bdi>“{tokenName}”</bdi>}:{' '}
        <strong>{permissions.map((name) => name.toLowerCase()).join(', ')}</strong>. If you did not ask for
        this address, close the page.
      </p>
      <button type="button" class="primary" onClick={enter} ref={(button) => button?.focus()}>
        Sign in
      </button>
    </>
  );
}

const ENVIRONMENTS: Readonly<Record<string, string>> = {
  SANDBOX: 'Sandbox: test money only',
  PRODUCTION: 'Production: real money',
};

function NoEntry({ failure }: { failure: Failure | undefined }) {
  return (
    <main class="alone">
      <h1>You cannot sign in with this address</h1>
      <p role="alert">
        {failure ? (
          <bdi>{failure.reason}</bdi>
        ) : (
          'The address is incomplete. An address works once, within ten minutes.'
        )}
      </p>
      <NewAddress />
    </main>
  );
}
