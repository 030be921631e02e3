import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { givenCompletePerson, givenDocument } from '#tests/given/packets.ts';
import { operatorWorld } from '#tests/harness/operator-world.ts';

describe('corridor review show and document', () => {
  const world = operatorWorld();
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'packet-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('customers.md §4.4.10a: shows the whole packet and a document to the operator, audited', async () => {
    const customer = await givenCompletePerson(world.platform);
    const paper = await givenDocument(world.platform, customer.id, 'DRIVERS_LICENSE', { side: 'FRONT' });
    const packet = JSON.parse(await world.run('review', 'show', customer.id, '--json'));
    assert.equal(packet.customer.id, customer.id);
    assert.match(packet.customer.identifier, /\d/);
    assert.deepEqual(
      packet.documents.map(({ documentType }: { documentType: string }) => documentType),
      ['PASSPORT', 'DRIVERS_LICENSE'],
    );
    assert.equal(packet.documents[0].documentNumber, 'C01X00T47');
    const text = await world.run('review', 'show', customer.id.toUpperCase());
    assert.match(text, /fullName +Ada Lovelace/);
    assert.match(text, new RegExp(paper.id));

    const output = join(folder, 'licence.pdf');
    await world.run('review', 'document', paper.id, '--output', output);
    assert.match(await readFile(output, 'latin1'), /^%PDF/);
    assert.equal((await stat(output)).mode & 0o777, 0o600);
    const rows = await world.database.query<{ action: string; resource: string }>(sql`
      select action, resource from audit_log
       where actor_kind = 'operator' and action like 'review%' order by at, id`);
    assert.deepEqual(
      rows.map(({ action, resource }) => [action, resource]),
      [
        ['review show', customer.id],
        ['review show', customer.id],
        ['review document', paper.id],
      ],
    );
  });

  it('overwrites no file, and leaves none for a document that does not exist', async () => {
    const taken = join(folder, 'taken');
    await writeFile(taken, 'mine');
    const free = join(folder, 'free');
    const unknown = `Document:${newUuid()}`;
    await world.assertRefused([
      [['review', 'document', unknown, '--output', taken], 1, /exists already; nothing was opened/],
      [['review', 'document', unknown, '--output', free], 1, /no such Document/],
      [['review', 'document', unknown], 2, /--output/],
      [['review', 'show', `Customer:${newUuid()}`], 1, /no such Customer/],
    ]);
    assert.equal(await readFile(taken, 'utf8'), 'mine');
    await assert.rejects(stat(free), { code: 'ENOENT' });
  });
});
