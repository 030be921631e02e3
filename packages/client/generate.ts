import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';

/** What of an OpenAPI document is read here. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly webhooks?: Readonly<Record<string, { readonly post: Described }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Described {
  readonly operationId?: string;
  readonly summary: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly oneOf?: readonly Schema[];
}

/** Where the generated table of operations imports the types of a client from. */
export interface ClientTypes {
  readonly list: string;
  readonly operation: string;
}

const OWN_TYPES: ClientTypes = { list: '../list.ts', operation: '../operation.ts' };

/** The texts of the files in src/generated. `namedTokens` are the words on the wire that hold the name of the service. */
export async function generateClient(
  document: Document,
  namedTokens: readonly string[],
  types: ClientTypes = OWN_TYPES,
) {
  const schemas: Schemas = { ...document.components.schemas };
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => readOperation(path, method, described, schemas)),
  );
  const events = Object.values(document.webhooks ?? {}).map(({ post }) =>
    nameSchema(Object.values(post.requestBody?.content ?? {})[0]?.schema, 'Webhook', schemas),
  );
  return {
    'schemas.ts': NOTE + (await writeTypes(schemas)),
    'operations.ts': NOTE + writeOperations(operations, { events, namedTokens, types }),
  };
}

const NOTE = '/** Written by `npm run client:generate` from the API’s document. */\n\n';

interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly about: string;
  readonly pathParameters: readonly string[];
  readonly query: readonly string[];
  /** Types of what is sent beside what is in the path: of the query, and of the body. */
  readonly inputs: readonly string[];
  readonly isInputRequired: boolean;
  readonly body: 'json' | 'form' | undefined;
  /** Types of what may come back; undefined: nothing. */
  readonly replies: readonly (string | undefined)[];
  readonly hasKey: boolean;
  readonly isList: boolean;
}

function readOperation(path: string, method: string, described: Described, schemas: Schemas): Operation {
  const { operationId: id = '', summary, deprecated, parameters = [], requestBody, responses } = described;
  const named = id.charAt(0).toUpperCase() + id.slice(1);
  const of = (place: string) => parameters.filter((each) => each.in === place);
  const query = of('query');
  const queryType = query.length > 0 ? nameSchema(querySchema(query), `${named}Query`, schemas) : undefined;
  const [mediaType, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const bodyType = nameSchema(body?.schema, `${named}Request`, schemas);
  if (bodyType) refuseClash(id, schemas, query, bodyType);
  const replies = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content = {} }]) => nameSchema(Object.values(content)[0]?.schema, `${named}Reply`, schemas));
  return {
    id,
    method: method.toUpperCase(),
    path,
    about: `${summary}: \`${method.toUpperCase()} ${path}\`.${deprecated ? '\n   * @deprecated' : ''}`,
    pathParameters: of('path').map(({ name }) => name),
    query: query.map(({ name }) => name),
    inputs: [queryType, bodyType].filter((type) => type !== undefined),
    isInputRequired: query.some(({ required }) => required) || requestBody?.required === true,
    body: body && (mediaType === 'multipart/form-data' ? 'form' : 'json'),
    replies: [...new Set(replies)],
    hasKey: of('header').some(({ name }) => name === 'Idempotency-Key'),
    isList: replies.every((type = '') => schemas[type]?.properties?.data?.type === 'array'),
  };
}

type Schemas = Record<string, Schema>;

/** The name that a schema has; one that stands in its place alone gets the name that is given. */
function nameSchema(schema: Schema | undefined, name: string, schemas: Schemas): string | undefined {
  if (schema?.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  if (!schema) return undefined;
  if (schemas[name]) throw new Error(`there is another schema of the name ${name}`);
  schemas[name] = schema;
  return name;
}

function querySchema(parameters: readonly Parameter[]): Schema {
  return {
    type: 'object',
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(
      parameters.map(({ name, description, schema }) => [
        name,
        { ...schema, ...(description !== undefined && { description }) },
      ]),
    ),
  };
}

/** Query and body are given as one object, so no name may be in both. */
function refuseClash(id: string, schemas: Schemas, query: readonly Parameter[], bodyName: string): void {
  const body = schemas[bodyName] ?? {};
  const branches = [body, ...(body.oneOf ?? []).map(({ $ref = '' }) => schemas[$ref.split('/').pop() ?? ''])];
  const clash = query.find(({ name }) => branches.some((branch) => branch?.properties?.[name]));
  if (clash) throw new Error(`${id} has ${clash.name} in its query and in its body`);
}

async function writeTypes(schemas: Schemas): Promise<string> {
  const info = { title: '', version: '' };
  const document = { openapi: '3.1.0', info, paths: {}, components: { schemas } } as OpenAPI3;
  const nodes = await openapiTS(document, {
    // A field with a default may be left out of what is sent.
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    transform: ({ format }) => (format === 'binary' ? ts.factory.createTypeReferenceNode('Blob') : undefined),
  });
  return astToString(nodes);
}

interface Words {
  readonly events: readonly (string | undefined)[];
  readonly namedTokens: readonly string[];
  readonly types: ClientTypes;
}

function writeOperations(operations: readonly Operation[], { events, namedTokens, types }: Words): string {
  return `${importType('{ List }', types.list)}
${importType('{ CallOptions, Operation }', types.operation)}
${importType('* as Api', './schemas.ts')}

/** One call for each operation of the API, under its name there. */
export interface Operations {
${operations.map(renderSignature).join('\n')}
}
${renderEvents(events)}
export const OPERATIONS: Readonly<Record<keyof Operations, Operation>> = {
${operations.map(renderRow).join('\n')}
};

/** Fields and values that hold the name of the service. */
export const NAMED_TOKENS: readonly string[] = ${JSON.stringify(namedTokens)};
`;
}

function renderEvents(events: readonly (string | undefined)[]): string {
  if (events.length === 0) return '';
  return `
/** What a webhook tells. */
export type WebhookEvent =
${events.map((name) => `  | Api.${name}`).join('\n')};
`;
}

const importType = (names: string, path: string) => `import type ${names} from '${path}';`;

function renderSignature(operation: Operation): string {
  const { id, about, pathParameters, inputs, body, isInputRequired, replies, isList } = operation;
  const input = `${body ? 'body' : 'query'}${isInputRequired ? '' : '?'}: ${inputs.map((type) => `Api.${type}`).join(' & ')}`;
  const taken = [
    ...pathParameters.map((name) => `${name}: string`),
    ...(inputs.length > 0 ? [input] : []),
    'options?: CallOptions',
  ];
  const reply = replies.map((type) => (type ? `Api.${type}` : 'undefined')).join(' | ');
  return `  /** ${about} */\n  ${id}(${taken.join(', ')}): ${isList ? 'List' : 'Promise'}<${reply}>;`;
}

function renderRow({ id, method, path, query, body, hasKey, isList }: Operation): string {
  const row = {
    method,
    path,
    ...(query.length > 0 && { query }),
    ...(body && { body }),
    ...(hasKey && { hasKey }),
    ...(isList && { isList }),
  };
  return `  ${id}: ${JSON.stringify(row)},`;
}
