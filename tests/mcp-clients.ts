import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const BINARY = fileURLToPath(new URL('../bin/corridor.mjs', import.meta.url));

/** What a tool said, in the forms that clients read. */
export interface Told {
  readonly isError: boolean;
  readonly text: string;
  /** All that a client could read of it. */
  readonly whole: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a tool returns has no type on this side of the protocol.
  readonly data: any;
}

/** Clients of the SDK, over either transport, and their end. */
export class McpClients {
  readonly #open: Client[] = [];

  /** To `/mcp` of a server that listens. */
  async overHttp(
    origin: string,
    { accessToken }: { readonly accessToken: string },
    mode: 'legacy' | 'auto' = 'legacy',
  ): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    const headers = { authorization: `Bearer ${accessToken}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', origin), { requestInit: { headers } }),
    );
    this.#open.push(client);
    return client;
  }

  /** To a `corridor mcp` of its own, which calls that server; the path of the API may be in the address or not. */
  async overStdio(url: string, words: readonly string[], env: Record<string, string> = {}): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    const args = [BINARY, 'mcp', '--url', url, ...words];
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, env, stderr: 'inherit' }),
    );
    this.#open.push(client);
    return client;
  }

  async close(): Promise<void> {
    for (const client of this.#open) await client.close();
  }
}

export async function callTool(client: Client, name: string, args: object = {}): Promise<Told> {
  const result = await client.callTool({ name, arguments: { ...args } });
  const [first] = result.content as { text: string }[];
  return {
    isError: result.isError === true,
    text: first?.text ?? '',
    whole: JSON.stringify(result),
    data: result.structuredContent,
  };
}
