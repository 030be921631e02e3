import { useEffect, useState } from 'preact/hooks';
import { LocationProvider, useLocation } from 'preact-iso/router';
import { type Failure, failureOf } from '../api/failure.ts';
import { startLive } from '../api/live.ts';
import { queries } from '../api/query.ts';
import { loadSession, session } from '../api/session.ts';
import { Failed } from '../ui/states.tsx';
import { DEVELOPER_SIDE } from './developer-side.tsx';
import { Shell } from './shell.tsx';
import { SignIn } from './sign-in.tsx';
import { SignedOut } from './signed-out.tsx';

/** Links to the API, to the operators' pages, to the documents and to other sites are the browser's. */
const OWN_PAGES = /^\/console(\/(?!api\/|operator(?:[/?]|$))|\?|$)/;

export function App() {
  return (
    <LocationProvider scope={OWN_PAGES}>
      <Entrance />
    </LocationProvider>
  );
}

/** Nothing but the sign-in page opens without a session. */
function Entrance() {
  const { path } = useLocation();
  if (path === '/console/sign-in') return <SignIn />;
  return <WithSession />;
}

function WithSession() {
  const [failure, setFailure] = useState<Failure>();
  const load = () => {
    setFailure(undefined);
    loadSession().catch((error: unknown) => setFailure(failureOf(error)));
  };
  useEffect(() => {
    if (!session.value) load();
  }, []);
  if (session.value) return <Opened key={session.value.platform.id} />;
  if (session.value === null) return <SignedOut />;
  if (failure) {
    return (
      <main class="alone">
        <h1>The console cannot reach its server</h1>
        <Failed what="Your session could not be loaded." failure={failure} retry={load} />
      </main>
    );
  }
  return null;
}

let isLive = false;

function Opened() {
  useEffect(() => {
    queries.mount();
    if (!isLive) startLive();
    isLive = true;
    return () => queries.unmount();
  }, []);
  return <Shell side={DEVELOPER_SIDE} />;
}
