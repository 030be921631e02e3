/** A person who reads does something now and then. A request long after that comes from the page itself. */
const IDLE_MS = 5_000;

/** The page was opened by somebody. */
let actedAt = 0;

/** Notices what a person does on the page. */
export function watchActions(): void {
  const act = () => {
    actedAt = performance.now();
  };
  for (const type of ['pointerdown', 'keydown'])
    addEventListener(type, act, { capture: true, passive: true });
}

/** Whether nobody did anything lately: then a request is no use of the session (operator.md §3.1). */
export function isIdle(): boolean {
  return performance.now() - actedAt > IDLE_MS;
}
