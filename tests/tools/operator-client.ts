import { type Document, generateClient } from '../../packages/client/generate.ts';

/** A client of the operators' document imports the types of packages/client. */
const CLIENT_TYPES = { list: '@corridor/client/methods', operation: '@corridor/client/methods' };

/** What of the operators' document is read here, beyond what the client reads. */
interface OperatorDocument extends Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Declared>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

type Declared = Document['paths'][string][string] & {
  readonly description: string;
  readonly 'x-roles': readonly string[];
};

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly default?: string | number | boolean;
  readonly maxLength?: number;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** The texts of the files in packages/console/src/api/operator/generated: a client, who may call what, and the fields of each change. */
export async function generateOperatorClient(document: OperatorDocument, namedTokens: readonly string[]) {
  const operations = Object.values(document.paths).flatMap((methods) => Object.entries(methods));
  const roles = operations.map(([, { operationId = '', 'x-roles': its }]) => [operationId, its] as const);
  const changing = operations.filter(([method]) => method === 'post').map(([, declared]) => declared);
  const summaries = changing.map(({ operationId = '', summary }) => [operationId, summary] as const);
  const changes = changing.map(
    (declared) => [declared.operationId ?? '', describeChange(declared, document)] as const,
  );
  const files = await generateClient(document, namedTokens, CLIENT_TYPES);
  return {
    ...files,
    'summaries.ts': `${NOTE}/** The roles that may call each operation. */
export const ROLES: Readonly<Record<string, readonly string[]>> = {
${roles.map(([id, its]) => `  ${id}: ${JSON.stringify(its)},`).join('\n')}
};

/** Returns the names that the document gives to the operations that change something. */
export const SUMMARIES: Readonly<Record<string, string>> = {
${summaries.map(([id, summary]) => `  ${id}: ${JSON.stringify(summary)},`).join('\n')}
};
`,
    'changes.ts': `${NOTE}import type { Change } from '../change.ts';

/** What each operation that changes something asks for. */
export const CHANGES: Readonly<Record<string, Change>> = {
${changes.map(([id, change]) => `  ${id}: ${JSON.stringify(change)},`).join('\n')}
};
`,
  };
}

const NOTE = '/** Written by `npm run client:generate` from the operators’ document. */\n\n';

function describeChange({ description, requestBody }: Declared, document: OperatorDocument) {
  const [content] = Object.values(requestBody?.content ?? {});
  const body = resolve(content?.schema as Schema | undefined, document);
  const { properties = {}, required = [] } = body ?? {};
  return {
    about: description,
    asksReason: 'reason' in properties,
    fields: Object.entries(properties)
      .filter(([name]) => name !== 'reason')
      .map(([name, schema]) => describeField(name, required.includes(name), schema, document)),
  };
}

function describeField(name: string, isRequired: boolean, given: Schema, document: OperatorDocument) {
  const schema = resolve(given, document) ?? {};
  const items = resolve(schema.items, document);
  const options = schema.enum ?? items?.enum;
  const hint = given.description ?? schema.description;
  return {
    name,
    kind: kindOf(schema, items),
    ...(isRequired && { isRequired }),
    ...(hint !== undefined && { hint }),
    ...(options && { options }),
    ...(schema.default !== undefined && { initial: schema.default }),
  };
}

function kindOf(schema: Schema, items: Schema | undefined): string {
  if (schema.enum) return 'choice';
  if (schema.type === 'array') return items?.enum ? 'choices' : items?.type === 'string' ? 'texts' : 'json';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'boolean') return 'flag';
  if (schema.type === 'object') return 'json';
  return (schema.maxLength ?? 0) >= LINES_FROM ? 'lines' : 'text';
}

/** A text that may be as long as this has lines, such as a certificate or the profile of a bank's files. */
const LINES_FROM = 10_000;

function resolve(schema: Schema | undefined, { components }: OperatorDocument): Schema | undefined {
  if (schema?.$ref === undefined) return schema;
  return components.schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)];
}
