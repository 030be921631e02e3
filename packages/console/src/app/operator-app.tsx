import { useEffect, useState } from 'preact/hooks';
import { LocationProvider } from 'preact-iso/router';
import { type Failure, failureOf } from '../api/failure.ts';
import { watchActions } from '../api/operator/idle.ts';
import { knownNames } from '../api/operator/names.ts';
import { loadEnvironment, loadOperatorSession, operator, operatorSession } from '../api/operator/session.ts';
import { queries, useQuery } from '../api/query.ts';
import { setPlaces } from '../ui/id.tsx';
import { Failed } from '../ui/states.tsx';
import { OPERATOR_PLACES } from './operator-routes.ts';
import { OPERATOR_SIDE } from './operator-side.tsx';
import { preloadScreen } from './screens.tsx';
import { Shell } from './shell.tsx';

/** The plain pages on which operators join and sign in, and everything outside, are the browser's. */
const OWN_PAGES = /^\/console\/operator(\/(?!join|sign-in|callback)|\?|$)/;

const SESSION_CHECK_MS = 30_000;

setPlaces(OPERATOR_PLACES);
watchActions();
preloadScreen(OPERATOR_SIDE.screens, location.pathname);

/** The console of the people who run the service. */
export function OperatorApp() {
  return (
    <LocationProvider scope={OWN_PAGES}>
      <WithSession />
    </LocationProvider>
  );
}

function WithSession() {
  const [failure, setFailure] = useState<Failure>();
  const load = () => {
    setFailure(undefined);
    loadOperatorSession().catch((error: unknown) => setFailure(failureOf(error)));
  };
  useEffect(load, []);
  const me = operatorSession.value?.operator;
  if (me) return <Opened key={`${me.id} ${me.roles}`} />;
  if (operatorSession.value === null) return <SignedOut />;
  if (!failure) return null;
  return (
    <main class="alone">
      <h1>The console cannot reach its server</h1>
      <Failed what="Your session could not be loaded." failure={failure} retry={load} />
    </main>
  );
}

/** Sees that the session has ended, without being a use of it. */
function Opened() {
  useEffect(() => {
    queries.mount();
    if (OPERATOR_SIDE.isWorking()) loadEnvironment().catch(() => undefined);
    const timer = setInterval(() => {
      if (!document.hidden) loadOperatorSession().catch(() => undefined);
    }, SESSION_CHECK_MS);
    return () => {
      clearInterval(timer);
      queries.clear();
      queries.unmount();
    };
  }, []);
  const { data: names } = useQuery(['names'], readNames, { isEnabled: OPERATOR_SIDE.isWorking() });
  useEffect(() => {
    if (names) knownNames.value = names;
  }, [names]);
  return <Shell side={OPERATOR_SIDE} />;
}

const PLATFORMS_MAX = 100;

/** The names of all operators, and of the newest platforms. Older ones are shown by their ids. */
async function readNames(): Promise<ReadonlyMap<string, string>> {
  const lists = await Promise.all([
    operator.listOperatorNames(),
    operator.listAllPlatforms({ environment: 'PRODUCTION', limit: PLATFORMS_MAX }),
    operator.listAllPlatforms({ environment: 'SANDBOX', limit: PLATFORMS_MAX }),
  ]);
  const named = lists.flatMap(({ data = [] }) => data as { id?: string | null; name?: string | null }[]);
  return new Map(named.flatMap(({ id, name }) => (id && name ? [[id, name] as const] : [])));
}

function SignedOut() {
  useEffect(() => {
    document.title = 'Signed out – Corridor';
  }, []);
  return (
    <main class="alone">
      <h1>You are signed out</h1>
      <p>
        A session ends after 15 minutes without use, after twelve hours, and when your roles change.
        Everything that you did is stored.
      </p>
      <p>
        <a href="/console/operator/sign-in">Sign in</a>
      </p>
    </main>
  );
}
