// lane: whole — files of a bank through a whole installation

import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { openDatabase } from '#foundation/database/database.ts';
import { bankStatement, bankStatus } from '#tests/bank-files/bank-writes.ts';
import { BANK_IBAN, type FileBank, givenFileBank } from '#tests/given/bank-files.ts';
import { payoutsByConnector } from '#tests/given/connected-payouts.ts';
import { givenRates } from '#tests/given/rates.ts';
import { testWorld } from '#tests/harness/harness.ts';

describe('payouts by files', () => {
  const world = testWorld();
  const at = payoutsByConnector(world);
  let bank: FileBank;
  beforeEach(async () => {
    await givenRates(world);
    bank = await givenFileBank(world, at);
  });

  /** A payout whose order the files connector has. */
  const given = async () => {
    const ordered = await at.ordered();
    await at.rounds();
    return ordered;
  };
  const plain = (reference: string) => reference.replaceAll('-', '');
  const MINUTE = 60;
  const DAY = 24 * 60 * MINUTE;

  it('bank-files.md §2.4: an order is written into a file, and settled by the bank’s status report', async () => {
    const { id, reference } = await given();
    await bank.later(DAY);
    const files = await bank.collect();
    assert.equal(files.length, 1);
    const [file] = files;
    assert.match(file?.text ?? '', new RegExp(`<EndToEndId>${plain(reference)}</EndToEndId>`));
    assert.deepEqual(await at.statusOf(id), ['PROCESSING', undefined, undefined]);
    const messageId = /<MsgId>([0-9a-f]{32})</.exec(file?.text ?? '')?.[1] ?? '';
    await bank.deliver('status.xml', bankStatus({ messageId, transfers: [[plain(reference), 'ACSC']] }));
    await bank.later(MINUTE);
    assert.deepEqual(bank.alarms, []);
    assert.deepEqual(await at.statusOf(id), ['COMPLETED', undefined, undefined]);
    assert.deepEqual(await bank.names('inbox'), []);
  });

  it('bank-files.md §2.5: a worker that cannot reach its database reports it, and the process goes on', async () => {
    const away = openDatabase({ url: world.databaseUrl, connectionsMax: 1 });
    await away.close();
    const worker = bank.newWorker({ ...world.app.runtime, database: away });
    await worker.pump();
    await worker.drain(10_000);
    assert.equal(bank.failures.length, 1);
  });

  const idsOf = (text: string) => ({
    messageId: /<MsgId>([0-9a-f]{32})</.exec(text)?.[1] ?? '',
    paymentInformationId: /<PmtInfId>([0-9a-f]{32})</.exec(text)?.[1] ?? '',
  });

  /** Payouts whose file the bank has taken away. */
  async function written(count = 1) {
    const payouts = [];
    for (let index = 0; index < count; index++) payouts.push(await at.ordered());
    await at.rounds();
    await bank.later(DAY);
    const [file] = await bank.collect();
    assert.ok(file);
    const cents = /<CtrlSum>([0-9]+)\.([0-9]{2})</.exec(file.text);
    return { payouts, file, ...idsOf(file.text), total: BigInt(`${cents?.[1]}${cents?.[2]}`).toString() };
  }

  const day = () => new Date(world.clock.now()).toISOString().slice(0, 10);
  const amountIn = (text: string, reference: string) => {
    const found = new RegExp(
      `${plain(reference)}</EndToEndId></PmtId><Amt><InstdAmt Ccy="EUR">([0-9.]+)<`,
    ).exec(text);
    return (found?.[1] ?? '').replace('.', '');
  };

  it('bank-files.md §3.1: names of files and ids in them are UUIDs without hyphens, and name nobody', async () => {
    const { payouts, file, messageId } = await written();
    assert.match(file.name, new RegExp(`^main-sepa-\\d{4}-\\d{2}-\\d{2}-${messageId}$`));
    assert.ok(file.text.includes(`<EndToEndId>${plain(payouts[0]?.reference ?? '')}</EndToEndId>`));
    assert.doesNotMatch(file.text, /UETR/);
  });

  it('bank-files.md §2.2: orders of one cut-off are in one file, each once, and without orders there is none', async () => {
    const { payouts, file } = await written(3);
    for (const { reference } of payouts) assert.equal(file.text.split(plain(reference)).length, 2);
    assert.match(file.text, /<NbOfTxs>3</);
    await bank.later(3 * DAY);
    assert.deepEqual(await bank.collect(), []);
  });

  it('bank-files.md §4.5: a rejection fails the order with the API’s reason, and the others settle by the batch’s entry', async () => {
    const { payouts, messageId, paymentInformationId, file, total } = await written(3);
    const [rejected, ...others] = payouts;
    assert.ok(rejected);
    await bank.deliver(
      's.xml',
      bankStatus({ messageId, file: ['PART'], transfers: [[plain(rejected.reference), 'RJCT', 'AC04']] }),
    );
    await bank.later(MINUTE);
    assert.deepEqual((await at.statusOf(rejected.id)).slice(0, 2), ['FAILED', 'ACCOUNT_CANNOT_RECEIVE']);
    const rest = (BigInt(total) - BigInt(amountIn(file.text, rejected.reference))).toString();
    await bank.deliver(
      'st.xml',
      bankStatement({
        ...{
          id: 'S-1',
          iban: BANK_IBAN,
          day: day(),
          opening: '1000000',
          closing: (1_000_000n - BigInt(rest)).toString(),
        },
        entries: [{ amount: rest, side: 'DBIT', reference: 'B-1', batch: { paymentInformationId } }],
      }),
    );
    await bank.later(MINUTE);
    assert.deepEqual(bank.alarms, []);
    for (const { id } of others) assert.equal((await at.statusOf(id))[0], 'COMPLETED');
  });

  it('bank-files.md §4.5: an entry with return information brings the money back', async () => {
    const { payouts, file } = await written();
    const [payout] = payouts;
    assert.ok(payout);
    const amount = amountIn(file.text, payout.reference);
    const endToEndId = plain(payout.reference);
    const entry = { amount, details: [{ endToEndId }] };
    await bank.deliver(
      '1.xml',
      bankStatement({
        ...{ id: 'S-1', iban: BANK_IBAN, day: day(), opening: amount, closing: '0' },
        entries: [{ ...entry, side: 'DBIT', reference: 'B-1' }],
      }),
    );
    await bank.later(MINUTE);
    assert.equal((await at.statusOf(payout.id))[0], 'COMPLETED');
    await bank.deliver(
      '2.xml',
      bankStatement({
        ...{ id: 'S-2', iban: BANK_IBAN, day: day(), opening: '0', closing: amount },
        entries: [{ amount, side: 'CRDT', reference: 'B-2', details: [{ endToEndId, returned: 'AC04' }] }],
      }),
    );
    await bank.later(MINUTE);
    assert.deepEqual(bank.alarms, []);
    await world.app.worker.settle(at.live.id);
    const [status, , refund] = await at.statusOf(payout.id);
    assert.deepEqual([status, refund], ['FAILED', 'COMPLETED']);
  });
});
