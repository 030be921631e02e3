import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { testedBinary } from '#tests/harness/tested-binary.ts';

/** A tool's result, in the forms that clients read. */
export interface ToolReply {
  readonly isError: boolean;
  readonly text: string;
  /** Everything that a client could read. */
  readonly whole: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a tool returns has no type on this side of the protocol.
  readonly data: any;
  /** For a refusal: code, reason and details, as text. */
  // biome-ignore lint/suspicious/noExplicitAny: the same.
  readonly error: any;
}

/** The common interface of both majors of the SDK. */
export interface AnyClient {
  callTool(call: {
    name: string;
    arguments: Record<string, unknown>;
  }): Promise<Readonly<Record<string, unknown>>>;
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  close(): Promise<void>;
}

/** Clients of the SDK, over either transport, and their end. */
export class McpClients {
  readonly #open: AnyClient[] = [];

  /** Connects to `/mcp` of a running server. */
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

  /** The first major of the SDK, as the MCP Inspector and most clients have it; it checks results against their schemas. */
  async ofFirstMajor(origin: string, { accessToken }: { readonly accessToken: string }): Promise<AnyClient> {
    const client = new FirstClient({ name: 'test', version: '1' });
    const headers = { authorization: `Bearer ${accessToken}` };
    const transport = new FirstTransport(new URL('/mcp', origin), { requestInit: { headers } });
    // Its own types do not fit each other where optional members are exact.
    await client.connect(transport as Parameters<FirstClient['connect']>[0]);
    this.#open.push(client);
    return client;
  }

  /** Connects to its own `corridor mcp`, which calls that server; the address may include the API's path or not. */
  async overStdio(url: string, words: readonly string[], env: Record<string, string> = {}): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    const args = [await testedBinary(), 'mcp', '--url', url, ...words];
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

export async function callTool(client: AnyClient, name: string, args: object = {}): Promise<ToolReply> {
  const result = await client.callTool({ name, arguments: { ...args } });
  const [first, second] = result.content as { text: string }[];
  const isError = result.isError === true;
  return {
    isError,
    text: first?.text ?? '',
    whole: JSON.stringify(result),
    data: result.structuredContent,
    error: isError ? JSON.parse(second?.text ?? '{}') : undefined,
  };
}
