import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { type App, createApp } from '#app/app.ts';
import { readConfig } from '#app/config.ts';
import { verifyTokenizationCode } from '#capabilities/cards/tokenization/verify-code.ts';
import { confirmContactCode } from '#capabilities/customers/contacts/contact-verification.ts';
import { appOptions } from '#cli/app-options.ts';
import { checkUsable, isRightCode } from '#foundation/codes/codes.ts';
import { countAttempts, findDecidingAttempt } from '#foundation/codes/limit-store.ts';
import { findCode } from '#foundation/codes/store.ts';
import { type KeyStore, loadKeyring, type WrappedKey } from '#foundation/crypto/keyring.ts';
import type { Vault } from '#foundation/crypto/vault.ts';
import { type Database, openDatabase } from '#foundation/database/database.ts';
import { migrate } from '#foundation/database/migrate.ts';
import { findPlatform } from '#foundation/database/platforms.ts';
import { sealContext, sealedColumns } from '#foundation/database/sealed-columns.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import { Work } from '#foundation/database/work.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { createEmptyDatabase, personKeysUrl, type TestDatabase } from '#tests/harness/databases.ts';
import { givenPersonKeys, type TestSealing } from '#tests/harness/person-keys.ts';
import { makeDataDir, restoreKept, SETTINGS } from '#tests/upgrades/kept-database.ts';

/** The last version that had a table for each kind of code. */
const VERSION = '1.0.0-rc.1';
/** The codes that its sandbox issued. */
const CODE = '123456';
const WALLET_CODE = '000000';

interface Owned {
  readonly platform_id: PlatformId;
  readonly owner_id: Id<never>;
  readonly id: string;
}

/** Opens the keys before the migrations, which the service never does. */
async function openOldKeys(database: Database): Promise<Vault> {
  const store: KeyStore = {
    load: () =>
      database.query<WrappedKey>(sql`
        select id, purpose, wrapped, true as seals, true as hashes from encryption_keys`),
    add: async () => false,
  };
  const { vault } = await loadKeyring(store, async () => [Buffer.from(SETTINGS.ENCRYPTION_KEY, 'base64')]);
  return vault;
}

describe(`codes of ${VERSION}`, () => {
  let kept: TestDatabase;
  let dataDir: Awaited<ReturnType<typeof makeDataDir>>;
  let database: Database;
  let vault: Vault;
  let app: App;
  let people: TestSealing;
  let contact: Owned;
  let phone: Owned;
  let wallet: Owned;
  let card: Owned;

  before(async () => {
    kept = await createEmptyDatabase();
    await restoreKept(VERSION, kept.url);
    dataDir = await makeDataDir();
    const urls = { DATABASE_URL: kept.url, PERSON_KEYS_URL: personKeysUrl() };
    const config = readConfig({ ...SETTINGS, ...urls, DATA_DIR: dataDir.path });
    database = openDatabase({ url: kept.url, connectionsMax: 4 });
    vault = await openOldKeys(database);
    await reviveCodes();
    await migrate(kept.url);
    people = await givenPersonKeys(database, vault);
    app = await createApp(await appOptions(config, { database, ...people, log: pino({ level: 'silent' }) }));
  });

  after(async () => {
    await app?.close();
    await database?.close();
    await people?.close();
    await dataDir?.remove();
    await kept?.drop();
  });

  /** Makes the stored codes valid again. One of each table waits to be sent, with the job of that version. */
  async function reviveCodes(): Promise<void> {
    // So that `now()` is every platform's time.
    await database.query(sql`update platforms set clock_offset_ms = 0`);
    const late = sql`expires_at = now() + interval '1 year'`;
    const contacts = await database.query<Owned>(sql`
      update contact_codes set ${late}, issued_at = now(), wrong_tries = 0 where channel = 'EMAIL'
      returning platform_id, customer_id as owner_id, id`);
    const phones = await database.query<Owned>(sql`
      update contact_codes set ${late}, wrong_tries = 2, wrong_tries_max = 3 where channel = 'PHONE'
      returning platform_id, customer_id as owner_id, id`);
    const wallets = await database.query<Owned>(sql`
      update wallet_otps set ${late}, issued_at = now(), wrong_tries = 1
      returning platform_id, credential_id as owner_id, id`);
    const cards = await database.query<Owned>(sql`
      update card_tokenizations set ${late}, issued_at = now(), wrong_tries = 4, used_at = null, issued_that_day = 3
      returning platform_id, card_id as owner_id, id`);
    [contact, phone, wallet, card] = [contacts[0], phones[0], wallets[0], cards[0]] as [
      Owned,
      Owned,
      Owned,
      Owned,
    ];
    await database.query(sql`
      update customers set email_verification = 'PENDING', phone_verification = 'PENDING' where id = ${contact.owner_id}`);
    await database.query(sql`
      update cards set status = 'ACTIVE', status_reason = null,
             pan = ${vault.seal('4111111111111111', `cards.pan:${card.owner_id}`)}
       where id = ${card.owner_id}`);
    await database.query(sql`
      update contact_codes set code = ${vault.seal(CODE, `contact_codes.code:${contact.owner_id}:EMAIL`)}
       where id = ${contact.id}`);
    await database.query(sql`
      update wallet_otps set code = ${vault.seal(WALLET_CODE, `wallet_otps.code:${wallet.id}`)} where id = ${wallet.id}`);
    await database.query(sql`
      update card_tokenizations set code = ${vault.seal(CODE, `card_tokenizations.code:${card.id}`)}
       where id = ${card.id}`);
    await database.query(sql`
      insert into wallet_attempts (platform_id, credential_id, kind, at, is_cleared)
      values (${wallet.platform_id}, ${wallet.owner_id}, 'FAILURE', now(), true),
             (${wallet.platform_id}, ${wallet.owner_id}, 'FAILURE', now(), false)`);
    await database.query(sql`
      insert into sca_code_sends (platform_id, customer_id, at)
      values (${contact.platform_id}, ${contact.owner_id}, now())`);
    await scheduled('customers.send-contact-code', contact, {
      ...{ customerId: contact.owner_id, channel: 'EMAIL', codeId: contact.id },
    });
    await scheduled('wallet-auth.send-otp', wallet, { credentialId: wallet.owner_id, otpId: wallet.id });
    await scheduled('cards.send-tokenization-code', card, {
      ...{ cardId: card.owner_id, tokenizationId: card.id },
    });
  }

  async function scheduled(kind: string, { platform_id }: Owned, payload: object): Promise<void> {
    await database.query(sql`
      insert into jobs (platform_id, kind, payload, due_at, created_at)
      values (${platform_id}, ${kind}, ${JSON.stringify(payload)}, now(), now())`);
  }

  async function workOf({ platform_id }: Owned): Promise<Work> {
    const platform = await findPlatform(database.query, platform_id);
    assert.ok(platform);
    return new Work(app.runtime, platform, { kind: 'operator', id: 'test' });
  }

  it('decision 0002: every sealed value still has its column’s context', async () => {
    const opened = new Set<string>();
    for (const column of await sealedColumns(database.query)) {
      const rows = await database.query<Record<string, unknown>>(sql`
        select * from ${rawSql(column.table)} where ${rawSql(column.column)} is not null`);
      for (const row of rows) vault.open(row[column.column] as Buffer, sealContext(column, row));
      if (rows.length > 0) opened.add(`${column.table}.${column.column}`);
    }
    for (const column of ['codes.code', 'codes.target_private']) assert.ok(opened.has(column), column);
  });

  it('decision 0034: messages that waited are sent once, with their codes, and then cleared', async () => {
    const sent = async ({ platform_id }: Owned, reference: string) => {
      const rows = await database.query<{ id: string; text: Buffer }>(sql`
        select id, text from sandbox_messages where platform_id = ${platform_id} and reference = ${reference}`);
      await people.personKeys.loadFor(rows.map(({ text }) => text));
      return rows.map(({ id, text }) => people.vault.openText(text, `sandbox_messages.text:${id}`));
    };
    await database.query(sql`delete from sandbox_messages`);
    for (const { platform_id } of [contact, wallet, card]) await app.worker.settle(platform_id);
    assert.match(
      (await sent(contact, `contact-code:${contact.id}`)).join(),
      /^Your verification code is 123456\./,
    );
    assert.match((await sent(wallet, `wallet-otp:${wallet.id}`)).join(), /code is 000000\./);
    assert.match((await sent(card, `card-code:${card.id}`)).join(), /\n123456\n/);
    const left = await database.query(sql`select 1 from codes where code is not null`);
    assert.deepEqual(left, []);
  });

  it('customers.md §3.2: a contact’s code still verifies it, and wrong tries stay counted', async () => {
    const work = await workOf(contact);
    const confirm = (channel: 'EMAIL' | 'PHONE', code: string) =>
      work.write((tx) => confirmContactCode(tx, contact.owner_id, channel, code));
    assert.ok(!((await confirm('EMAIL', CODE)) instanceof Refusal));
    assert.equal(phone.owner_id, contact.owner_id);
    assert.ok((await confirm('PHONE', '654321')) instanceof Refusal, 'the third wrong try');
    await assert.rejects(confirm('PHONE', CODE), { code: 'INVALID_INPUT' });
  });

  it('wallets.md §1: a wallet’s code is still right, with its key and its counts', async () => {
    const work = await workOf(wallet);
    const place = { kind: 'WALLET', ownerId: wallet.owner_id } as const;
    await work.read(async (tx) => {
      const code = await findCode(tx, place);
      assert.ok(code?.target);
      assert.equal(checkUsable(code, tx.now), undefined);
      assert.deepEqual([code.wrongTries, code.wrongTriesMax, code.target.privateKey.length], [1, 3, 32]);
      assert.ok(isRightCode(tx, place, code, WALLET_CODE));
      assert.ok(!isRightCode(tx, place, code, CODE));
      const failures = { kind: 'WALLET_FAILURE', ownerId: wallet.owner_id } as const;
      const limit = { max: 2, withinMs: 60_000 };
      assert.equal((await countAttempts(tx, failures.kind, [wallet.owner_id])).get(wallet.owner_id), 2);
      assert.ok(await findDecidingAttempt(tx, failures, limit));
      const cleared = await findDecidingAttempt(tx, failures, { ...limit, clearedBySuccess: true });
      assert.equal(cleared, undefined);
    });
  });

  it('cards.md §10.3, §10.4: a card’s code still works, once, and the codes of its day stay counted', async () => {
    const work = await workOf(card);
    await work.read(async (tx) => {
      const sends = { kind: 'CARD_SEND', ownerId: card.owner_id } as const;
      const byDay = { withinMs: 24 * 60 * 60_000, byDay: true };
      assert.ok(await findDecidingAttempt(tx, sends, { max: 3, ...byDay }));
      assert.equal(await findDecidingAttempt(tx, sends, { max: 4, ...byDay }), undefined);
    });
    const outcomes = await Promise.all(
      [CODE, CODE].map((code) => work.write((tx) => verifyTokenizationCode(tx, card.owner_id, code))),
    );
    assert.deepEqual(outcomes.sort(), ['RIGHT', 'USED']);
  });

  it('customers.md §7.7a: text messages that were sent stay counted', async () => {
    const work = await workOf(contact);
    const sends = { kind: 'SCA_SEND', ownerId: contact.owner_id } as const;
    const at = await work.read((tx) => findDecidingAttempt(tx, sends, { max: 1, withinMs: 60 * 60_000 }));
    assert.ok(at);
  });
});
