import { readFile } from 'node:fs/promises';

/** The call that the reference page sends for an operation by default: the first example of everything that it shows. */
export interface PageCall {
  readonly method: string;
  /** With the base path and the query. */
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  /** The statuses under which the document shows this example's reply. */
  readonly expects: readonly number[];
}

interface DescribedExample {
  schema?: { default?: unknown };
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface Described {
  operationId: string;
  parameters?: (DescribedExample & { name: string; in: string; required: boolean })[];
  requestBody?: { content: Record<string, DescribedExample> };
  responses: Record<string, { content?: Record<string, DescribedExample> }>;
}

interface Document {
  servers: { url: string }[];
  paths: Record<string, Record<string, Described>>;
}

/** One call for each of the operations, in the order given. */
export async function pageCalls(operationIds: readonly string[]): Promise<Map<string, PageCall>> {
  const document = JSON.parse(await readFile('docs/openapi.json', 'utf8')) as Document;
  const known = new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => [
        described.operationId,
        { path, method, described },
      ]),
    ),
  );
  return new Map(
    operationIds.map((id) => {
      const found = known.get(id);
      if (!found) throw new Error(`the document has no operation ${id}`);
      const base = document.servers[0]?.url ?? '';
      return [id, buildCall(base, found.path, found.method, found.described)];
    }),
  );
}

function buildCall(base: string, path: string, method: string, described: Described): PageCall {
  const { parameters = [], requestBody, responses } = described;
  const content = requestBody?.content['application/json'];
  const title = titleOf(content) ?? parameters.map(titleOf).find((one) => one !== undefined);
  const given = parameters.flatMap((parameter) => {
    // A signature header is omitted; without an example the default is sent.
    if (parameter.in === 'header' && !parameter.required) return [];
    const value = parameter.example ?? parameter.examples?.[title ?? '']?.value ?? parameter.schema?.default;
    return value === undefined ? [] : [{ ...parameter, value: String(value) }];
  });
  const filled = given
    .filter((parameter) => parameter.in === 'path')
    .reduce((whole, { name, value }) => whole.replace(`{${name}}`, encodeURIComponent(value)), path);
  const query = new URLSearchParams(
    given.filter((parameter) => parameter.in === 'query').map(({ name, value }) => [name, value]),
  ).toString();
  const headers = given
    .filter((parameter) => parameter.in === 'header')
    .map(({ name, value }) => [name, value]);
  const body = content?.examples?.[title ?? '']?.value;
  return {
    method: method.toUpperCase(),
    url: `${base}${filled}${query && `?${query}`}`,
    headers: {
      ...Object.fromEntries(headers),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    expects: successes(responses, title),
  };
}

function titleOf(shown: DescribedExample | undefined): string | undefined {
  return Object.keys(shown?.examples ?? {})[0];
}

function successes(responses: Described['responses'], title: string | undefined): number[] {
  const usual = Object.entries(responses).filter(([status]) => /^2/.test(status));
  const showing = usual.filter(([, { content = {} }]) =>
    Object.values(content).some(({ examples = {} }) => title === undefined || title in examples),
  );
  return (showing.length > 0 ? showing : usual).map(([status]) => Number(status));
}
