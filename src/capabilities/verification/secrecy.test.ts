// lane: whole — searches every table for planted values

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { eraseCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { decideReview } from '#capabilities/verification/review.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import { givenCustomer } from '#tests/given/customers.ts';
import {
  BUSINESS_PAPERS,
  documentFields,
  documentForm,
  FULL_BUSINESS,
  givenDocument,
  givenOwner,
  submitted,
} from '#tests/given/packets.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const OWNER_NUMBER = 'OWN-77.31/9924';
const CHANGED_NUMBER = 'OWN-11.90/5512';
const DOCUMENT_NUMBER = 'PASS-4410-QX';
const SENTENCE = 'the holder of this passport lives at the old mill';

describe('secrecy of documents and owners', () => {
  const world = testWorld();

  const forms = (secret: string) => [
    secret,
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  ];

  async function tables(): Promise<{ place: string; text: string }[]> {
    const names = await world.database.query<{ name: string }>(sql`
      select format('%I', table_name) as name from information_schema.tables
       where table_schema = 'public' and table_type = 'BASE TABLE'`);
    const found = [];
    for (const { name } of names) {
      const rows = await world.database.query<{ text: string }>(
        sql`select r::text as text from ${rawSql(name)} r`,
      );
      for (const { text } of rows) found.push({ place: name, text });
    }
    return found;
  }

  async function stored(): Promise<{ place: string; text: string }[]> {
    const entries = await readdir(world.storageFolder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return Promise.all(
      files.map(async ({ parentPath, name }) => ({
        place: name,
        text: (await readFile(join(parentPath, name))).toString('latin1'),
      })),
    );
  }

  function findPlaces(secret: string, places: readonly { place: string; text: string }[]): string[] {
    const found = places.filter(({ text }) => forms(secret).some((form) => text.includes(form)));
    return [...new Set(found.map(({ place }) => place))];
  }

  async function uploadPlanted(platform: TestPlatform, holder: string, type: string): Promise<void> {
    const fields = documentFields(holder, type, { documentNumber: DOCUMENT_NUMBER });
    const content = `%PDF-1.7 ${SENTENCE.repeat(5_000)}`;
    const reply = await platform.call('uploadDocument', {
      body: documentForm(fields, { content }),
      key: type,
    });
    assert.equal(reply.status, 201, reply.raw);
  }

  async function givenPlantedBusiness(platform: TestPlatform) {
    const business = await givenCustomer(platform, {
      ...FULL_BUSINESS,
      businessInfo: { ...FULL_BUSINESS.businessInfo, registrationNumber: 'REG-001' },
    });
    for (const type of BUSINESS_PAPERS) await givenDocument(platform, business.id, type);
    const owner = await givenOwner(platform, business.id, {
      nationality: 'GB',
      idType: 'NON_US_TAX_ID',
      identifier: OWNER_NUMBER,
    });
    for (const type of ['PASSPORT', 'NATIONAL_ID']) await uploadPlanted(platform, owner.id, type);
    return { ...business, owner };
  }

  it('no identification number or document content is in clear text in any table, file or log', async () => {
    for (const environment of ['SANDBOX', 'PRODUCTION'] as const) {
      const platform = await world.platform({ environment });
      if (environment === 'SANDBOX') await platform.receive();
      const { id, owner } = await givenPlantedBusiness(platform);
      const params = { beneficialOwnerId: owner.id };
      const changed = { personalInfo: { identifier: CHANGED_NUMBER } };
      assert.equal((await platform.call('updateBeneficialOwner', { params, body: changed })).status, 200);
      const refused = { personalInfo: { idType: 'SSN', identifier: CHANGED_NUMBER } };
      assert.equal((await platform.call('updateBeneficialOwner', { params, body: refused })).status, 400);
      await platform.call('uploadDocument', {
        body: documentForm(
          documentFields(owner.id, 'PASSPORT', { documentNumber: DOCUMENT_NUMBER, country: '?' }),
        ),
      });
      assert.equal((await submitted(platform, id)).verificationStatus, 'IN_PROGRESS');
      const before = [...(await tables()), ...(await stored())];
      await world.app.worker.settle(platform.id);
      const work = await platform.work();
      await work.write((tx) => decideReview(tx, uuidOf(id), { kind: 'APPROVE' }));
      await world.app.worker.settle(platform.id);
      const places = [...before, ...(await tables()), ...(await stored())];
      const logged = world.logged.map((text) => ({ place: 'log', text }));
      for (const secret of [OWNER_NUMBER, CHANGED_NUMBER, DOCUMENT_NUMBER, SENTENCE]) {
        assert.deepEqual(findPlaces(secret, [...places, ...logged]), [], secret);
      }
    }
  });

  it('the search finds clear text: the id of an owner; but not the names of an owner and of a file', async () => {
    const platform = await world.platform();
    const { id } = await givenCustomer(platform, FULL_BUSINESS);
    const owner = await givenOwner(platform, id, { lastName: 'Plantagenet' });
    const form = documentForm(documentFields(owner.id), { name: 'planted-name.pdf' });
    assert.equal((await platform.call('uploadDocument', { body: form })).status, 201);
    assert.ok(findPlaces(uuidOf(owner.id), await tables()).includes('beneficial_owners'));
    for (const name of ['Plantagenet', 'planted-name']) {
      assert.deepEqual(findPlaces(name, await tables()), []);
    }
  });

  it('the database itself refuses an identification number in the unsealed part of an owner', async () => {
    const platform = await world.platform();
    const { owner } = await givenPlantedBusiness(platform);
    await assert.rejects(
      world.database.query(sql`
        update beneficial_owners set personal_info = '{"identifier": "x"}', person = null
         where id = ${uuidOf(owner.id)}`),
      /beneficial_owners_no_clear_numbers/,
    );
  });

  it('customers.md §2.4.26a: erasing a deleted customer also erases its owners, documents, files, links and errors', async () => {
    const platform = await world.platform();
    const before = (await stored()).length;
    const { id } = await givenPlantedBusiness(platform);
    await submitted(platform, id);
    const uuid = uuidOf(id);
    const work = await platform.work();
    const reason = 'The passport of Charles Planted is torn.';
    const problems = [{ type: 'INVALID_DOCUMENT', reason }];
    await work.write((tx) => decideReview(tx, uuid, { kind: 'CORRECTABLE', problems }));
    const redirectUri = 'https://app.example.com/?who=charles.planted@example.com';
    await platform.call('createCustomerKycLink', { params: { customerId: id }, body: { redirectUri } });
    await platform.call('deleteCustomerById', { params: { customerId: id } });
    assert.deepEqual(findPlaces('Charles Planted', await tables()), []);
    const sealed = () =>
      world.database.query(sql`
        select 1 from verifications where platform_id = ${platform.id} and details is not null`);
    assert.equal((await sealed()).length, 1);
    await work.write((tx) => eraseCustomer(tx, uuid));
    assert.deepEqual(await sealed(), []);
    for (const trace of ['Charles Planted', 'charles.planted'])
      assert.deepEqual(findPlaces(trace, await tables()), []);
    await world.app.worker.settle(platform.id);
    const [left] = await world.database.query<Record<string, bigint>>(sql`
      select (select count(*) from beneficial_owners where platform_id = ${platform.id}) as owners,
             (select count(*) from documents where platform_id = ${platform.id}) as documents,
             (select count(*) from contents where platform_id = ${platform.id}) as contents,
             (select count(*) from onboarding_links
               where platform_id = ${platform.id} and redirect_uri is not null) as redirects,
             (select count(*) from verifications where platform_id = ${platform.id}) as verifications`);
    assert.deepEqual(left, { owners: 0n, documents: 0n, contents: 0n, redirects: 0n, verifications: 1n });
    assert.equal((await stored()).length, before);
    const shown = await platform.call('getCustomerById', { params: { customerId: id } });
    assert.deepEqual([shown.body.isDeleted, shown.body.beneficialOwners], [true, []]);
  });
});
