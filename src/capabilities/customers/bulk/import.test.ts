// lane: whole — imports large files

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import type { Static } from 'typebox';
import type { BulkCustomerImportJobsQuery } from '#capabilities/customers/bulk/schemas.ts';
import { sql } from '#foundation/database/sql.ts';
import { EUROPEAN, fieldsOf, givenCustomer, PERSON } from '#tests/given/customers.ts';
import {
  businessRow,
  csvForm,
  fetchImport,
  givenImport,
  imported,
  ownDomain,
  personRow,
  renderCsv,
} from '#tests/given/imports.ts';
import { advance } from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const DAY_MS = 24 * 3_600_000;

describe('bulk import of customers', () => {
  const world = testWorld();

  async function listCustomers(platform: TestPlatform, query = {}) {
    const reply = await platform.call('listCustomers', { query: { limit: 100, ...query } });
    return reply.body.data;
  }

  async function loadCustomer(platform: TestPlatform, platformCustomerId: string) {
    const [customer] = await listCustomers(platform, { platformCustomerId });
    assert.ok(customer, platformCustomerId);
    return customer;
  }

  async function storedFiles(): Promise<string[]> {
    const entries = await readdir(world.storageFolder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  }

  describe('uploading', () => {
    it('customers.md §2.5.27: accepts the file and answers 202 with the pending job', async () => {
      const platform = await world.platform();
      const jobId = await givenImport(platform, renderCsv([personRow(1)]));
      assert.match(jobId, /^Job:[0-9a-f-]{36}$/);
      assert.deepEqual(await fetchImport(platform, jobId), {
        id: jobId,
        status: 'PENDING',
        progress: { total: 0, processed: 0, successful: 0, failed: 0 },
      });
    });

    it('customers.md §2.5.27: a request without the part `file` is 400 INVALID_INPUT', async () => {
      const platform = await world.platform();
      const form = new FormData();
      form.append('description', 'no file at all');
      for (const body of [form, new FormData()]) {
        if (body !== form) body.append('other', new Blob(['a,b']), 'other.csv');
        const reply = await platform.call('uploadCustomersCsv', { body });
        assert.equal(reply.status, 400, reply.raw);
        assert.equal(reply.body.code, 'INVALID_INPUT');
        assert.equal(reply.body.details.errors[0].field, 'file');
      }
    });

    it('customers.md §2.5.27: a file over 100 MB is 400 INVALID_INPUT and is not stored', async () => {
      const platform = await world.platform();
      const before = await storedFiles();
      const reply = await uploadStream(platform, 104_857_601);
      assert.equal(reply.statusCode, 400, reply.body);
      assert.equal(reply.json().code, 'INVALID_INPUT');
      await world.app.worker.settle(platform.id);
      assert.deepEqual(await storedFiles(), before);
    });

    /** One long line of this many bytes. */
    function uploadStream(platform: TestPlatform, bytes: number) {
      const boundary = 'a-boundary';
      const piece = Buffer.alloc(1_048_576, 'x');
      function* parts() {
        yield `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="big.csv"\r\n\r\n`;
        for (let sent = 0; sent < bytes; sent += piece.length) yield piece.subarray(0, bytes - sent);
        yield `\r\n--${boundary}--\r\n`;
      }
      return world.app.http.inject({
        method: 'POST',
        url: '/svc/2025-10-13/customers/bulk/csv',
        headers: {
          authorization: platform.authorization,
          'content-type': `multipart/form-data; boundary=${boundary}`,
        },
        payload: Readable.from(parts(), { objectMode: false }),
      });
    }

    it('platform.md §2: the same key and file are one import, another file with that key is refused', async () => {
      const platform = await world.platform();
      const send = (text: string) =>
        platform.call('uploadCustomersCsv', { body: csvForm(ownDomain(platform, text)), key: 'import-1' });
      const [first, second] = [await send(renderCsv([personRow(1)])), await send(renderCsv([personRow(1)]))];
      assert.deepEqual(second.body, first.body);
      assert.equal((await send(renderCsv([personRow(2)]))).status, 409);
      await world.app.worker.settle(platform.id);
      assert.equal((await listCustomers(platform)).length, 1);
    });

    it('customers.md §2.5.32: imports are listed newest first, by status, without errors and never another platform’s', async () => {
      const [platform, other] = [await world.platform(), await world.platform()];
      const list = async (query: Static<typeof BulkCustomerImportJobsQuery> = {}, by = platform) => {
        const reply = await by.call('listBulkCustomerImportJobs', { query });
        assert.equal(reply.status, 200, reply.raw);
        return reply.body;
      };
      assert.deepEqual(await list(), { data: [], hasMore: false, totalCount: 0 });

      const failed = await givenImport(platform, 'platformCustomerId\nx\n');
      await world.app.worker.settle(platform.id);
      await advance(platform, 1);
      const pending = await givenImport(platform, renderCsv([personRow(1)]));
      const first = await list({ limit: 1 });
      assert.deepEqual(
        first.data.map(({ id, status }) => [id, status]),
        [[pending, 'PENDING']],
      );
      assert.equal(first.totalCount, 2);
      const second = await list({ limit: 1, cursor: first.nextCursor ?? '' });
      const { errors: _, ...whole } = (await fetchImport(platform, failed)) as Record<string, unknown>;
      assert.deepEqual(
        second.data.map(({ createdAt: __, ...shown }) => shown),
        [whole],
      );
      assert.equal(second.hasMore, false);
      assert.deepEqual(
        (await list({ status: 'FAILED' })).data.map(({ id }) => id),
        [failed],
      );
      assert.deepEqual((await list({}, other)).data, []);
    });

    it('needs MANAGE; another platform’s job is 404', async () => {
      const viewer = await world.platform({ permissions: ['VIEW'] });
      const body = csvForm(renderCsv([personRow(1)]));
      assert.equal((await viewer.call('uploadCustomersCsv', { body })).status, 403);
      assert.equal((await viewer.call('uploadCustomersCsv', { body, as: 'nobody' })).status, 401);
      const [owner, stranger] = [await world.platform(), await world.platform()];
      const jobId = await givenImport(owner, renderCsv([personRow(1)]));
      const unknown = 'Job:01890a5d-ac96-774b-bcce-b302099a8057';
      const replies = [jobId, unknown, 'Quote:1', 'nonsense'].map((id) =>
        stranger.call('getBulkCustomerImportJob', { params: { jobId: id } }),
      );
      const raws = (await Promise.all(replies)).map(({ status, raw }) => `${status} ${raw}`);
      assert.equal(new Set(raws).size, 1);
      assert.match(raws[0] ?? '', /^404 .*BULK_UPLOAD_JOB_NOT_FOUND/);
    });

    it('the file is stored sealed and is deleted when the import ends', async () => {
      const platform = await world.platform();
      await givenImport(platform, renderCsv([personRow(1, { fullName: 'Planted Name' })]));
      const mine = async () =>
        world.database.query(sql`select from contents where platform_id = ${platform.id}`);
      assert.equal((await mine()).length, 1);
      const before = await storedFiles();
      for (const file of before) assert.ok(!(await readFile(file)).includes('Planted'));
      await world.app.worker.settle(platform.id);
      assert.equal((await mine()).length, 0);
      assert.equal((await storedFiles()).length, before.length - 1);
    });
  });

  describe('reading', () => {
    it('customers.md §2.5.28: byte-order mark, quotes, any line endings, any column order and unknown columns are accepted', async () => {
      const platform = await world.platform();
      const text =
        '\uFEFFcountry,fullName,shoeSize,umaAddress,platformCustomerId,customerType, addressLine1 ,city,state,' +
        'postalCode,birthDate,description\r\n' +
        'US,"Ada ""Lovelace""",38,$a@rows.example,a,INDIVIDUAL,"1 Market St, ""rear""\nFloor 2",S,CA,94105,1990-12-10,x\n' +
        'US,Żółta Łódź,,$b@rows.example,b,INDIVIDUAL,1 Market St,S,CA,94105,1990-12-10,\r' +
        'US,Ada Byron,,$c@rows.example,c,INDIVIDUAL,1 Market St,S,CA,94105,1990-12-10,';
      const job = await imported(world, platform, text);
      assert.equal(job.progress.total, 3);
      assert.deepEqual(
        job.errors.map((entry) => [entry.correlationId, fieldsOf(entry)]),
        [['a', ['fullName']]],
      );
      assert.equal((await loadCustomer(platform, 'b')).fullName, 'Żółta Łódź');
      assert.equal((await loadCustomer(platform, 'c')).address.line1, '1 Market St');
    });

    it('customers.md §2.5.28: a quoted field keeps its commas, quotes and line breaks', async () => {
      const platform = await world.platform();
      const addressLine1 = '1 Market St, "rear"\nFloor 2';
      await imported(world, platform, renderCsv([personRow(1, { addressLine1 })]));
      assert.equal((await loadCustomer(platform, 'person-1')).address.line1, addressLine1);
    });

    it('customers.md §2.5.28: short rows are padded and blank lines are skipped, neither counted nor numbered', async () => {
      const platform = await world.platform();
      const [header, row] = renderCsv([personRow(1, { email: '' })]).split('\r\n') as [string, string];
      const short = row.slice(0, -1).replaceAll('person1@', 'p1@');
      const bad = ',,INDIVIDUAL';
      const job = await imported(world, platform, `\n${header}\n\n  \n${short}\n,,,\n\r\n${bad}\n\n`);
      assert.deepEqual(job.progress, { total: 2, processed: 2, successful: 1, failed: 1 });
      assert.equal(job.errors[0].correlationId, 'row_2');
      const customer = await loadCustomer(platform, 'person-1');
      assert.equal(customer.umaAddress, ownDomain(platform, '$p1@rows.example'));
      assert.equal(customer.email, undefined);
    });

    it('customers.md §2.5.28: an extra comma is an error of its row, because all later values are in the wrong columns', async () => {
      const platform = await world.platform();
      const text = renderCsv([personRow(1), personRow(2)]);
      const job = await imported(world, platform, text.replace('1 Market St', '1, Market St'));
      assert.deepEqual(job.progress, { total: 2, processed: 2, successful: 1, failed: 1 });
      assert.ok(fieldsOf(job.errors[0]).includes('row'));
    });
  });

  describe('rows', () => {
    it('customers.md §2.5.29: a row becomes the same customer as by POST /customers, with its accounts', async () => {
      const platform = await world.platform();
      const row = personRow(1, { addressLine2: 'Apt 4', email: 'ada@example.com', platformAccountId: 'x' });
      const job = await imported(world, platform, renderCsv([row]));
      assert.equal(job.status, 'COMPLETED', JSON.stringify(job));
      const byHand = await givenCustomer(platform, {
        customerType: 'INDIVIDUAL',
        umaAddress: ownDomain(platform, '$hand@rows.example'),
        platformCustomerId: 'hand',
        fullName: 'Ada Lovelace',
        birthDate: '1990-12-10',
        email: 'ada@example.com',
        address: {
          line1: '1 Market St',
          line2: 'Apt 4',
          city: 'San Francisco',
          state: 'CA',
          postalCode: '94105',
          country: 'US',
        },
      });
      const made = await loadCustomer(platform, 'person-1');
      const own = { id: 0, platformCustomerId: 0, umaAddress: 0 };
      assert.deepEqual({ ...made, ...own }, { ...byHand, ...own });
      const accounts = async ({ id }: { id: string }) =>
        (await platform.call('listCustomerInternalAccounts', { query: { customerId: id } })).body.data.length;
      assert.equal(await accounts(made), await accounts(byHand));
    });

    it('customers.md §2.5.29: a business needs no tax id or incorporation date; its country is that of the address', async () => {
      const platform = await world.platform();
      const rows = [
        businessRow(1),
        businessRow(2, { businessTaxId: '12-3456789', businessRegistrationNumber: 'HRB-1' }),
        businessRow(3, { businessTaxId: '1' }),
      ];
      const job = await imported(world, platform, renderCsv(rows));
      assert.deepEqual(job.progress, { total: 3, processed: 3, successful: 2, failed: 1 });
      assert.deepEqual(fieldsOf(job.errors[0]), ['businessTaxId']);
      assert.deepEqual((await loadCustomer(platform, 'business-1')).businessInfo, {
        legalName: 'Analytical Engines Inc.',
        country: 'US',
      });
      const { businessInfo, region } = await loadCustomer(platform, 'business-2');
      assert.equal(businessInfo.taxId, '12-3456789');
      assert.equal(businessInfo.registrationNumber, 'HRB-1');
      assert.equal(region, 'US');
    });

    it('customers.md §2.5.29: a missing $ is added', async () => {
      const platform = await world.platform();
      await imported(world, platform, renderCsv([personRow(1, { umaAddress: 'Bare@rows.example' })]));
      const { umaAddress } = await loadCustomer(platform, 'person-1');
      assert.equal(umaAddress, ownDomain(platform, '$bare@rows.example'));
    });

    it('customers.md §2.5.29: the sandbox’s suffixes and the customer events work as on create', async () => {
      const platform = await world.platform({ settings: { skipVerificationPaperwork: true } });
      const receiver = await platform.receive();
      const rows = [
        personRow(1),
        personRow(2, { fullName: 'Ada 002' }),
        personRow(3, { fullName: 'Ada 003' }),
      ];
      await imported(world, platform, renderCsv(rows));
      const statuses = [];
      for (const n of [1, 2, 3]) {
        const by = await loadCustomer(platform, `person-${n}`);
        const hand = await givenCustomer(platform, { ...PERSON, fullName: by.fullName });
        assert.equal(by.kycStatus, hand.kycStatus);
        statuses.push(by.kycStatus);
      }
      assert.ok(new Set(statuses).size > 1, statuses.join());
      const told = receiver.types().filter((type) => type.startsWith('CUSTOMER.'));
      assert.equal(told.length, statuses.filter((status) => status !== 'UNVERIFIED').length);
    });

    it('customers.md §2.5.29: contacts that must be verified are required, as on create', async () => {
      const platform = await world.platform();
      const job = await imported(world, platform, renderCsv([personRow(1, { country: EUROPEAN.region })]));
      assert.deepEqual(fieldsOf(job.errors[0]), ['email', 'phoneNumber']);
    });

    it('customers.md §2.5.28: customers of a region that requires verified contacts are imported with them', async () => {
      const platform = await world.platform();
      const contacts = { email: 'emmy@example.com', phoneNumber: '+4915112345678' };
      const people = { primaryContactFirstName: 'Emmy', primaryContactLastName: 'Noether' };
      const rows = [
        personRow(1, { ...contacts, country: 'DE' }),
        personRow(2, { ...contacts, region: 'DE' }),
        businessRow(3, { ...contacts, ...people, country: 'DE', businessIncorporatedOn: '2015-06-01' }),
        businessRow(4, { email: 'office@example.com', phoneNumber: '+14155550123' }),
      ];
      const job = await imported(world, platform, renderCsv(rows));
      assert.deepEqual([job.status, job.errors], ['COMPLETED', undefined], JSON.stringify(job.errors));
      const pending = { email: 'PENDING', phone: 'PENDING' };
      for (const name of ['person-1', 'person-2', 'business-3']) {
        const { region, email, phoneNumber, contactVerification } = await loadCustomer(platform, name);
        assert.deepEqual({ region, email, phoneNumber }, { region: 'DE', ...contacts }, name);
        assert.deepEqual(contactVerification, pending);
      }
      assert.equal((await loadCustomer(platform, 'person-2')).address.country, 'US');
      const { businessInfo } = await loadCustomer(platform, 'business-3');
      assert.deepEqual(businessInfo, {
        legalName: 'Analytical Engines Inc.',
        country: 'DE',
        incorporatedOn: '2015-06-01',
        ...people,
      });
      const american = await loadCustomer(platform, 'business-4');
      assert.deepEqual([american.email, american.phoneNumber], ['office@example.com', '+14155550123']);
    });

    it('customers.md §2.5.30: errors always name columns of the file', async () => {
      const platform = await world.platform();
      const address = { addressLine1: '', city: '', state: '', postalCode: '' };
      const rows = [
        businessRow(1, { country: 'DE' }),
        businessRow(2, { ...address, businessLegalName: '', country: 'de', businessTaxId: '?' }),
        businessRow(3, { businessIncorporatedOn: '2999-01-01', businessTaxId: '1', region: 'Europe' }),
        businessRow(4, { businessIncorporatedOn: 'soon', email: 'nobody', phoneNumber: '0171' }),
        businessRow(5, {
          primaryContactFirstName: 'x'.repeat(1000),
          addressLine1: 'y'.repeat(1000),
          addressLine2: 'z'.repeat(1000),
          businessLegalName: 'n'.repeat(1000),
          businessRegistrationNumber: 'r'.repeat(1000),
        }),
        personRow(6, { ...address, fullName: 'A  B', birthDate: '1990-02-30', country: 'XX' }),
      ];
      const job = await imported(world, platform, renderCsv(rows));
      const named = job.errors.map((entry) => ({ message: entry.message, fields: fieldsOf(entry).sort() }));
      const expected = [
        ['email', 'phoneNumber', 'primaryContactFirstName', 'primaryContactLastName'],
        ['addressLine1', 'businessLegalName', 'city', 'country', 'postalCode', 'state'],
        ['businessIncorporatedOn', 'businessTaxId', 'region'],
        ['businessIncorporatedOn', 'email', 'phoneNumber'],
        [
          'addressLine1',
          'addressLine2',
          'businessLegalName',
          'businessRegistrationNumber',
          'primaryContactFirstName',
        ],
        ['addressLine1', 'birthDate', 'city', 'country', 'fullName', 'postalCode', 'state'],
      ];
      assert.deepEqual(
        named.map(({ fields }) => fields),
        expected,
      );
      for (const { message } of named) assert.doesNotMatch(message, /businessInfo|address\./);
    });

    it('customers.md §2.5.30: an invalid row names all invalid columns under INVALID_FIELD', async () => {
      const platform = await world.platform();
      const row = personRow(1, {
        umaAddress: '$no domain',
        city: '',
        country: 'XX',
        birthDate: '2999-01-01',
        fullName: 'A\u0000B',
      });
      const job = await imported(world, platform, renderCsv([row, personRow(2)]));
      const [entry] = job.errors;
      assert.deepEqual(Object.keys(entry).sort(), ['code', 'correlationId', 'details', 'message']);
      assert.equal(entry.correlationId, 'person-1');
      assert.equal(entry.code, 'INVALID_FIELD');
      assert.deepEqual(fieldsOf(entry).sort(), ['birthDate', 'city', 'country', 'fullName', 'umaAddress']);
      assert.equal(job.progress.successful, 1);
    });

    it('customers.md §2.5.28: a field of spaces only counts as empty', async () => {
      const platform = await world.platform();
      const blank = { platformCustomerId: ' ', addressLine1: '  ', city: '\t', fullName: '\u00a0' };
      const optional = { email: ' ', addressLine2: ' ' };
      const rows = [
        personRow(1, { ...blank, ...optional }),
        businessRow(2, { ...optional, businessTaxId: ' ' }),
      ];
      const job = await imported(world, platform, renderCsv(rows));
      assert.deepEqual(job.progress, { total: 2, processed: 2, successful: 1, failed: 1 });
      assert.equal(job.errors[0].correlationId, 'row_1');
      assert.deepEqual(fieldsOf(job.errors[0]).sort(), Object.keys(blank).sort());
    });

    it('customers.md §2.5.30: a business with an invalid country has one error for it, not two', async () => {
      const platform = await world.platform();
      const job = await imported(world, platform, renderCsv([businessRow(1, { country: 'Atlantis' })]));
      assert.deepEqual(fieldsOf(job.errors[0]), ['country']);
    });

    it('customers.md §2.5.30: an invalid UMA address alone is also INVALID_FIELD; rows without a reference are named by number', async () => {
      const platform = await world.platform();
      const rows = [
        personRow(1, { umaAddress: '$' }),
        personRow(2, { platformCustomerId: '' }),
        personRow(3, { customerType: 'ROBOT' }),
        personRow(4, { platformCustomerId: 'x'.repeat(300) }),
      ];
      const job = await imported(world, platform, renderCsv(rows));
      assert.deepEqual(
        job.errors.map((entry) => [entry.correlationId, entry.code, fieldsOf(entry)]),
        [
          ['person-1', 'INVALID_FIELD', ['umaAddress']],
          ['row_2', 'INVALID_FIELD', ['platformCustomerId']],
          ['person-3', 'INVALID_FIELD', ['customerType']],
          ['row_4', 'INVALID_FIELD', ['platformCustomerId']],
        ],
      );
    });

    it('customers.md §2.5.30: taken names are CONFLICT and UMA_ADDRESS_EXISTS, also within the file', async () => {
      const platform = await world.platform();
      await givenCustomer(platform, { ...PERSON, platformCustomerId: 'person-1' });
      const umaAddress = ownDomain(platform, '$person2@rows.example');
      await givenCustomer(platform, { ...PERSON, umaAddress });
      const rows = [
        personRow(1),
        personRow(2),
        personRow(3),
        personRow(4, { platformCustomerId: 'person-3' }),
        personRow(5, { umaAddress: '$PERSON3@rows.example' }),
      ];
      const job = await imported(world, platform, renderCsv(rows));
      assert.deepEqual(
        job.errors.map((entry) => [entry.correlationId, entry.code, entry.details]),
        [
          ['person-1', 'CONFLICT', { field: 'platformCustomerId' }],
          ['person-2', 'UMA_ADDRESS_EXISTS', { field: 'umaAddress' }],
          ['person-3', 'CONFLICT', { field: 'platformCustomerId' }],
          ['person-5', 'UMA_ADDRESS_EXISTS', { field: 'umaAddress' }],
        ],
      );
      assert.equal(job.progress.successful, 1);
    });

    it('customers.md §2.5.30: no value of the file is repeated in an error or the log', async () => {
      const platform = await world.platform();
      const rows = [personRow(1, { birthDate: 'secretly', fullName: 'Se<>cretly' }), personRow(2)];
      const jobId = await givenImport(platform, `${renderCsv(rows)}secretly"quoted\n`);
      await world.app.worker.settle(platform.id);
      const failed = await fetchImport(platform, jobId);
      assert.deepEqual(failed.errors[0].details, { reason: 'unreadable', line: 4 });
      const job = await imported(world, platform, renderCsv(rows));
      assert.doesNotMatch(JSON.stringify([failed, job, world.logged]), /se(<>)?cretly/i);
    });
  });

  describe('states', () => {
    async function ended(text: string | Uint8Array<ArrayBuffer>) {
      const platform = await world.platform();
      const receiver = await platform.receive();
      const job = await imported(world, platform, text);
      const told = receiver.received.filter(({ body }) => body.type.startsWith('BULK_UPLOAD.'));
      assert.equal(told.length, 1);
      assert.equal(told[0]?.body.type, `BULK_UPLOAD.${job.status}`);
      assert.deepEqual(told[0]?.body.data, job);
      assert.equal(job.completedAt, '2026-03-02T10:00:00.000Z');
      return { job, platform };
    }

    it('customers.md §2.5.30: an import with one created customer is COMPLETED, lists its failures and emits an event', async () => {
      const { job } = await ended(renderCsv([personRow(1), personRow(2, { city: '' })]));
      assert.equal(job.status, 'COMPLETED');
      assert.deepEqual(job.progress, { total: 2, processed: 2, successful: 1, failed: 1 });
      assert.equal(job.errors.length, 1);
    });

    it('customers.md §2.5.31: an import without failed rows has no errors', async () => {
      const { job } = await ended(renderCsv([personRow(1)]));
      assert.deepEqual(Object.keys(job).sort(), ['completedAt', 'id', 'progress', 'status']);
    });

    it('customers.md §2.5.30: an import that creates no customer is FAILED and emits an event', async () => {
      const { job } = await ended(renderCsv([personRow(1, { city: '' })]));
      assert.equal(job.status, 'FAILED');
      assert.deepEqual(job.progress, { total: 1, processed: 1, successful: 0, failed: 1 });
    });

    it('customers.md §2.5.30: a header without a column that all rows need is one invalid_csv_format', async () => {
      const text = renderCsv([personRow(1), personRow(2)])
        .replace('postalCode', 'zip')
        .replace('state', 'land');
      const { job, platform } = await ended(text);
      assert.equal(job.status, 'FAILED');
      assert.deepEqual(job.progress, { total: 0, processed: 0, successful: 0, failed: 0 });
      assert.equal(job.errors.length, 1);
      assert.equal(job.errors[0].code, 'invalid_csv_format');
      assert.deepEqual(job.errors[0].details, { reason: 'missing_required_column', column: 'state' });
      assert.deepEqual(await listCustomers(platform), []);
    });

    it('customers.md §2.5.30: a missing column of one type fails only the rows of that type', async () => {
      const person = personRow(1);
      const { job } = await ended(renderCsv([person, { ...businessRow(2), businessLegalName: '' }]));
      assert.equal(job.status, 'COMPLETED');
      assert.deepEqual(fieldsOf(job.errors[0]), ['businessLegalName']);
      const { fullName: _dropped, ...nameless } = person;
      const other = await ended(renderCsv([{ ...nameless, umaAddress: '$n@rows.example' }, businessRow(3)]));
      assert.deepEqual(fieldsOf(other.job.errors[0]), ['fullName']);
    });

    const useless: [string, string | Uint8Array<ArrayBuffer>, string][] = [
      ['no bytes', '', 'no_data_rows'],
      ['a header alone', renderCsv([personRow(1)]).split('\r\n')[0] ?? '', 'no_data_rows'],
      ['an unclosed quote', `${renderCsv([personRow(1)])}"open,`, 'unreadable'],
      ['a line of commas only', `${renderCsv([personRow(1)])}${','.repeat(400_000)}`, 'unreadable'],
      ['an endless row', `${renderCsv([personRow(1)])}${'x'.repeat(70_000)}`, 'unreadable'],
      [
        'other than UTF-8',
        Uint8Array.from(Buffer.from(renderCsv([personRow(1, { city: 'Zürich' })]), 'latin1')),
        'not_utf8',
      ],
      ['a picture', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0xff]), 'not_utf8'],
      ['a column twice', renderCsv([personRow(1)]).replace('fullName', 'city'), 'duplicate_column'],
    ];
    for (const [what, text, reason] of useless) {
      it(`customers.md §2.5.30: a file with ${what} is FAILED and creates no customer`, async () => {
        const { job, platform } = await ended(text);
        assert.equal(job.status, 'FAILED');
        assert.equal(job.errors.length, 1);
        assert.equal(job.errors[0].code, 'invalid_csv_format');
        assert.equal((job.errors[0].details as { reason: string }).reason, reason);
        assert.deepEqual(await listCustomers(platform), []);
      });
    }

    it('customers.md §2.5.30: a row that is too long is reported with its line number', async () => {
      const { job } = await ended(
        renderCsv([personRow(1), personRow(2, { description: 'x'.repeat(70_000) })]),
      );
      const [{ message, details }] = job.errors;
      assert.deepEqual(
        [message, details],
        ['The row in line 3 is too long.', { reason: 'unreadable', line: 3 }],
      );
    });

    it('customers.md §2.5.28a: rows, including empty ones, are counted while the file is read, and one too many ends it', async () => {
      const settings = { imports: { rowsMax: 3 } };
      const few = await world.platform({ settings });
      const [header = ''] = renderCsv([personRow(1)]).split('\r\n');
      const body = renderCsv([personRow(1), personRow(2)]).slice(header.length + 2);
      assert.equal((await imported(world, few, `${header}\n\n${body}`)).status, 'COMPLETED');
      for (const content of [
        `${header}\n\n,\n${body}`,
        `${header}\n${'\n'.repeat(4)}`,
        `${header}\n${',,\n'.repeat(4)}`,
      ]) {
        const job = await imported(world, await world.platform({ settings }), content);
        const [error, ...others] = job.errors ?? [];
        assert.deepEqual([job.status, others], ['FAILED', []]);
        assert.deepEqual(error, {
          correlationId: 'row_0',
          code: 'invalid_csv_format',
          message: 'The file has more than 3 rows, including empty ones: send it in parts.',
          details: { reason: 'too_many_rows', limit: 3 },
        });
        assert.equal(job.progress.processed, 0, 'nothing was imported');
      }
    });

    it('customers.md §2.5.28a: a file of empty rows only fails after 10,000 of them, whatever its size', async () => {
      for (const row of ['\n', ',\n', ' , \r\n']) {
        const { job } = await ended(`${renderCsv([personRow(1)])}${row.repeat(10_001)}`);
        assert.deepEqual(job.errors?.[0]?.details, { reason: 'too_many_empty_rows', limit: 10_000 });
        assert.equal(job.status, 'FAILED');
      }
      const { job } = await ended(`${renderCsv([personRow(1)])}${'\n'.repeat(10_000)}`);
      assert.equal(job.status, 'COMPLETED');
    });

    it('an import stores its first 10,000 errors and counts them all', async () => {
      const rows = Array.from({ length: 10_050 }, (_, i) => personRow(i, { umaAddress: '$' }));
      const { job } = await ended(renderCsv(rows));
      assert.deepEqual(job.progress, { total: 10_050, processed: 10_050, successful: 0, failed: 10_050 });
      assert.equal(job.errors.length, 10_000);
      assert.equal(job.errors.at(-1)?.correlationId, 'person-9999');
    });

    it('an ended import is deleted with its errors after 30 days, a running one is kept', async () => {
      const platform = await world.platform();
      const rows = Array.from({ length: 1_100 }, (_, i) => personRow(i, { umaAddress: '$' }));
      const ended = await imported(world, platform, renderCsv(rows));
      const errors = () =>
        world.database.query(sql`select from customer_import_errors where platform_id = ${platform.id}`);
      const find = (jobId: string) => platform.call('getBulkCustomerImportJob', { params: { jobId } });
      world.clock.advance(30 * DAY_MS);
      await world.app.worker.settle(platform.id);
      assert.equal((await find(ended.id)).status, 200);
      assert.equal((await errors()).length, 1_100);
      const waiting = await givenImport(platform, renderCsv([personRow(1)]));
      await world.database.query(sql`
        update jobs set due_at = due_at + interval '90 days'
         where platform_id = ${platform.id} and kind = 'customers.import'`);
      // Full batches follow each other almost at once.
      for (const ms of [DAY_MS, 1_000, 1_000]) {
        world.clock.advance(ms);
        await world.app.worker.settle(platform.id);
      }
      assert.equal((await find(ended.id)).body.code, 'BULK_UPLOAD_JOB_NOT_FOUND');
      assert.equal((await errors()).length, 0);
      assert.equal((await find(waiting)).status, 200);
    });
  });
});
