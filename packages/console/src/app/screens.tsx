import { Component, type ComponentChildren } from 'preact';
import lazy from 'preact-iso/lazy';
import { Route, Router, useLocation } from 'preact-iso/router';
import { failureOf } from '../api/failure.ts';
import { queries } from '../api/query.ts';
import { Screen } from '../ui/layout.tsx';
import { Empty, Failed } from '../ui/states.tsx';
import { keepPlaces, showPlace } from './places.ts';
import type { ScreenRoute } from './routes.ts';
import { type LazyScreen, useSide } from './side.ts';

/** Screens whose code is loaded with their first visit. */
export function lazyScreens(routes: readonly ScreenRoute[]): readonly LazyScreen[] {
  return routes.map((route) => ({ ...route, component: lazy(() => route.load().catch(reloadOnce)) }));
}

keepPlaces();

/** Loads the screen of an address while the session is still being read. */
export function preloadScreen(screens: readonly LazyScreen[], path: string): void {
  const isAt = (route: string) => new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`).test(path);
  // A failure shows when the screen is drawn.
  screens
    .find((screen) => isAt(screen.path))
    ?.component.preload()
    .catch(() => undefined);
}

const FRESH_MS = 10_000;

/** A page that was open during an upgrade asks for files that are gone: it loads the new ones. */
function reloadOnce(error: unknown): Promise<never> {
  if (performance.now() < FRESH_MS) throw error;
  location.reload();
  return new Promise(() => undefined);
}

/** Shows the screen of the address. A screen that fails does not take the rest of the console with it. */
export function Screens() {
  const { path } = useLocation();
  const { screens, isShown } = useSide();
  const shown = screens.filter(isShown);
  return (
    <Boundary path={path}>
      <Router onRouteChange={showPlace}>
        {shown.map(({ path: at, component }) => (
          <Route key={at} path={at} component={component} />
        ))}
        <Route default component={NotFound} />
      </Router>
    </Boundary>
  );
}

function NotFound() {
  const { home } = useSide();
  return (
    <Screen title="There is nothing at this address">
      <Empty title="The address may be mistyped, or belong to something that is not here.">
        <p>
          Press <kbd>Ctrl</kbd> <kbd>K</kbd> and paste an id, or <a href={home}>go to the first page</a>.
        </p>
      </Empty>
    </Screen>
  );
}

interface Caught {
  readonly error: unknown;
  readonly path: string;
}

interface BoundaryProps {
  readonly path: string;
  readonly children: ComponentChildren;
}

class Boundary extends Component<BoundaryProps, Caught> {
  override state: Caught = { error: undefined, path: this.props.path };

  static override getDerivedStateFromError(error: unknown): Partial<Caught> {
    return { error };
  }

  /** Another address is another try. */
  static override getDerivedStateFromProps({ path }: BoundaryProps, state: Caught): Caught {
    return path === state.path ? state : { error: undefined, path };
  }

  override componentDidCatch(error: unknown): void {
    console.error(error);
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    const retry = () => {
      void queries.resetQueries();
      this.setState({ error: undefined });
    };
    return (
      <Screen title="This screen failed">
        <Failed
          what="The console could not show this page."
          failure={failureOf(this.state.error)}
          retry={retry}
        />
      </Screen>
    );
  }
}
