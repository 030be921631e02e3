import type { TSchema } from 'typebox';
import Type from 'typebox';
import { CurrencyAmount, dateTime, idSchema, stringEnum } from '#foundation/http/schema.ts';
import type { ResourceType } from '#foundation/lib/ids.ts';
import type { FieldMasking } from './mask.ts';
import { masked } from './mask.ts';

function nullable(masking: FieldMasking, schema: TSchema, description: string): TSchema {
  return masked(masking, Type.Union([schema, Type.Null()], { description }));
}

/** The fields of a list's rows, each with its word for what operators see of it (operator.md §4.1). */
export const shown = {
  id: (type: ResourceType, description: string) => nullable('code', idSchema(type), description),
  code: (description: string, values?: readonly string[]) =>
    nullable('code', values ? stringEnum(values) : Type.String(), description),
  codes: (description: string) => masked('code', Type.Array(Type.String(), { description })),
  time: (description: string) => nullable('code', dateTime(), description),
  count: (description: string) => nullable('code', Type.Integer(), description),
  flag: (description: string) => nullable('code', Type.Boolean(), description),
  amount: (description: string) => nullable('none', CurrencyAmount, description),
  /** A text that the service or the people who run it wrote. */
  own: (description: string) => nullable('none', Type.String(), description),
  /** An object of which each field is masked by its name. */
  fields: (description: string) =>
    masked('fields', Type.Unsafe<unknown>({ type: 'object', additionalProperties: true, description })),
  /** A text about a person, of which masking leaves a part. */
  masked: (masking: Exclude<FieldMasking, 'none' | 'code' | 'fields' | 'address'>, description: string) =>
    nullable(masking, Type.String(), description),
};
