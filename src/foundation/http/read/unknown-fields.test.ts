import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Type from 'typebox';
import { UnknownFields } from '#foundation/http/read/unknown-fields.ts';
import { tagged } from '#foundation/http/schema.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { testWorld } from '#tests/harness/harness.ts';

const NAMES = wireNames('Svc');

describe('misspelt fields', () => {
  const world = testWorld();

  const HEADER = 'svc-unknown-fields';
  const TOKEN = { name: 'reader', permissions: ['VIEW'] as ['VIEW'] };
  const warnings = () => world.logged.filter((line) => line.includes('not known'));

  it('platform.md §1.1.6: a misspelt field is accepted, and the reply names it with the known name it resembles; the log has no name', async () => {
    const platform = await world.platform();
    const made = await platform.send('createToken', {
      body: { ...TOKEN, permisions: ['TRANSACT'], colour: 'planted-value' },
      query: { dryrun: 'planted-value', empty: '' },
    });
    assert.equal(made.status, 201);
    assert.equal(made.headers[HEADER], 'dryrun, permisions: did you mean permissions?, colour');
    const [line = '', ...others] = warnings();
    assert.deepEqual(others, []);
    assert.equal(JSON.parse(line).unknownFields, 3);
    assert.deepEqual(
      world.logged.filter((one) => /planted-value|permisions|colour|dryrun/.test(one)),
      [],
    );
    assert.equal((await platform.call('createToken', { body: TOKEN })).headers[HEADER], undefined);
  });

  it('platform.md §1.1.6: a refusal names it too, and a replay names it like the first reply', async () => {
    const platform = await world.platform();
    const refused = await platform.send('createToken', { body: { nmae: 'x', permissions: ['VIEW'] } });
    assert.deepEqual([refused.status, refused.headers[HEADER]], [400, 'nmae: did you mean name?']);
    const body = { customerType: 'INDIVIDUAL', fullNmae: 'x' };
    for (const replayed of [undefined, 'true']) {
      const made = await platform.send('createCustomer', { body, key: 'one' });
      assert.equal(made.status, 201);
      assert.equal(made.headers['idempotency-replayed'], replayed);
      assert.equal(made.headers[HEADER], 'fullNmae: did you mean fullName?');
    }
  });

  it('platform.md §3.3: a platform can choose to refuse them, all at once and together with other errors', async () => {
    const platform = await world.platform({ settings: { refuseUnknownFields: true } });
    const made = await platform.send('createToken', {
      body: { permissions: [], colour: 'x', Name: 'x' },
      query: { dryrun: 'x' },
    });
    const told = (made.body as unknown as { details: { errors: { field: string; message: string }[] } })
      .details;
    assert.deepEqual(
      [made.status, told.errors.map(({ field }) => field)],
      [400, ['name', 'permissions', 'dryrun', 'colour', 'Name']],
    );
    assert.equal(told.errors.at(-1)?.message, 'is not known: did you mean name?');
    const listed = await platform.send('listTokens', { query: { limit: 0, pagesize: 3 } });
    const { errors } = (listed.body as unknown as { details: { errors: { field: string }[] } }).details;
    assert.deepEqual([listed.status, errors.map(({ field }) => field)], [400, ['limit', 'pagesize']]);
    const customer = await platform.send('createCustomer', {
      body: { customerType: 'INDIVIDUAL', adress: {}, address: { town: 'x' } },
    });
    const found = (
      customer.body as unknown as typeof listed.body & { details: { errors: { field: string }[] } }
    ).details.errors;
    assert.equal(customer.status, 400);
    for (const field of ['adress', 'address.town'])
      assert.ok(
        found.some((one) => one.field === field),
        field,
      );
    assert.equal((await platform.call('createToken', { body: TOKEN })).status, 201);
  });

  it('platform.md §1.1.6: a misspelt field or file of a form is named', async () => {
    const platform = await world.platform();
    const form = new FormData();
    form.append('documentTyp', 'PASSPORT');
    form.append('fil', new Blob(['x'], { type: 'application/pdf' }), 'a.pdf');
    const reply = await platform.send('uploadDocument', { body: form });
    assert.equal(reply.status, 400);
    assert.equal(reply.headers[HEADER], 'documentTyp: did you mean documentType?, fil: did you mean file?');
  });

  const Source = tagged('kind', [
    Type.Object({ kind: Type.Literal('CARD'), cardId: Type.String() }),
    Type.Object({ kind: Type.Literal('CASH'), till: Type.Optional(Type.Integer()) }),
  ]);
  const Body = Type.Object({
    source: Type.Optional(Source),
    lines: Type.Optional(Type.Array(Type.Object({ amount: Type.Integer() }), { maxItems: 3 })),
    notes: Type.Optional(Type.Unsafe<object>({ type: 'object', additionalProperties: true })),
    place: Type.Optional(Type.Union([Type.Object({ city: Type.String() }), Type.Null()])),
  });

  function told(body: unknown, names = NAMES): string {
    const unknown = new UnknownFields({ isRefused: false });
    unknown.lookAtBody(Body, body);
    return unknown.describe(names).join(', ');
  }

  it('platform.md §1.1.6: a misspelt field is found at any depth, and in the variant that the tag names', () => {
    assert.equal(told({ source: { kind: 'CASH', till: 1 }, lines: [{ amount: 1 }], place: null }), '');
    assert.equal(told({ source: { kind: 'CASH', cardId: 'x' } }), 'source.cardId');
    assert.equal(told({ source: { kind: 'CARD', card_id: 'x' } }), 'source.card_id: did you mean cardId?');
    assert.equal(told({ source: { kind: 'NONE', till: 1, cardId: 'x', anything: 1 } }), 'source.anything');
    assert.equal(
      told({ source: { knd: 'CASH', tll: 1 } }),
      'source.knd: did you mean kind?, source.tll: did you mean till?',
    );
    assert.equal(told({ source: { kind: { toString: 1 }, till: 1 } }), '');
    assert.equal(told({ lines: [{ amount: 1 }, { amout: 1 }] }), 'lines.1.amout: did you mean amount?');
    assert.equal(told({ place: { citty: 'x' } }), 'place.citty: did you mean city?');
    assert.equal(told({ notes: { anything: { at: 'all' } } }), '');
    assert.equal(told({ lines: 'text', source: [], place: 1, notes: null }), '');
  });

  it('platform.md §1.1.6: names are cleaned, shortened and limited in number, whatever a client sends as a name', () => {
    assert.equal(told({ 'no\r\nset-cookie: x': 1 }), 'no__set-cookie__x');
    assert.equal(told({ DE89370400440532013000: 1 }), 'DE#');
    assert.equal(told({ ['ä'.repeat(10_000)]: 1 }), '_'.repeat(40));
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_one, i) => [`unknown-${i}`, 1]));
    assert.match(told(many), /^unknown-0, .*, and 49990 more$/);
    assert.equal(told(JSON.parse('{"__proto__": 1, "constructor": 2}')), '__proto__, constructor');
  });

  it('platform.md §1.1.6: no example of any operation has a misspelt field', () => {
    for (const { id, body, query, examples = {} } of world.app.operations) {
      for (const [title, example] of Object.entries(examples)) {
        const unknown = new UnknownFields({ isRefused: false });
        if (body) unknown.lookAtBody(body, example.body);
        const sent = Object.entries(example.query ?? {}).map(([name, value]) => [name, String(value)]);
        unknown.lookAtQuery(query, String(new URLSearchParams(sent)));
        assert.deepEqual(unknown.describe(NAMES), [], `${id}, ${title}`);
      }
    }
  });
});
