import Type from 'typebox';
import { queryId, stringEnum } from '#foundation/http/schema.ts';
import type { ResourceType } from '#foundation/lib/ids.ts';

/** Filters that many lists of operators have. */
export const filterBy = {
  customer: Type.Optional(queryId('Customer', { description: 'Only those of this customer.' })),
  currency: Type.Optional(Type.String({ maxLength: 40, description: 'Only those in this currency.' })),
  id: <T extends ResourceType>(type: T, description: string) => Type.Optional(queryId(type, { description })),
  status: <const Values extends readonly string[]>(values: Values) =>
    Type.Optional(stringEnum(values, { description: 'Only those in this status.' })),
  type: <const Values extends readonly string[]>(values: Values) =>
    Type.Optional(stringEnum(values, { description: 'Only this type.' })),
  flag: (description: string) => Type.Optional(Type.Boolean({ description })),
};
