import { type FileHandle, open, readFile, rm, stat } from 'node:fs/promises';
import { Command } from 'commander';
import { OperatorError, UsageError } from '#cli/failure.ts';
import { escapeControls } from '#cli/print.ts';
import { parseServerUrl, urlOption, withVersion } from '#cli/server-url.ts';

interface McpOptions {
  readonly url: string;
  readonly code?: string;
  readonly tokenFile?: string;
}

const TOKEN_VARIABLE = 'CORRIDOR_AGENT_TOKEN';
const ONLY_ITS_OWNER = 0o600;

/** `corridor mcp`: an agent's tools for a language model on this machine, of a server that runs anywhere. */
export function mcpCommand(): Command {
  return new Command('mcp')
    .addOption(urlOption().makeOptionMandatory())
    .option('--token-file <path>', `the file with its access token, unless ${TOKEN_VARIABLE} is set`)
    .option('--code <code>', 'a device code, which the first start exchanges for the token in that file')
    .addHelpText(
      'after',
      '\nExample:\n  $ corridor mcp --url https://pay.example/svc/2025-10-13 --token-file ~/.corridor-agent ' +
        '--code SVC-AGENT-…',
    )
    .action(async (options: McpOptions) => {
      const url = withVersion(parseServerUrl(options.url), process.env.SERVICE_NAME);
      const token = await readOrRedeemToken(url, options);
      // Loaded here, so that the other commands start quickly.
      const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
      const { remoteApi } = await import('#edge/mcp/remote-api.ts');
      const { createMcpServer } = await import('#edge/mcp/server.ts');
      // Stdout belongs to the protocol alone.
      const onerror = (error: Error) =>
        void process.stderr.write(`corridor: ${escapeControls(error.message)}\n`);
      const onFault = (error: unknown) => onerror(error instanceof Error ? error : new Error(String(error)));
      serveStdio(() => createMcpServer(remoteApi(url, token), onFault), { onerror });
    });
}

async function readOrRedeemToken(url: string, { tokenFile: path, code }: McpOptions): Promise<string> {
  const given = process.env[TOKEN_VARIABLE];
  if (given) return given.trim();
  if (path === undefined) throw new UsageError(`set ${TOKEN_VARIABLE}, or give --token-file`);
  const kept = await readToken(path);
  if (kept !== undefined) return kept;
  if (code === undefined) throw new UsageError(`${path} does not exist: give a device code with --code`);
  return redeemInto(path, url, code);
}

async function readToken(path: string): Promise<string | undefined> {
  try {
    const { mode } = await stat(path);
    if ((mode & 0o077) !== 0) {
      throw new OperatorError(
        `${path} can be read by other users: treat the token as leaked, or chmod the file to 600`,
      );
    }
    const token = (await readFile(path, 'utf8')).trim();
    if (token !== '') return token;
    throw new OperatorError(
      `${path} is empty: an earlier start stopped while it redeemed its code. Remove the file and give a new code`,
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A code works only once, so the file is created before the code is redeemed. */
async function redeemInto(path: string, url: string, code: string): Promise<string> {
  const file = await open(path, 'wx', ONLY_ITS_OWNER);
  try {
    return await redeem(file, url, code);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

async function redeem(file: FileHandle, url: string, code: string): Promise<string> {
  const reply = await fetch(`${url}/agents/device-codes/${encodeURIComponent(code)}/redeem`, {
    method: 'POST',
    redirect: 'error',
  }).catch(() => {
    throw new OperatorError(`${new URL(url).origin} does not answer`);
  });
  const { accessToken, reason } = (await reply.json()) as { accessToken?: string; reason?: string };
  if (accessToken === undefined)
    throw new OperatorError(`the device code was refused: ${reason ?? `status ${reply.status}`}`);
  await file.writeFile(`${accessToken}\n`);
  await file.sync();
  return accessToken;
}
