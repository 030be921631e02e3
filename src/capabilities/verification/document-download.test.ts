import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import type { OperatorCaller } from '#foundation/http/caller.ts';
import { OPERATOR_ROLES, type OperatorRole } from '#foundation/http/operator-rule.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { givenCustomer } from '#tests/given/customers.ts';
import { documentFields, documentForm, type FileOptions, givenCompletePerson } from '#tests/given/packets.ts';
import { givenPlatform } from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4, 5]);
const SCRIPT = '<script>alert(1)</script>';

describe('what reviewers read in clear', () => {
  const world = testWorld();

  async function call(role: OperatorRole, id: string, platform: TestPlatform, resource: string) {
    const operation = world.app.operatorOperations.find((one) => one.id === id) ?? assert.fail(id);
    const { platform: own } = await platform.work();
    const caller: OperatorCaller = {
      ...{ kind: 'operator', id: `Operator:${newUuid()}`, roles: [role], platform: own },
      session: { id: newUuid(), steppedUpAt: undefined },
    };
    return world.app.perform(operation, { caller, params: { id: resource } });
  }

  const readsOf = (resource: string) =>
    world.database.query<{ kind: string; fields: string[]; actor_id: string }>(sql`
      select kind, fields, actor_id from record_reads where resource = ${resource} order by at, id`);

  it('operator.md §4.3: a document leaves as an attachment; only a true picture has the type of one', async () => {
    const platform = await givenPlatform(world);
    const files: [file: FileOptions, type: string, ending: string][] = [
      [{ name: 'a.png', type: 'image/png', content: PNG }, 'image/png', 'png'],
      [{ name: 'a.pdf', type: 'application/pdf', content: JPEG }, 'image/jpeg', 'jpg'],
      [{ name: 'a.png', type: 'image/png', content: SCRIPT }, 'application/octet-stream', 'bin'],
      [
        {
          name: 'a.jpg',
          type: 'image/jpeg',
          content: `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`,
        },
        'application/octet-stream',
        'bin',
      ],
      [{ name: '"\r\nx: y.pdf', content: `%PDF-1.7 ${SCRIPT}` }, 'application/octet-stream', 'bin'],
      [{ name: 'short.pdf', content: '%' }, 'application/octet-stream', 'bin'],
    ];
    for (const [file, type, ending] of files) {
      const customer = await givenCustomer(platform);
      const fields = documentFields(customer.id, 'PROOF_OF_ADDRESS');
      const made = await platform.call('uploadDocument', { body: documentForm(fields, file) });
      assert.equal(made.status, 201, made.raw);
      const uuid = uuidOf<'Document'>(made.body.id);
      const { status, headers, stream } = await call('compliance', 'downloadDocument', platform, uuid);
      assert.equal(status, 200);
      assert.deepEqual(headers, {
        'content-type': type,
        'content-disposition': `attachment; filename="${uuid}.${ending}"`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
        'cache-control': 'no-store',
      });
      const content = Buffer.concat((await stream?.toArray()) ?? []);
      assert.deepEqual(content, Buffer.from(file.content ?? ''));
      const reads = await readsOf(customer.id);
      assert.deepEqual(
        reads.map(({ kind, fields }) => [kind, fields]),
        [['DOCUMENT', [made.body.id]]],
      );
    }
  });

  it('operator.md §4.3: reviews and documents are only for compliance, and unknown ones are 404', async () => {
    const platform = await givenPlatform(world);
    const customer = await givenCompletePerson(platform);
    const uuid = uuidOf<'Customer'>(customer.id);
    for (const role of OPERATOR_ROLES.filter((one) => one !== 'compliance')) {
      for (const id of ['openReview', 'downloadDocument']) {
        await assert.rejects(call(role, id, platform, uuid), { code: 'FORBIDDEN' });
      }
    }
    assert.deepEqual(await readsOf(customer.id), []);
    const { body } = await call('compliance', 'openReview', platform, uuid);
    const packet = JSON.parse(body);
    assert.equal(packet.customer.fullName, 'Ada Lovelace');
    assert.equal(packet.documents[0].documentNumber, 'C01X00T47');
    const reads = await readsOf(customer.id);
    assert.deepEqual(
      reads.map(({ kind, fields }) => [kind, fields]),
      [['PAGE', ['review']]],
    );
    assert.match(reads[0]?.actor_id ?? '', /^Operator:/);
    await assert.rejects(call('compliance', 'openReview', platform, newUuid()), {
      code: 'CUSTOMER_NOT_FOUND',
    });
    await assert.rejects(call('compliance', 'downloadDocument', platform, newUuid()), { code: 'NOT_FOUND' });
  });
});
