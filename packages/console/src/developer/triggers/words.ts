import { formatDuration } from '../../ui/time.tsx';

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** `5m`, as a recipe says it, as the other screens say it. */
export function sayClock(clock: string): string {
  const [, count, unit = ''] = /^(\d+)([smhd])$/.exec(clock) ?? [];
  return count === undefined ? clock : formatDuration(Number(count) * (SECONDS[unit] ?? 1) * 1_000);
}
