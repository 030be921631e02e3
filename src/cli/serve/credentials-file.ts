import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '#app/config.ts';
import { OperatorError } from '#cli/failure.ts';
import { shellLine } from '#cli/service-urls.ts';

/** Where the credentials of the first platform are kept when no terminal shows them. */
export interface CredentialsFile {
  readonly path: string;
  /** The command that loads them into a shell. */
  readonly inAShell: string;
  write(credentials: { readonly tokenId: string; readonly clientSecret: string }): Promise<void>;
  /** Removes the file, because the platform was not created after all. */
  discard(): Promise<void>;
}

/**
 * Without a terminal, a server's output is collected, copied and stored, so a secret does not belong there (decision
 * 0005). The file is a new shell script that only its owner can ever read. Credentials of another database that are there
 * already are renamed, not overwritten.
 */
export function credentialsFile(config: Config, baseUrl: string): CredentialsFile {
  const path = resolve(config.credentialsFile ?? join(config.dataDir, 'credentials.sh'));
  let isWritten = false;
  const discard = async () => {
    if (isWritten) await rm(path, { force: true });
    isWritten = false;
  };
  return {
    path,
    inAShell: `. ${quoted(path)}`,
    discard,
    async write({ tokenId, clientSecret }) {
      await discard();
      const text = `# The first sandbox platform of this database.\n${shellLine(baseUrl, `${tokenId}:${clientSecret}`)}\n`;
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await setAside(path, `${path}.before-${tokenId.slice(0, 8)}`);
        await writeFile(path, text, { mode: 0o600, flag: 'wx', flush: true });
        isWritten = true;
      } catch (error) {
        throw cannotKeep(path, error as NodeJS.ErrnoException);
      }
    },
  };
}

async function setAside(path: string, aside: string): Promise<void> {
  await rename(path, aside).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

function cannotKeep(path: string, { code, message }: NodeJS.ErrnoException): OperatorError {
  return new OperatorError(
    `The credentials of the first platform cannot be written to ${path} (${code ?? message}), and without a terminal ` +
      'they are shown nowhere else: set CREDENTIALS_FILE to a file that can be created, or choose them with ' +
      'API_TOKEN_ID and API_CLIENT_SECRET.',
  );
}

/** Quotes a text as one word of a shell. */
function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
