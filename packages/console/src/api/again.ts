import { useEffect, useRef } from 'preact/hooks';

const AGAIN_MS = 2_000;

/** Reads again every two seconds while something is under way: an attempt to deliver is no event that could be heard. */
export function useAgain(isUnderWay: boolean, read: () => void): void {
  const latest = useRef(read);
  latest.current = read;
  useEffect(() => {
    if (!isUnderWay) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) latest.current();
    }, AGAIN_MS);
    return () => clearInterval(timer);
  }, [isUnderWay]);
}
