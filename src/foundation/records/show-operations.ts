import Type from 'typebox';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { OperatorCaller } from '#foundation/http/caller.ts';
import type { CallWork } from '#foundation/http/declare/call-work.ts';
import { type Input, type NamedOperation, operation } from '#foundation/http/declare/operation.ts';
import { resourceOf } from '#foundation/http/declare/subject.ts';
import { EVERY_ROLE, type RuledInput } from '#foundation/http/operator-rule.ts';
import { findPlatformIdByResource, isFindable } from '#foundation/http/resource-platform-store.ts';
import { component, idSchema, operatorReason, text } from '#foundation/http/schema.ts';
import { type PublicId, publicId, type ResourceType } from '#foundation/lib/ids.ts';
import { isObject } from '#foundation/lib/is-object.ts';
import { type Code, invalidFields } from '#foundation/lib/refusals.ts';
import { findCustomerOf } from '#foundation/person-keys/customer-of-store.ts';
import { isSecretField } from './field-words.ts';
import { pascal } from './list-operations.ts';
import { maskBySchema, maskFields } from './mask.ts';
import type { RecordShow } from './record-list.ts';
import { recordRead, recordReasonedRead } from './record-read.ts';

/** The operations on one record: its masked page, and single fields of it for a reason. */
export function showOperations(show: RecordShow): NamedOperation[] {
  return [showOperation(show), discloseOperation(show)] as NamedOperation[];
}

function paramsOf({ type }: RecordShow) {
  const missing = (MISSING[type] ?? 'NOT_FOUND') as Code;
  return { id: { id: type as ResourceType, missing, description: 'The id of the record.' } };
}

const MISSING: Readonly<Partial<Record<RecordShow['type'], Code>>> = {
  Customer: 'CUSTOMER_NOT_FOUND',
  ExternalAccount: 'ACCOUNT_NOT_FOUND',
  InternalAccount: 'ACCOUNT_NOT_FOUND',
  Quote: 'QUOTE_NOT_FOUND',
  Stablecoin: 'STABLECOIN_NOT_FOUND',
  StablecoinOperation: 'STABLECOIN_OPERATION_NOT_FOUND',
  Token: 'TOKEN_NOT_FOUND',
  Transaction: 'TRANSACTION_NOT_FOUND',
};

/** Added to the reply of a read of one record (operator.md §5.3). */
export const PENDING_PROPOSALS = {
  pendingProposals: Type.Optional(
    Type.Array(idSchema('Proposal'), {
      description: 'Undecided proposals about the record, the newest first.',
    }),
  ),
};

const ShownRecord = component(
  'ShownRecord',
  'The record with the names of the public API. Fields about people are masked; fields that people wrote are left out.',
  PENDING_PROPOSALS,
  { additionalProperties: true },
);

function showOperation(show: RecordShow) {
  const { name, area, summary } = show;
  return operation(`show${pascal(name)}`, {
    route: `GET /${name}/:id`,
    ...{ area, summary },
    description: 'The whole record, masked for everybody.',
    access: 'operator',
    operator: { roles: EVERY_ROLE, on: 'resource' },
    params: paramsOf(show),
    reply: ShownRecord,
    codes: [paramsOf(show).id.missing],
    async handle(work, { caller, params }) {
      if (show.isOfPerson) {
        const resource = publicId(show.type as ResourceType, params.id);
        const platformId = work.platform.id;
        await recordRead(work.runtime, caller as OperatorCaller, { kind: 'PAGE', platformId, resource });
      }
      const platform = publicId('Platform', work.platform.id);
      const record: object = {
        ...maskRecord(show, await work.read((tx) => load(show, tx, params.id))),
        platform,
      };
      return record;
    },
  });
}

/** Finds the undecided proposals about a resource, on these platforms. */
export type FindPending = (
  tx: ReadTx,
  resource: string,
  platformIds?: readonly PlatformId[],
) => Promise<readonly PublicId<'Proposal'>[]>;

/** The operation, whose record names the undecided proposals about it (operator.md §5.3). Others stay as they are. */
export function withPending(operation: NamedOperation, find: FindPending): NamedOperation {
  const { method, reply, read, handle } = operation;
  const { properties = {} } = (reply ?? {}) as { properties?: object };
  if (method !== 'GET' || !('pendingProposals' in properties)) return operation;
  const add = async (tx: ReadTx, input: RuledInput, shown: unknown) => {
    const resource = resourceOf(operation, input);
    if (resource === undefined) return shown;
    const pendingProposals = await find(tx, resource, await platformsOf(tx, operation, resource));
    return pendingProposals.length === 0 ? shown : { ...(shown as object), pendingProposals };
  };
  return {
    ...operation,
    ...(read && { read: async (tx: ReadTx, input: AnyInput) => add(tx, input, await read(tx, input)) }),
    ...(handle && {
      async handle(work: CallWork, input: AnyInput) {
        const shown = await handle(work, input);
        return work.read((tx) => add(tx, input, shown));
      },
    }),
  } as NamedOperation;
}

type AnyInput = Input<never, never, never>;

/** A record that is read on the installation may belong to a platform, where calls about it take place. */
async function platformsOf(
  tx: ReadTx,
  { operator }: NamedOperation,
  resource: string,
): Promise<readonly PlatformId[]> {
  const [type = '', id = ''] = resource.split(':');
  if (operator?.on !== 'installation' || !isFindable(type)) return [tx.platformId];
  const owner = await findPlatformIdByResource(tx.runtime.database, type, id);
  return owner === undefined ? [tx.platformId] : [tx.platformId, owner];
}

/** A field of the record's own schema by its word there, and every other one by its name. */
function maskRecord({ item }: RecordShow, record: object): object {
  return { ...(maskFields(record) as object), ...(maskBySchema(item, record) as object) };
}

const DiscloseFieldRequest = component('DiscloseFieldRequest', 'One field of one record, and why.', {
  field: text(1, 200, {
    description: 'Where the field is in the record: `fullName`, `address.line1`, `accounts.0.accountNumber`.',
    pattern: '^[A-Za-z0-9_]+(?:\\.[A-Za-z0-9_]+)*$',
  }),
  reason: operatorReason(),
});

const DisclosedField = component('DisclosedField', 'One field in clear.', {
  field: Type.String({ description: 'Where it is in the record.' }),
  value: Type.Unsafe<unknown>({
    type: ['string', 'number', 'boolean', 'null'],
    description: 'Its value. Null: the record has none.',
  }),
});

/** operator.md §4.2 */
function discloseOperation(show: RecordShow) {
  const { name, area, type, disclosedTo } = show;
  return operation(`disclose${pascal(name)}Field`, {
    route: `POST /${name}/:id/disclose`,
    area,
    summary: 'Show one field in clear',
    description:
      'Shows a field that the page of the record masks, for a reason. It is recorded who looked at which field.',
    access: 'operator',
    operator: { roles: disclosedTo, on: 'resource', stepUp: true },
    idempotency: { key: 'ignored' },
    params: paramsOf(show),
    body: DiscloseFieldRequest,
    reply: DisclosedField,
    status: 200,
    codes: [paramsOf(show).id.missing, 'INVALID_INPUT'],
    write: async (tx, { caller, params, body: { field, reason } }) => {
      const value = pickField(await load(show, tx, params.id), field);
      if (value === undefined) {
        throw invalidFields([
          { field: 'field', message: 'is not a single field of this record that may be shown' },
        ]);
      }
      const resource = publicId(type as ResourceType, params.id);
      const fact = { kind: 'FIELD', platformId: tx.platformId, resource, fields: [field] } as const;
      const customerId = await findCustomerOf(tx, resource);
      const people = customerId === undefined ? [] : [customerId];
      await recordReasonedRead(tx, caller as OperatorCaller, fact, { reason, people });
      return { field, value };
    },
  });
}

function load(show: RecordShow, tx: ReadTx, id: string): Promise<object> {
  return show.load(tx, id as never);
}

/** A single value of a record; undefined: there is none there, or nobody may see it. */
export function pickField(record: unknown, field: string): unknown {
  let value: unknown = record;
  for (const name of field.split('.')) {
    if (isSecretField(name)) return undefined;
    if (Array.isArray(value)) value = value[Number(name)];
    else value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return isObject(value) || Array.isArray(value) ? undefined : value;
}
