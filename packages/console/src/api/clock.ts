import { effect, signal } from '@preact/signals';
import { loadSession, session } from './session.ts';

/** How far the platform's clock is ahead of real time. */
export const clockOffsetMs = signal(0);

/** The real time that everything on the page shows: all of it changes together, every second while the page is visible. */
export const shownNow = signal(Date.now());

const TICK_MS = 1_000;

export function startClock(): void {
  effect(() => {
    const { clock } = session.value ?? {};
    if (clock) clockOffsetMs.value = clock.isMoved ? Date.parse(clock.now) - Date.parse(clock.realNow) : 0;
  });
  const tick = () => {
    if (!document.hidden) shownNow.value = Date.now();
  };
  setInterval(tick, TICK_MS);
  document.addEventListener('visibilitychange', tick);
}

/** The platform's time, which a sandbox can move. */
export function platformNow(): number {
  return Date.now() + clockOffsetMs.value;
}

/** The platform's time as the page shows it. */
export function shownPlatformNow(): number {
  return shownNow.value + clockOffsetMs.value;
}

export function isSandbox(): boolean {
  return session.value?.platform.environment.toUpperCase() === 'SANDBOX';
}

/** Asks for the platform's time again; call it after the clock was moved. */
export function loadClock(): Promise<void> {
  return loadSession();
}
