// lane: whole — imports large files

import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { openBreak } from '#capabilities/connectors/break-store.ts';
import { findConnector } from '#capabilities/connectors/registry-store.ts';
import { newUuid, publicId } from '#foundation/lib/ids.ts';
import { givenOperator, type TestOperator } from '#tests/given/operators.ts';
import { setApprovals } from '#tests/given/proposals.ts';
import { selfSigned } from '#tests/harness/certificate.ts';
import type { World } from '#tests/harness/harness.ts';
import { skipWithout } from '#tests/harness/judges.ts';
import { operatorWorld } from '#tests/harness/operator-world.ts';

/** Why tests that need OpenSSL are skipped; false if they run. */
const NO_OPENSSL = await skipWithout('openssl');
const REASON = ['--reason', 'case 4711'];

describe('corridor connector', () => {
  const world = operatorWorld();
  const joined = world as unknown as World;
  let treasurer: TestOperator;
  const json = async (...words: string[]) => JSON.parse(await world.run(...words, '--json'));

  before(async () => {
    await givenOperator(joined);
    treasurer = await givenOperator(joined, ['treasury']);
    await setApprovals(joined, { approvals: 'off' });
  });

  it('connectors.md §9.1: it adds, routes, pauses, resumes, rewinds, rotates, lists, shows and removes', async () => {
    const made = await json('connector', 'add', 'nordbank', 'http://bank.example', ...REASON);
    assert.equal(Buffer.from(made.secret, 'base64').length, 32);
    const route = [
      'connector',
      'route',
      'set',
      'nordbank',
      '10',
      '--rail',
      'sepa',
      '--least',
      '100',
      ...REASON,
    ];
    assert.equal((await json(...route)).number, 10);
    assert.deepEqual((await json('connector', 'route', 'list'))[0].rail, 'SEPA');
    assert.equal((await json('connector', 'pause', 'nordbank', ...REASON)).state, 'PAUSED');
    assert.equal((await json('connector', 'list'))[0].because, 'OPERATOR');
    assert.equal((await json('connector', 'resume', 'nordbank', ...REASON)).state, 'UP');
    await json('connector', 'set', 'nordbank', '--url', 'https://other.example', ...REASON);
    await json('connector', 'rewind', 'nordbank', ...REASON);
    const rotated = await json('connector', 'rotate-secret', 'nordbank', '--immediately', '--yes', ...REASON);
    assert.notEqual(rotated.secret, made.secret);
    const shown = await json('connector', 'show', 'nordbank');
    assert.deepEqual(
      [shown.url, shown.routes.length, shown.capabilities],
      ['https://other.example/', 1, null],
    );
    await json('connector', 'route', 'remove', '10', ...REASON);
    await json('connector', 'remove', 'nordbank', '--yes', ...REASON);
    await world.assertRefused([
      [['connector', 'show', 'nordbank'], 1, /no connector nordbank/],
      [['connector', 'add', 'nordbank', 'http://bank.example', ...REASON], 1, /its name stays in the ledger/],
      [['connector', 'pause', 'nordbank', ...REASON], 1, /no connector nordbank/],
    ]);
  });

  it('connectors.md §1.6: a client certificate is set, never shown, becomes work before it ends, and is taken away', {
    skip: NO_OPENSSL,
  }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'corridor-certificate-'));
    const files = { certificate: join(folder, 'own.pem'), key: join(folder, 'own.key') };
    const { cert, key } = await selfSigned('corridor.example');
    await writeFile(files.certificate, cert);
    await writeFile(files.key, key);
    await json('connector', 'add', 'eastbank', 'https://bank.example', ...REASON);
    const set = ['connector', 'set', 'eastbank', ...REASON];
    const given = ['--client-certificate', files.certificate, '--client-key', files.key];
    await json(...set, ...given);
    const shown = await world.run('connector', 'show', 'eastbank', '--json');
    const until = new Date(new X509Certificate(cert).validTo).toISOString();
    assert.equal(JSON.parse(shown).clientCertificateUntil, until);
    assert.ok(!/BEGIN|PRIVATE/.test(shown), shown);
    await setApprovals(joined, { approvals: 'required' });
    const proposed = await world.run(...set, ...given, '--as', treasurer.email, '--json');
    assert.ok(proposed.includes('BEGIN CERTIFICATE') && !proposed.includes('PRIVATE KEY'), proposed);
    await setApprovals(joined, { approvals: 'off' });
    // The installation’s work begins with the first platform of production.
    await world.another('Live', 'production');
    const { stdout } = await world.attempt('attention', '--kind', 'connector-certificates', '--json');
    assert.match(stdout, /eastbank[\s\S]*ends on/);
    await json(...set, '--no-client-certificate');
    assert.equal((await json('connector', 'show', 'eastbank')).clientCertificateUntil, null);
    await world.assertRefused([
      [[...set, '--client-certificate', files.certificate], 1, /privateKey: must be given/],
      [[...set, '--client-certificate', files.key, '--client-key', files.key], 1, /certificate: must be/],
      [[...set, '--client-certificate', join(folder, 'none')], 1, /cannot be read/],
      [set, 1, /Give --profile/],
    ]);
    await rm(folder, { recursive: true });
  });

  it('operator.md §7.2: where approvals are required, all but pausing need a second operator', async () => {
    await json('connector', 'add', 'sudbank', 'http://bank.example', ...REASON);
    await setApprovals(joined, { approvals: 'required' });
    const set = ['connector', 'set', 'sudbank', '--url', 'http://new.example', ...REASON];
    await world.assertRefused([[set, 1, /second operator has to approve/]]);
    assert.equal((await json(...set, '--as', treasurer.email)).status, 'UNCLAIMED');
    assert.equal((await json('connector', 'pause', 'sudbank', ...REASON)).state, 'PAUSED');
    assert.equal((await json(...set, '--break-glass', '--as', treasurer.email)).url, 'http://new.example/');
    await setApprovals(joined, { approvals: 'off' });
  });

  it('connectors.md §9.5: it lists, shows and resolves breaks', async () => {
    await json('connector', 'add', 'westbank', 'http://bank.example', ...REASON);
    const connector = await findConnector(world.database.query, 'westbank');
    const id = newUuid<'Break'>();
    const found = { kind: 'LOST' as const, what: 'It is lost.', about: newUuid(), platformId: null };
    await openBreak(world.database.query, { ...found, id, connectorId: connector?.id ?? '' }, new Date());
    assert.equal((await json('break', 'list'))[0].id, publicId('Break', id));
    const resolved = await json('break', 'resolve', publicId('Break', id), ...REASON);
    assert.equal(resolved.resolution, 'case 4711');
    assert.equal((await json('break', 'show', publicId('Break', id))).resolution, 'case 4711');
    assert.deepEqual(await json('break', 'list'), []);
    await world.assertRefused([
      [['break', 'resolve', publicId('Break', id), ...REASON], 1, /resolved already/],
    ]);
  });
});
