import { signal } from '@preact/signals';
import type { StatusKind } from './status.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: StatusKind;
}

const SHOWN_MS = 6_000;

const toasts = signal<readonly Toast[]>([]);

/** Says for a few seconds what was done. Anything that must not be missed belongs in the page. */
export function toast(text: string, kind: StatusKind = 'good'): void {
  const id = Math.random();
  toasts.value = [...toasts.value, { id, text, kind }];
  setTimeout(() => dismiss(id), SHOWN_MS);
}

/** Removes what was said about earlier actions, when another one begins. */
export function clearToasts(): void {
  toasts.value = [];
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((shown) => shown.id !== id);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, kind }) => (
        <div key={id} class={`toast toast-${kind}`}>
          <bdi>{text}</bdi>
          <button type="button" class="quiet" aria-label="Dismiss" onClick={() => dismiss(id)}>
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}
