// lane: whole — many cases, each with an account of its own

import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { completeProvisioning, retryProvisioning } from '#capabilities/accounts/provision-account.ts';
import { setRoute } from '#capabilities/connectors/operator/set-route.ts';
import { pauseConnector } from '#capabilities/connectors/registry.ts';
import { sql } from '#foundation/database/sql.ts';
import { inCurrency, platformAccounts } from '#tests/given/accounts.ts';
import { ANY_ORDER, payoutsByConnector } from '#tests/given/connected-payouts.ts';
import { EUR_ACCOUNTS } from '#tests/given/connectors.ts';
import { givenCustomer, PERSON } from '#tests/given/customers.ts';
import { givenExternalAccount } from '#tests/given/external-accounts.ts';
import { askQuote } from '#tests/given/quotes.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const IBANS = [
  'DE68210501700012345678',
  'DE12500105170648489890',
  'DE02120300000000202051',
  'DE02500105170137075030',
];
const COORDINATES = { EUR_ACCOUNT: { iban: 'DE89370400440532013000' } };
const OTHER = { EUR_ACCOUNT: { iban: 'DE35370400440532013002' } };
const SERVING = {
  ...EUR_ACCOUNTS,
  accounts: [{ currency: 'EUR', accountTypes: ['EUR_ACCOUNT'] }],
  nameChecks: ['EUR_ACCOUNT'],
  settlementAccounts: [{ ...EUR_ACCOUNTS.settlementAccounts[0], coordinates: COORDINATES }],
};

describe('what connectors do besides orders', () => {
  const world = testWorld();
  const at = payoutsByConnector(world);
  const { later, rounds, breaks } = at;

  beforeEach(async () => {
    await world.database.query(sql`delete from connector_routes`);
    at.bank = await at.givenConnector(10, SERVING);
    const [row] = await world.database.query<{ name: string }>(
      sql`select name from connectors where url = ${at.bank.url}`,
    );
    at.name = row?.name ?? '';
  });

  const event = (type: string, more: Record<string, unknown>) =>
    at.bank.list({ id: crypto.randomUUID(), type, at: new Date(world.clock.now()).toISOString(), ...more });

  describe('accounts', () => {
    const opened = async () => {
      const customer = await givenCustomer(at.live, { ...PERSON, currencies: ['EUR'] });
      await world.app.worker.settle(at.live.id);
      const query = { customerId: customer.id, currency: 'EUR' };
      const { body } = await at.live.call('listCustomerInternalAccounts', { query });
      const [account] = body.data;
      assert.ok(account);
      return account;
    };
    const read = async (id: string) => {
      const [row] = await world.database.query<{
        provisioning: string;
        status: string;
        funding_count: number;
      }>(sql`
        select provisioning, status, funding_count from internal_accounts where id = ${uuidOf(id)}`);
      return [row?.provisioning, row?.funding_count];
    };
    const puts = () =>
      at.bank.asked.filter(({ method, path }) => method === 'PUT' && path.startsWith('/accounts/'));

    it('connectors.md §7.4: it is opened at the connector, whose answer has its coordinates', async () => {
      at.bank.opens = { state: 'OPEN', coordinates: COORDINATES };
      const { id } = await opened();
      await rounds();
      const [put, ...more] = puts();
      assert.deepEqual(more, []);
      assert.equal(decodeURIComponent(put?.path ?? ''), `/accounts/${id}`);
      const { holderName, reference, ...body } = JSON.parse(put?.body ?? '{}');
      assert.deepEqual(body, {
        currency: 'EUR',
        accountTypes: ['EUR_ACCOUNT'],
        platform: `Platform:${at.live.id}`,
      });
      assert.ok(holderName.length > 0 && reference.startsWith('FUND-'));
      assert.deepEqual(await read(id), ['COMPLETED', 1]);
      assert.deepEqual(await breaks(), []);
    });

    it('connectors.md §7.4: after silence the same bytes are sent again, and an event brings the outcome', async () => {
      let silences = 0;
      at.bank.fault = ({ path }) =>
        path.startsWith('/accounts/') && ++silences <= 2 ? { fault: 'cut', after: true } : undefined;
      const { id } = await opened();
      await rounds();
      await later(4);
      assert.equal(puts().length, 1);
      await later(1);
      await later(10);
      assert.equal(puts().length, 3);
      assert.equal(new Set(puts().map(({ body }) => body)).size, 1);
      assert.deepEqual(await read(id), ['REQUESTED', 0]);
      event('ACCOUNT', { accountId: id, state: 'OPEN', coordinates: COORDINATES });
      await later(6);
      assert.deepEqual(await read(id), ['COMPLETED', 1]);
      event('ACCOUNT', { accountId: id, state: 'OPEN', coordinates: COORDINATES });
      await later(6);
      assert.deepEqual(await breaks(), []);
    });

    it('connectors.md §7.4: other coordinates for an open account are a break, and change nothing', async () => {
      at.bank.opens = { state: 'OPEN', coordinates: COORDINATES };
      const { id } = await opened();
      await rounds();
      event('ACCOUNT', { accountId: id, state: 'OPEN', coordinates: OTHER });
      await later(6);
      assert.deepEqual(await breaks(), ['CONTRADICTION']);
      assert.deepEqual(await read(id), ['COMPLETED', 1]);
    });

    it('connectors.md §7.4: coordinates that cannot be shown, a refusal of an open account and one of a stranger are breaks', async () => {
      const { id } = await opened();
      await rounds();
      event('ACCOUNT', { accountId: id, state: 'OPEN', coordinates: { GBP_ACCOUNT: { iban: 'x' } } });
      await later(6);
      assert.deepEqual(await read(id), ['REQUESTED', 0]);
      const work = await at.live.work();
      await work.write((tx) => completeProvisioning(tx, { accountId: uuidOf(id), coordinates: COORDINATES }));
      event('ACCOUNT', { accountId: `InternalAccount:${crypto.randomUUID()}`, state: 'REFUSED' });
      await later(6);
      assert.deepEqual(await breaks(), ['CONTRADICTION', 'CONTRADICTION']);
    });

    it('connectors.md §7.4: a refused account fails, and an operator asks again', async () => {
      at.bank.opens = { state: 'REFUSED' };
      const { id } = await opened();
      await rounds();
      assert.deepEqual(await read(id), ['REFUSED', 0]);
      at.bank.accounts.clear();
      at.bank.opens = { state: 'OPEN', coordinates: COORDINATES };
      const work = await at.live.work();
      await work.write((tx) => retryProvisioning(tx, { accountId: uuidOf(id), reason: 'test' }));
      await world.app.worker.settle(at.live.id);
      await rounds();
      assert.deepEqual(await read(id), ['COMPLETED', 1]);
    });

    it('connectors.md §7.8: closing it closes it there, even before its opening is answered', async () => {
      let isSilent = true;
      at.bank.fault = ({ path }) =>
        path.startsWith('/accounts/') && isSilent ? { fault: 'cut', after: true } : undefined;
      const customer = await givenCustomer(at.live, { ...PERSON, currencies: ['EUR'] });
      await world.app.worker.settle(at.live.id);
      await rounds();
      const deleted = await at.live.call('deleteCustomerById', { params: { customerId: customer.id } });
      assert.equal(deleted.status, 200, deleted.raw);
      isSilent = false;
      await later(10);
      await rounds();
      const [account] = at.bank.accounts.values();
      assert.equal(account?.state, 'CLOSED');
      const asked = at.bank.asked
        .filter(({ path }) => path.startsWith('/accounts/'))
        .map(({ method }) => method);
      assert.deepEqual([asked.at(-1), asked.filter((method) => method === 'DELETE').length], ['DELETE', 1]);
      await later(100_000);
      assert.deepEqual(await breaks(), []);
    });

    it('connectors.md §8.3: it waits while the connector is paused, and is by hand where no route fits', async () => {
      await at.change((tx) => pauseConnector(tx, { name: at.name, reason: 'test' }));
      const { id } = await opened();
      await rounds();
      assert.equal(puts().length, 0);
      await world.database.query(sql`delete from connector_routes`);
      await later(60);
      const [row] = await world.database.query<{ status: string }>(sql`
        select status from connector_requests where subject = ${uuidOf(id)}`);
      assert.equal(row?.status, 'BY_HAND');
      const work = await at.live.work();
      await work.write((tx) => completeProvisioning(tx, { accountId: uuidOf(id), coordinates: COORDINATES }));
    });
  });

  describe('names', () => {
    let accounts = 0;
    const added = async () => {
      const iban = IBANS[accounts++];
      const { id } = await givenExternalAccount(at.live, 'EUR_ACCOUNT', { iban });
      await world.app.worker.settle(at.live.id);
      await rounds();
      return id;
    };
    const read = async (id: string) => {
      const [row] = await world.database.query<{ name_check: string }>(
        sql`select name_check from external_accounts where id = ${uuidOf(id)}`,
      );
      return row?.name_check;
    };

    it('connectors.md §7.10: the connector compares the name, and its answer counts', async () => {
      at.bank.names = { status: 'PARTIAL_MATCH', fullName: 'A. Lovelace' };
      const id = await added();
      assert.equal(await read(id), 'PARTIAL_MATCH');
      const asked = at.bank.asked.find(({ path }) => path === '/name-checks');
      const { reference, accountType, name } = JSON.parse(asked?.body ?? '{}');
      assert.deepEqual([reference, accountType], [id, 'EUR_ACCOUNT']);
      assert.ok(name.length > 0);
    });

    it('connectors.md §7.10: a pending one is ended by its event; a later event changes nothing', async () => {
      const id = await added();
      assert.equal(await read(id), 'PENDING');
      event('NAME_CHECK', { reference: id, status: 'MATCHED', fullName: 'Ada Lovelace' });
      await later(6);
      assert.equal(await read(id), 'MATCHED');
      event('NAME_CHECK', { reference: id, status: 'NOT_MATCHED' });
      await later(6);
      assert.equal(await read(id), 'MATCHED');
    });

    it('connectors.md §7.10: ten minutes of silence count as no provider', async () => {
      at.bank.fault = ({ path }) => (path === '/name-checks' ? { fault: 'cut' } : undefined);
      const id = await added();
      for (let waited = 0; waited < 595; waited += 35) await later(35);
      assert.equal(await read(id), 'PENDING');
      await later(10);
      await rounds();
      assert.equal(await read(id), 'UNSUPPORTED');
    });

    it('connectors.md §7.10: without a connector that checks names, it is as without a provider', async () => {
      await world.database.query(sql`delete from connector_routes`);
      assert.equal(await read(await added()), 'UNSUPPORTED');
      assert.equal(
        at.bank.asked.some(({ path }) => path === '/name-checks'),
        false,
      );
    });
  });

  describe('coordinates for quotes', () => {
    const quote = async () => {
      const to = inCurrency(await platformAccounts(at.live), 'USD').id;
      return askQuote(at.live, { from: { realtime: 'EUR' }, to, send: 1_000 });
    };

    it('connectors.md §7.9: a quote shows pooled coordinates under its own reference; without any it is 501', async () => {
      const { status, body, raw } = await quote();
      assert.equal(status, 201, raw);
      const [instruction] = body.paymentInstructions;
      const { iban, reference } = instruction?.accountOrWalletInfo ?? {};
      assert.equal(iban, COORDINATES.EUR_ACCOUNT.iban);
      const again = await quote();
      assert.notEqual(again.body.paymentInstructions[0]?.accountOrWalletInfo.reference, reference);
      await at.change((tx) => pauseConnector(tx, { name: at.name, reason: 'test' }));
      assert.equal((await quote()).status, 501);
      await world.database.query(sql`delete from connector_routes`);
      assert.equal((await quote()).status, 501);
    });

    it('connectors.md §8.2: a route for orders of one rail gives no coordinates', async () => {
      await world.database.query(sql`delete from connector_routes`);
      const route = { name: at.name, reason: 'test', ...ANY_ORDER, number: 3 };
      await at.change((tx) => setRoute(tx, { ...route, rail: 'SEPA' }));
      assert.equal((await quote()).status, 501);
      await at.change((tx) => setRoute(tx, { ...route, kind: 'QUOTE', currency: 'EUR' }));
      assert.equal((await quote()).status, 201);
    });
  });
});
