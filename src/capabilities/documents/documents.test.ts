// lane: whole — takes seven seconds and more

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { deleteCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { FILE_MAX_BYTES } from '#capabilities/documents/rules.ts';
import { submitCustomer } from '#capabilities/verification/submit-customer.ts';
import { sql } from '#foundation/database/sql.ts';
import { DOCUMENT_FAULTS } from '#foundation/ports/identity.ts';
import { readContent } from '#foundation/uploads/contents.ts';
import { holdOpen, untilBlocked } from '#tests/given/blocked.ts';
import { BUSINESS, fieldsOf, givenCustomer, PERSON } from '#tests/given/customers.ts';
import {
  documentFields,
  documentForm,
  type FileOptions,
  givenCompleteBusiness,
  givenCompletePerson,
  givenDocument,
  givenOwner,
  namelessForm,
  PDF,
  submitted,
} from '#tests/given/packets.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('documents', () => {
  const world = testWorld();

  function upload(platform: TestPlatform, fields: Record<string, string>, file?: FileOptions) {
    return platform.call('uploadDocument', { body: documentForm(fields, file) });
  }

  function replace(platform: TestPlatform, id: string, fields: Record<string, string>, file?: FileOptions) {
    const { documentHolder, ...rest } = fields;
    return platform.call('replaceDocument', { params: { documentId: id }, body: documentForm(rest, file) });
  }

  const remove = (platform: TestPlatform, documentId: string) =>
    platform.call('deleteDocument', { params: { documentId } });

  async function list(platform: TestPlatform, query: Record<string, string | number> = {}) {
    const reply = await platform.call('listDocuments', { query });
    assert.equal(reply.status, 200, reply.raw);
    return reply.body.data;
  }

  async function readDocument(platform: TestPlatform, documentId: string): Promise<string> {
    const work = await platform.work();
    const [row] = await world.database.query<{ content_id: Id<'Content'> }>(
      sql`select content_id from documents where id = ${uuidOf(documentId)}`,
    );
    assert.ok(row);
    return (await buffer(await work.read((tx) => readContent(tx, row.content_id)))).toString();
  }

  it('customers.md §5.1: a document of a customer or an owner is stored and read back', async () => {
    const platform = await world.platform();
    const person = await givenCustomer(platform);
    const made = await upload(platform, documentFields(person.id, 'PASSPORT'), { name: 'my passport.pdf' });
    assert.equal(made.status, 201, made.raw);
    assert.deepEqual(made.body, {
      id: made.body.id,
      documentHolder: person.id,
      documentType: 'PASSPORT',
      country: 'US',
      documentNumber: 'C01X00T47',
      issuingAuthority: 'Department of State',
      fileName: 'my passport.pdf',
      createdAt: '2026-03-02T10:00:00.000Z',
      updatedAt: '2026-03-02T10:00:00.000Z',
    });
    const read = await platform.call('getDocument', { params: { documentId: made.body.id } });
    assert.deepEqual([read.status, read.body], [200, made.body]);
    const business = await givenCustomer(platform, BUSINESS);
    const owner = await givenOwner(platform, business.id);
    const owned = await givenDocument(platform, owner.id, 'DRIVERS_LICENSE', { side: 'FRONT' });
    assert.deepEqual([owned.documentHolder, owned.side], [owner.id, 'FRONT']);
  });

  it('customers.md §5.1: all missing and invalid fields are named together', async () => {
    const platform = await world.platform();
    const empty = await platform.call('uploadDocument', { body: documentForm({}, { content: '' }) });
    assert.equal(empty.body.code, 'INVALID_INPUT');
    assert.deepEqual(fieldsOf(empty.body), ['documentHolder', 'documentType', 'country', 'file']);
    const none = new FormData();
    none.append('documentType', 'PASSPORT');
    none.append('side', 'LEFT');
    none.append('country', 'usa');
    none.append('documentHolder', 'Quote:1');
    const reply = await platform.call('uploadDocument', { body: none });
    assert.deepEqual(
      fieldsOf(reply.body),
      ['documentHolder', 'side', 'country', 'documentNumber', 'issuingAuthority', 'file'].sort(
        (a, b) => ORDER.indexOf(a) - ORDER.indexOf(b),
      ),
    );
    const { id } = await givenCustomer(platform);
    const blank = documentFields(id, 'PASSPORT', { documentNumber: ' ', issuingAuthority: '\t' });
    const unsaid = await platform.call('uploadDocument', { body: documentForm(blank) });
    assert.deepEqual(fieldsOf(unsaid.body), ['documentNumber', 'issuingAuthority']);
  });

  const ORDER = [
    'documentHolder',
    'documentType',
    'side',
    'country',
    'documentNumber',
    'issuingAuthority',
    'file',
  ];

  it('customers.md §5.1: a body that is not multipart is 400 INVALID_REQUEST_FORMAT', async () => {
    const platform = await world.platform();
    const reply = await platform.call('uploadDocument', { body: documentFields('Customer:x') });
    assert.deepEqual([reply.status, reply.body.code], [400, 'INVALID_REQUEST_FORMAT']);
  });

  it('customers.md §1.3: an unknown, foreign or deleted holder is the same 404 DOCUMENT_HOLDER_NOT_FOUND', async () => {
    const platform = await world.platform();
    const stranger = await world.platform();
    const foreign = await givenCustomer(stranger);
    const foreignOwner = await givenOwner(stranger, (await givenCustomer(stranger, BUSINESS)).id);
    const deleted = await givenCustomer(platform);
    await platform.call('deleteCustomerById', { params: { customerId: deleted.id } });
    const own = await givenCustomer(platform);
    const replies = new Set<string>();
    for (const holder of [
      'Customer:019542f5-b3e7-7d02-8000-000000000099',
      'BeneficialOwner:019542f5-b3e7-7d02-8000-000000000099',
      foreign.id,
      foreignOwner.id,
      deleted.id,
      own.id.replace('Customer', 'BeneficialOwner'),
    ]) {
      const reply = await upload(platform, documentFields(holder));
      assert.equal(reply.status, 404, holder);
      replies.add(reply.raw);
    }
    assert.equal(replies.size, 1);
    assert.match([...replies][0] ?? '', /DOCUMENT_HOLDER_NOT_FOUND/);
  });

  it('customers.md §5.2: exactly 10,485,760 bytes are accepted and one more is refused with the field’s name', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform);
    const full = await upload(platform, documentFields(id), { content: Buffer.alloc(FILE_MAX_BYTES, 'x') });
    assert.equal(full.status, 201, full.raw);
    const over = await upload(platform, documentFields(id, 'SELFIE'), {
      content: Buffer.alloc(FILE_MAX_BYTES + 1, 'x'),
    });
    assert.equal(over.status, 400);
    assert.deepEqual(over.body.details.errors, [
      { field: 'file', message: 'must have at most 10485760 bytes' },
    ]);
  });

  it('customers.md §5.2: PDF, JPEG and PNG by Content-Type or extension; anything else and an empty file are 400 on `file`', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform);
    const types = ['PASSPORT', 'SELFIE', 'OTHER'];
    for (const [i, type] of ['application/pdf', 'image/jpeg', 'image/png'].entries()) {
      const reply = await upload(platform, documentFields(id, types[i]), { type, name: 'scan' });
      assert.equal(reply.status, 201, reply.raw);
    }
    for (const file of [
      { type: 'image/gif', name: 'a.gif' },
      { type: 'application/octet-stream', name: 'a.exe' },
      { content: '' },
    ]) {
      const reply = await upload(platform, documentFields(id, 'TAX_RETURN'), file);
      assert.deepEqual([reply.status, fieldsOf(reply.body)], [400, ['file']]);
    }
  });

  it('customers.md §5.2: a part without type and file name is identified by its leading bytes, in both environments', async () => {
    for (const environment of ['SANDBOX', 'PRODUCTION'] as const) {
      const platform = await world.platform({ environment });
      const { id } = await givenCustomer(platform);
      const known = [
        ['PASSPORT', PDF, 'document.pdf'],
        ['SELFIE', '\xff\xd8\xff\xe0 a photograph', 'document.jpg'],
        ['OTHER', '\x89PNG\r\n\x1a\n a picture', 'document.png'],
      ] as const;
      for (const [type, content, fileName] of known) {
        const made = await platform.send(
          'uploadDocument',
          namelessForm(documentFields(id, type), { file: content }),
        );
        assert.deepEqual([made.status, made.body.fileName], [201, fileName], made.raw);
        const params = { documentId: made.body.id };
        const { documentHolder: _holder, ...fields } = documentFields(id, type);
        const again = await platform.send('replaceDocument', {
          ...namelessForm(fields, { file: PDF }),
          params,
        });
        assert.deepEqual([again.status, again.body.fileName], [200, 'document.pdf'], again.raw);
      }
      for (const content of ['MZ nonsense', '', '%PD']) {
        const form = namelessForm(documentFields(id, 'TAX_RETURN'), { file: content });
        const refused = await platform.send('uploadDocument', form);
        assert.deepEqual([refused.status, fieldsOf(refused.body)], [400, ['file']]);
      }
    }
  });

  it('platform.md §2.4: an idempotency key covers the file’s name and type, not only its bytes', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform);
    const headers = { 'idempotency-key': 'upload' };
    const file = { type: 'application/pdf', name: 'front.pdf' };
    const send = (other: FileOptions = {}) => {
      const body = documentForm(documentFields(id), { ...file, ...other });
      return platform.call('uploadDocument', { body, headers });
    };
    const first = await send();
    assert.deepEqual([first.status, first.body.fileName], [201, 'front.pdf']);
    for (const other of [{ name: 'back.pdf' }, { type: 'image/png' }]) {
      const refused = await send(other);
      assert.deepEqual([refused.status, refused.body.code], [409, 'CONFLICT'], refused.raw);
    }
    const again = await send();
    assert.deepEqual([again.raw, again.headers['idempotency-replayed']], [first.raw, 'true']);
  });

  it('customers.md §5.2, §9: production also checks the leading bytes', async () => {
    const platform = await world.platform({ environment: 'PRODUCTION' });
    const { id } = await givenCustomer(platform);
    const fake = await upload(platform, documentFields(id), { content: 'MZ not a pdf' });
    assert.deepEqual([fake.status, fieldsOf(fake.body)], [400, ['file']]);
    assert.equal((await upload(platform, documentFields(id))).status, 201);
    const sandbox = await world.platform();
    const person = await givenCustomer(sandbox);
    assert.equal((await upload(sandbox, documentFields(person.id), { content: 'MZ not a pdf' })).status, 201);
  });

  it('customers.md §5.3: there is one per holder, type and side; one without a side counts as both', async () => {
    const platform = await world.platform();
    const statuses = async (sides: (string | undefined)[]) => {
      const { id } = await givenCustomer(platform);
      const replies: number[] = [];
      for (const side of sides) {
        const reply = await upload(platform, documentFields(id, 'NATIONAL_ID', { ...(side && { side }) }));
        if (reply.status === 409) assert.equal(reply.body.code, 'DOCUMENT_ALREADY_EXISTS');
        replies.push(reply.status);
      }
      return replies;
    };
    assert.deepEqual(await statuses([undefined, undefined]), [201, 409]);
    assert.deepEqual(
      await statuses(['FRONT', 'BACK', 'FRONT', 'BACK', undefined]),
      [201, 201, 409, 409, 409],
    );
    assert.deepEqual(await statuses([undefined, 'FRONT', 'BACK']), [201, 409, 409]);
    assert.deepEqual(await statuses(['BACK', undefined]), [201, 409]);
    assert.equal((await list(platform)).length, 5);
  });

  it('customers.md §5.3: of concurrent uploads of one type exactly one is stored, with or without sides', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform);
    const same = await Promise.all(Array.from({ length: 8 }, () => upload(platform, documentFields(id))));
    assert.deepEqual(same.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409, 409, 409]);
    const sides: Record<string, string>[] = [
      {},
      { side: 'FRONT' },
      {},
      { side: 'BACK' },
      {},
      { side: 'FRONT' },
    ];
    const mixed = await Promise.all(
      sides.map((side) => upload(platform, documentFields(id, 'NATIONAL_ID', side))),
    );
    const stored = mixed.filter(({ status }) => status === 201).map(({ body }) => body.side ?? 'BOTH');
    assert.ok(
      ['BOTH', 'FRONT', 'BACK', 'BACK,FRONT'].includes(stored.sort().join()),
      `stored together: ${stored}`,
    );
    await world.app.worker.settle(platform.id);
    const [row] = await world.database.query<{ count: bigint }>(
      sql`select count(*) from contents where platform_id = ${platform.id}`,
    );
    assert.equal(row?.count, BigInt(1 + stored.length));
  });

  it('customers.md §5.4: business documents of a person and personal documents of a business are UNSUITABLE_DOCUMENT', async () => {
    const platform = await world.platform();
    const person = await givenCustomer(platform);
    const business = await givenCustomer(platform, BUSINESS);
    const owner = await givenOwner(platform, business.id);
    const cases: [string, string][] = [
      [person.id, 'CERTIFICATE_OF_INCORPORATION'],
      [owner.id, 'SHAREHOLDER_REGISTER'],
      [business.id, 'PASSPORT'],
      [business.id, 'SELFIE'],
    ];
    for (const [holder, type] of cases) {
      const reply = await upload(platform, documentFields(holder, type));
      assert.deepEqual([reply.status, reply.body.code], [400, 'UNSUITABLE_DOCUMENT'], type);
    }
    const paper = await givenDocument(platform, person.id, 'UTILITY_BILL');
    const moved = await replace(platform, paper.id, documentFields('', 'TRUST_AGREEMENT'));
    assert.equal(moved.body.code, 'UNSUITABLE_DOCUMENT');
  });

  it('customers.md §5.5: in the sandbox the file name, in any case, selects a refusal; nothing is stored', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform);
    for (const fault of DOCUMENT_FAULTS) {
      for (const name of [`${fault}.pdf`, `${fault.toLowerCase()}.jpeg`, fault]) {
        const reply = await upload(platform, documentFields(id), { name });
        assert.deepEqual([reply.status, reply.body.code], [400, fault], name);
      }
    }
    assert.deepEqual(await list(platform), []);
    await world.app.worker.settle(platform.id);
    const [left] = await world.database.query<{ count: bigint }>(
      sql`select count(*) from contents where platform_id = ${platform.id}`,
    );
    assert.equal(left?.count, 0n);
    assert.equal((await upload(platform, documentFields(id), { name: 'expired-2020.pdf' })).status, 201);
    const paper = await givenDocument(platform, id, 'SELFIE');
    const replaced = await replace(platform, paper.id, documentFields('', 'SELFIE'), {
      name: 'Low_Quality.png',
    });
    assert.equal(replaced.body.code, 'LOW_QUALITY');
  });

  it('customers.md §5.6: PUT replaces file and details, keeps id, holder and createdAt, and updates updatedAt', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform);
    const made = await givenDocument(platform, id, 'PASSPORT');
    world.clock.advance(60_000);
    const fields = documentFields('', 'DRIVERS_LICENSE', {
      side: 'BACK',
      country: 'DE',
      documentNumber: 'D-1',
    });
    const file = { name: 'licence.png', type: 'image/png', content: 'another content' };
    const reply = await replace(platform, made.id, fields, file);
    assert.equal(reply.status, 200, reply.raw);
    assert.deepEqual(reply.body, {
      ...made,
      documentType: 'DRIVERS_LICENSE',
      side: 'BACK',
      country: 'DE',
      documentNumber: 'D-1',
      fileName: 'licence.png',
      updatedAt: reply.body.updatedAt,
    });
    assert.ok(reply.body.updatedAt > made.updatedAt);
    assert.equal(await readDocument(platform, made.id), 'another content');
    await world.app.worker.settle(platform.id);
    const [left] = await world.database.query<{ count: bigint }>(
      sql`select count(*) from contents where platform_id = ${platform.id}`,
    );
    assert.equal(left?.count, 1n);
  });

  it('customers.md §5.6: fields omitted in PUT are removed, and a change to an existing type is 409', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform);
    const bill = await givenDocument(platform, id, 'UTILITY_BILL', { side: 'FRONT', documentNumber: '7' });
    const plain = await replace(platform, bill.id, documentFields('', 'TAX_RETURN'));
    assert.deepEqual([plain.body.side, plain.body.documentNumber], [undefined, undefined]);
    await givenDocument(platform, id, 'SELFIE', { side: 'FRONT' });
    for (const more of [{}, { side: 'FRONT' }]) {
      const reply = await replace(platform, bill.id, documentFields('', 'SELFIE', more));
      assert.deepEqual([reply.status, reply.body.code], [409, 'DOCUMENT_ALREADY_EXISTS']);
    }
    assert.equal(
      (await replace(platform, bill.id, documentFields('', 'SELFIE', { side: 'BACK' }))).status,
      200,
    );
    const missing = await platform.call('replaceDocument', {
      params: { documentId: bill.id },
      body: documentForm({}, { content: '' }),
    });
    assert.deepEqual(fieldsOf(missing.body), ['documentType', 'country', 'file']);
  });

  it('customers.md §5.6: no operation returns the content', () => {
    const paths = world.app.operations.filter(({ path }) => path.startsWith('/documents'));
    assert.deepEqual(paths.map(({ method, path }) => `${method} ${path}`).sort(), [
      'DELETE /documents/:documentId',
      'GET /documents',
      'GET /documents/:documentId',
      'POST /documents',
      'PUT /documents/:documentId',
    ]);
  });

  it('customers.md §5.7: DELETE is 204 and permanent: row, key and file are gone', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform);
    const made = await givenDocument(platform, id);
    const filesBefore = await countFiles();
    assert.equal((await remove(platform, made.id)).status, 204);
    assert.equal((await remove(platform, made.id)).status, 404);
    assert.equal((await platform.call('getDocument', { params: { documentId: made.id } })).status, 404);
    await world.app.worker.settle(platform.id);
    assert.equal(await countFiles(), filesBefore - 1);
    assert.equal((await upload(platform, documentFields(id))).status, 201);
  });

  async function countFiles(): Promise<number> {
    const entries = await readdir(world.storageFolder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).length;
  }

  it('customers.md §5.7: a document in an open verification is locked, one added later is not, and RESOLVE_ERRORS unlocks it', async () => {
    const platform = await world.platform();
    const person = await givenCompletePerson(platform, 'Ada Review 001');
    const [passport] = await list(platform);
    assert.equal((await submitted(platform, person.id)).verificationStatus, 'PENDING_MANUAL_REVIEW');
    for (const locked of [
      await remove(platform, passport.id),
      await replace(platform, passport.id, documentFields('')),
    ]) {
      assert.deepEqual([locked.status, locked.body.code], [409, 'CONFLICT']);
    }
    const added = await givenDocument(platform, person.id, 'SELFIE');
    assert.equal((await remove(platform, added.id)).status, 204);
    const rename = { customerType: 'INDIVIDUAL', fullName: 'Ada Again 003' };
    await platform.call('updateCustomerById', { params: { customerId: person.id }, body: rename });
    assert.equal((await submitted(platform, person.id)).verificationStatus, 'RESOLVE_ERRORS');
    assert.equal((await replace(platform, passport.id, documentFields(''))).status, 200);
    assert.equal((await remove(platform, passport.id)).status, 204);
  });

  it('customers.md §5.7: documents of a terminal customer and its owners are locked; POST stays allowed', async () => {
    const platform = await world.platform();
    const person = await givenCompletePerson(platform);
    const [passport] = await list(platform);
    assert.equal((await submitted(platform, person.id)).verificationStatus, 'APPROVED');
    assert.equal((await remove(platform, passport.id)).status, 409);
    assert.equal((await replace(platform, passport.id, documentFields(''))).status, 409);
    const late = await givenDocument(platform, person.id, 'SELFIE');
    assert.equal((await remove(platform, late.id)).status, 409);
    const light = await world.platform({ settings: { isRegulatedFinancialInstitution: true } });
    const business = await givenCustomer(light, BUSINESS);
    const owner = await givenOwner(light, business.id);
    const paper = await givenDocument(light, owner.id);
    assert.equal((await submitted(light, business.id)).verificationStatus, 'APPROVED');
    assert.equal((await remove(light, paper.id)).status, 409);
  });

  it("customers.md §5.7: an open verification of a business also locks its owners' documents", async () => {
    const platform = await world.platform();
    const business = await givenCompleteBusiness(platform, 'REG-001');
    const { body: owners } = await platform.call('listBeneficialOwners', {
      query: { customerId: business.id },
    });
    const [{ id: ownerId }] = owners.data;
    const paper = await givenDocument(platform, ownerId, 'SELFIE');
    assert.equal((await submitted(platform, business.id)).verificationStatus, 'IN_PROGRESS');
    assert.equal((await remove(platform, paper.id)).status, 409);
    assert.equal((await replace(platform, paper.id, documentFields('', 'SELFIE'))).status, 409);
  });

  it('customers.md §5.7: a replacement that arrives while its customer is submitted is not stored', async () => {
    const platform = await world.platform();
    const person = await givenCompletePerson(platform, 'Ada Review 001');
    const [passport] = await list(platform);
    const release = await holdOpen(platform, (tx) => submitCustomer(tx, uuidOf(person.id)));
    const replacing = replace(platform, passport.id, documentFields(''), { content: 'too late' });
    await untilBlocked(world.databaseUrl, 1, replacing);
    await release();
    assert.deepEqual([(await replacing).status, (await replacing).body.code], [409, 'CONFLICT']);
    assert.equal(await readDocument(platform, passport.id), PDF);
  });

  it('customers.md §5.6: concurrent replacements of one document apply in turn, and one file is left', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform);
    const made = await givenDocument(platform, id);
    const contents = ['one', 'two', 'three', 'four', 'five'];
    const replies = await Promise.all(
      contents.map((content) =>
        replace(platform, made.id, documentFields('', 'PASSPORT', { documentNumber: content }), { content }),
      ),
    );
    for (const { status, raw } of replies) assert.equal(status, 200, raw);
    const { body } = await platform.call('getDocument', { params: { documentId: made.id } });
    assert.equal(await readDocument(platform, made.id), body.documentNumber);
    await world.app.worker.settle(platform.id);
    const [left] = await world.database.query<{ count: bigint }>(
      sql`select count(*) from contents where platform_id = ${platform.id}`,
    );
    assert.equal(left?.count, 1n);
  });

  it('customers.md §2.4: a document that arrives while its holder is deleted is not stored', async () => {
    const platform = await world.platform();
    const business = await givenCustomer(platform, BUSINESS);
    const owner = await givenOwner(platform, business.id);
    const release = await holdOpen(platform, (tx) => deleteCustomer(tx, uuidOf(business.id)));
    const uploads = [
      upload(platform, documentFields(business.id, 'TAX_RETURN')),
      upload(platform, documentFields(owner.id)),
    ];
    await untilBlocked(world.databaseUrl, 2, Promise.race(uploads));
    await release();
    for (const { status, body } of await Promise.all(uploads)) {
      assert.deepEqual([status, body.code], [404, 'DOCUMENT_HOLDER_NOT_FOUND']);
    }
    assert.deepEqual(await list(platform), []);
  });

  it('customers.md §5.7: a deletion that races with a submission either comes first or is refused', async () => {
    const platform = await world.platform();
    for (let round = 0; round < 5; round++) {
      const person = await givenCompletePerson(platform);
      const [passport] = await list(platform, { documentHolder: person.id });
      const [deletion, verification] = await Promise.all([
        remove(platform, passport.id),
        submitted(platform, person.id),
      ]);
      assert.equal(
        deletion.status === 204,
        verification.verificationStatus === 'RESOLVE_ERRORS',
        deletion.raw,
      );
    }
  });

  it('customers.md §1.4: the list is newest first, filtered by holder, in pages; an unknown holder has none', async () => {
    const platform = await world.platform();
    const one = await givenCustomer(platform);
    const two = await givenCustomer(platform, BUSINESS);
    const owner = await givenOwner(platform, two.id);
    const ids: string[] = [];
    for (const [holder, type] of [
      [one.id, 'PASSPORT'],
      [one.id, 'SELFIE'],
      [two.id, 'TAX_RETURN'],
      [owner.id, 'PASSPORT'],
    ]) {
      ids.unshift((await givenDocument(platform, holder ?? '', type)).id);
      world.clock.advance(1_000);
    }
    assert.deepEqual(
      (await list(platform)).map(({ id }) => id),
      ids,
    );
    const of = async (documentHolder: string) =>
      (await list(platform, { documentHolder })).map(({ id }) => id);
    assert.deepEqual(await of(one.id), ids.slice(2));
    assert.deepEqual(await of(owner.id), ids.slice(0, 1));
    assert.deepEqual(await of(uuidOf(owner.id)), ids.slice(0, 1));
    assert.deepEqual(await of(owner.id.replace('BeneficialOwner', 'Customer')), []);
    assert.deepEqual(await of('Customer:019542f5-b3e7-7d02-8000-000000000099'), []);
    const first = await platform.call('listDocuments', { query: { limit: 3 } });
    assert.deepEqual([first.body.hasMore, first.body.totalCount], [true, 4]);
    const rest = await platform.call('listDocuments', { query: { limit: 3, cursor: first.body.nextCursor } });
    assert.deepEqual(
      rest.body.data.map(({ id }) => id),
      ids.slice(3),
    );
    const bad = await platform.call('listDocuments', { query: { documentHolder: 'Quote:1' } });
    assert.deepEqual(fieldsOf(bad.body), ['documentHolder']);
  });

  it('customers.md §1.3: documents of another platform are not found, like unknown ones', async () => {
    const platform = await world.platform();
    const stranger = await world.platform();
    const { id } = await givenDocument(platform, (await givenCustomer(platform)).id);
    const unknown = 'Document:019542f5-b3e7-7d02-8000-000000000099';
    for (const documentId of [id, unknown, 'Document:x', 'Customer:019542f5-b3e7-7d02-8000-000000000099']) {
      const calls = [
        await stranger.call('getDocument', { params: { documentId } }),
        await remove(stranger, documentId),
        await replace(stranger, documentId, documentFields('')),
      ];
      for (const reply of calls)
        assert.deepEqual([reply.status, reply.body.code], [404, 'NOT_FOUND'], documentId);
    }
    assert.deepEqual(await list(stranger), []);
    assert.equal((await platform.call('getDocument', { params: { documentId: id } })).status, 200);
  });

  it('customers.md §2.4: documents of a deleted customer are not found', async () => {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const made = await givenDocument(platform, customer.id);
    const deleted = await platform.call('deleteCustomerById', { params: { customerId: customer.id } });
    assert.equal(deleted.status, 200, deleted.raw);
    assert.equal((await platform.call('getDocument', { params: { documentId: made.id } })).status, 404);
    assert.equal((await remove(platform, made.id)).status, 404);
    assert.deepEqual(await list(platform), []);
    assert.deepEqual(await list(platform, { documentHolder: customer.id }), []);
  });

  it('uploads need MANAGE, reading needs VIEW, and both need credentials', async () => {
    const viewer = await world.platform({ permissions: ['VIEW'] });
    const form = () => documentForm(documentFields('Customer:019542f5-b3e7-7d02-8000-000000000099'));
    assert.equal((await viewer.call('uploadDocument', { body: form() })).status, 403);
    assert.equal((await viewer.call('listDocuments')).status, 200);
    assert.equal((await viewer.call('uploadDocument', { body: form(), as: 'nobody' })).status, 401);
    const [rows] = await world.database.query<{ count: bigint }>(
      sql`select count(*) from contents where platform_id = ${viewer.id}`,
    );
    assert.equal(rows?.count, 0n);
  });

  it('many concurrent uploads do not disturb each other', async () => {
    const platform = await world.platform();
    const customers = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        givenCustomer(platform, { ...PERSON, platformCustomerId: `p${i}` }),
      ),
    );
    const contents = customers.map(() => randomBytes(200_000).toString('hex'));
    const replies = await Promise.all(
      customers.map(({ id }, i) => upload(platform, documentFields(id), { content: contents[i] ?? '' })),
    );
    for (const [i, { status, body }] of replies.entries()) {
      assert.equal(status, 201);
      assert.equal(await readDocument(platform, body.id), contents[i]);
    }
  });
});
