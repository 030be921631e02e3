import { type ComponentChildren, type ComponentType, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type lazy from 'preact-iso/lazy';
import type { RouteGroup, ScreenRoute } from './routes.ts';

/** A screen whose code is loaded with its first visit. */
export type LazyScreen = ScreenRoute & { readonly component: ReturnType<typeof lazy<ComponentType>> };

/** Something that the palette offers. */
export interface Found {
  readonly title: string;
  readonly hint: string;
  /** Absent for what happens here. */
  readonly url?: string;
  /** Runs before the page opens. */
  readonly prepare?: () => void;
}

/** One of the two halves of the console, the developers' and the operators': what its shell shows and finds. */
export interface Side {
  readonly home: string;
  readonly groups: readonly RouteGroup[];
  readonly screens: readonly LazyScreen[];
  /** Whether there is such a page here. */
  isShown(route: ScreenRoute): boolean;
  /** Whether navigation, keys and palette lead there. */
  isListed(route: ScreenRoute): boolean;
  /** After "Corridor" in the band. */
  name(): ComponentChildren;
  /** `sandbox` and `production` have colours of their own. */
  environment(): { readonly kind: string; readonly word: string };
  /** What must not be missed on any page. */
  notes(): ComponentChildren;
  /** In the foot of the navigation. */
  links(): readonly (readonly [url: string, name: string])[];
  signOut(): Promise<void>;
  /** What the palette takes. */
  readonly findable: string;
  /** What the palette finds without asking. */
  findAtOnce(text: string): readonly Found[];
  /** What the palette asks the API for. */
  find(text: string): Promise<readonly Found[]>;
}

const SideContext = createContext<Side | undefined>(undefined);

export const SideProvider = SideContext.Provider;

export function useSide(): Side {
  const side = useContext(SideContext);
  if (!side) throw new Error('the shell has no side');
  return side;
}
