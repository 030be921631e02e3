import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Type, { type TSchema } from 'typebox';
import { requireStorable } from '#foundation/http/read/body.ts';
import { validate } from '#foundation/http/read/validate.ts';
import {
  anyIdSchema,
  idSchema,
  minorUnits,
  movedAmount,
  queryId,
  stringEnum,
  tagged,
} from '#foundation/http/schema.ts';
import { type FieldError, Refusal } from '#foundation/lib/refusals.ts';

describe('the errors that a refusal names', () => {
  it('platform.md §10.0.2: a list that is too long is named alone; validating all its entries would block every other request', () => {
    const schema = Type.Object({ list: Type.Array(Type.String(), { maxItems: 3 }), name: Type.String() });
    const long = Array.from({ length: 500_000 }, () => 1);
    assert.deepEqual(problems(schema, { list: long }), [
      { field: 'list', message: 'must have at most 3 entries' },
      { field: 'name', message: 'is required' },
    ]);
    assert.deepEqual(problems(schema, { list: ['a', 1, 'b'], name: 'a' }), [
      { field: 'list.1', message: 'must be a string' },
    ]);
  });

  it('platform.md §10.0.2: if very many fields are bad, the first hundred are named, in the order of the document', () => {
    const inner = Type.Array(Type.String(), { maxItems: 100 });
    const schema = Type.Object({ lists: Type.Array(inner, { maxItems: 100 }) });
    const lists = Array.from({ length: 100 }, () => Array.from({ length: 100 }, () => 1));
    const named = problems(schema, { lists }).map(({ field }) => field);
    assert.deepEqual(
      named,
      Array.from({ length: 100 }, (_none, i) => `lists.0.${i}`),
    );
  });

  it('platform.md §10.0.2: the format of an address is called `url` in a refusal, whatever the document calls it', () => {
    const schema = Type.Object({ at: Type.String({ format: 'url' }) });
    assert.deepEqual(problems(schema, { at: 'nowhere' }), [
      { field: 'at', constraint: { format: 'url' }, message: 'must be an absolute http or https URL' },
    ]);
    assert.deepEqual(problems(schema, { at: 'http://127.0.0.1:9000/hooks' }), []);
  });

  const told = (schema: TSchema, value: unknown) => {
    const [error] = refused(() => validate(Type.Object({ it: schema }), { it: value }));
    return error?.message;
  };

  it('platform.md §10.0.2a: the error of a value outside a list names the accepted values, at most twenty', () => {
    const kinds = stringEnum(['EMAIL_OTP', 'SMS_OTP', 'PASSKEY']);
    assert.equal(told(kinds, 'EMAIL'), 'must be one of EMAIL_OTP, SMS_OTP, PASSKEY');
    assert.equal(told(stringEnum(['USD']), 'EUR'), 'must be USD');
    const many = Array.from({ length: 50 }, (_none, i) => `V${i}`);
    assert.match(told(stringEnum(many), 'x') ?? '', /^must be one of V0, .*, V19 and 30 more$/);
    const tag = tagged('kind', [
      Type.Object({ kind: Type.Literal('A') }),
      Type.Object({ kind: Type.Literal('B') }),
    ]);
    const [error] = refused(() => validate(Type.Object({ it: tag }), { it: { kind: 'C' } }));
    assert.deepEqual([error?.field, error?.message], ['it.kind', 'must be one of A, B']);
  });

  it('platform.md §10.0.2a: the error of a decimal or quoted amount explains the smallest unit; that of other numbers does not', () => {
    const hint = 'must be an integer in the smallest unit of the currency: 12.50 USD is 1250';
    for (const sent of [12.5, '12.50', '1250', '12,50', '-3'])
      for (const schema of [movedAmount(), minorUnits()])
        assert.equal(told(schema, sent), hint, String(sent));
    assert.equal(told(movedAmount(), 'much'), 'must be an integer');
    assert.equal(told(movedAmount(), {}), 'must be an integer');
    assert.equal(told(Type.Integer(), 1.5), 'must be an integer');
  });

  it('platform.md §10.0.2a: the error of an id of another kind or form names the expected kind', () => {
    const uuid = '019542f5-b3e7-7d02-8000-000000000099';
    const other = `must be Quote:<uuid>; it is the id of another kind: Customer`;
    assert.equal(told(idSchema('Quote'), `Customer:${uuid}`), other);
    assert.equal(told(queryId('Quote'), `Customer:${uuid}`), other);
    assert.equal(
      told(anyIdSchema(['InternalAccount', 'ExternalAccount']), `Card:${uuid}`),
      'must be InternalAccount:<uuid> or ExternalAccount:<uuid>; it is the id of another kind: Card',
    );
    for (const sent of [uuid, 'Quote:1', `quote:${uuid}`, ''])
      assert.equal(told(idSchema('Quote'), sent), 'must be an id of the form Quote:<uuid>', sent);
    assert.equal(told(Type.String({ pattern: '^x$' }), 'y'), 'does not have the expected form');
  });

  it('platform.md §10.0.2: fields with text that cannot be stored are named in the order of the document, a hundred at most', () => {
    const bad = Array.from({ length: 100_000 }, () => '\0');
    const errors = refused(() => requireStorable({ first: '\0', 'a\0': '', list: bad }));
    assert.deepEqual(
      errors.map(({ field }) => field),
      ['body', 'first', ...Array.from({ length: 98 }, (_none, i) => `list.${i}`)],
    );
  });

  it('platform.md §1.1.6: a number that can only be read as infinite is refused anywhere in the body', () => {
    const body = JSON.parse('{"a": [1e308, 1e309], "b": {"c": -1e400}}') as unknown;
    const message = 'is a number too large to be read';
    assert.deepEqual(
      refused(() => requireStorable(body)),
      [
        { field: 'a.1', message },
        { field: 'b.c', message },
      ],
    );
  });

  function problems(schema: TSchema, value: unknown): readonly FieldError[] {
    return refused(() => validate(schema, value));
  }
});

function refused(step: () => void): readonly FieldError[] {
  try {
    step();
  } catch (error) {
    if (error instanceof Refusal) return error.details?.errors as FieldError[];
    throw error;
  }
  return [];
}
