import { effect, signal } from '@preact/signals';
import { loadSession, session } from './session.ts';

/** How far the platform's clock is ahead of real time. */
export const clockOffsetMs = signal(0);

/** Changes every half minute while the page is visible, so that relative times stay true. */
export const tick = signal(0);

const TICK_MS = 30_000;

export function startClock(): void {
  effect(() => {
    const { clock } = session.value ?? {};
    if (clock) clockOffsetMs.value = clock.isMoved ? Date.parse(clock.now) - Date.parse(clock.realNow) : 0;
  });
  setInterval(() => {
    if (!document.hidden) tick.value += 1;
  }, TICK_MS);
}

/** The platform's time, which a sandbox can move. */
export function platformNow(): number {
  return Date.now() + clockOffsetMs.value;
}

export function isSandbox(): boolean {
  return session.value?.platform.environment.toUpperCase() === 'SANDBOX';
}

/** Asks for the platform's time again; call it after the clock was moved. */
export function loadClock(): Promise<void> {
  return loadSession();
}
