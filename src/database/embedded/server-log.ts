import { copyFile, type FileHandle, open, stat, truncate } from 'node:fs/promises';
import { ifPresent } from '#database/embedded/embedded-error.ts';

/** Opened by us and inherited by PostgreSQL, which may have no right to the folder. */
export async function openLog(path: string): Promise<FileHandle> {
  await boundLog(path);
  return open(path, 'a', 0o600);
}

/** Keeps one earlier part. PostgreSQL appends, so cutting the file under it is safe. */
export async function boundLog(path: string): Promise<void> {
  const found = await ifPresent(stat(path));
  if (!found || found.size <= logBytesMax) return;
  await copyFile(path, `${path}.1`);
  await truncate(path);
}

/** The last lines written since the log was this long. */
export async function logTail(path: string, sinceByte: number): Promise<string> {
  const log = await ifPresent(open(path, 'r'));
  if (!log) return '';
  try {
    const { size } = await log.stat();
    const start = Math.max(Math.min(sinceByte, size), size - tailBytesMax);
    const { buffer, bytesRead } = await log.read(Buffer.alloc(size - start), 0, size - start, start);
    return buffer.toString('utf8', 0, bytesRead).trimEnd().split('\n').slice(-tailLinesMax).join('\n');
  } finally {
    await log.close();
  }
}

const logBytesMax = 5 * 1024 * 1024;
const tailBytesMax = 16 * 1024;
const tailLinesMax = 15;
