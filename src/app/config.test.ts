import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import Fastify from 'fastify';
import { ConfigError, readConfig } from '#app/config.ts';
import { proxyRisk } from '#cli/serve/listen.ts';
import { LEAST_KEPT } from '#foundation/lib/kept-times.ts';

describe('config', () => {
  const refused = (environment: Record<string, string>): readonly string[] => {
    try {
      readConfig(environment);
    } catch (error) {
      assert.ok(error instanceof ConfigError);
      return error.lines;
    }
    return [];
  };

  it('decision 0005: no setting is required', () => {
    const config = readConfig({});
    assert.deepEqual(
      [config.port, config.host, config.dataDir, config.serviceName, config.logLevel, config.databaseUrl],
      [8080, '127.0.0.1', './data', 'Svc', 'info', undefined],
    );
    assert.ok(Object.isFrozen(config));
  });

  it('decision 0005: an empty variable counts as unset', () => {
    assert.deepEqual(readConfig({ PORT: '', DATABASE_URL: '', ENCRYPTION_KEY: '' }), readConfig({}));
  });

  it('decision 0005: all bad values are reported at once, one line each, without the value', () => {
    const secret = 'not-a-good-secret';
    const lines = refused({
      PORT: '80800',
      PROBE_PORT: '-1',
      METRICS_PORT: 'x',
      METRICS_TOKEN: secret,
      HOST: 'my host',
      DATABASE_URL: `mysql://root:${secret}@db/x`,
      PERSON_KEYS_URL: `postgres://root:${secret}@db`,
      DATABASE_CONNECTIONS: '1e3',
      SERVICE_NAME: 'my-service',
      PUBLIC_URL: 'pay.example.com',
      REVEAL_URL: 'https://cards.example.com/page',
      CONSOLE: 'maybe',
      CONSOLE_URL: 'https://pay.example.com/console',
      CONSOLE_INSECURE_HTTP: 'yes',
      TRUSTED_PROXIES: '10.0.0.1, proxy',
      UMA_DOMAIN: 'no_domain',
      ENCRYPTION_KEY: secret,
      SANDBOX_WEBHOOKS: 'none',
      LOG_LEVEL: 'loud',
      RATES_URL: `ftp://ada:${secret}@rates.example`,
      RATES_MAX_AGE_MINUTES: '0',
      SMTP_URL: `https://ada:${secret}@mail.example`,
      SMTP_FROM: 'Acme <codes@acme.example>',
      SMS_URL: 'sms.example',
      RETENTION_YEARS: '31',
      API_TOKEN_ID: 'me',
      API_CLIENT_SECRET: secret,
    });
    const names = lines.map((line) => line.split(' ')[0]);
    assert.deepEqual(names, [
      'PORT',
      'PROBE_PORT',
      'METRICS_PORT',
      'METRICS_TOKEN',
      'HOST',
      'DATABASE_URL',
      'DATABASE_CONNECTIONS',
      'PERSON_KEYS_URL',
      'SERVICE_NAME',
      'PUBLIC_URL',
      'REVEAL_URL',
      'CONSOLE',
      'CONSOLE_URL',
      'CONSOLE_INSECURE_HTTP',
      'TRUSTED_PROXIES',
      'UMA_DOMAIN',
      'SANDBOX_WEBHOOKS',
      'ENCRYPTION_KEY',
      'LOG_LEVEL',
      'RATES_URL',
      'RATES_MAX_AGE_MINUTES',
      'SMTP_URL',
      'SMTP_FROM',
      'SMS_URL',
      'RETENTION_YEARS',
      'API_TOKEN_ID',
      'API_CLIENT_SECRET',
    ]);
    assert.ok(lines.every((line) => !line.includes('\n') && !line.includes(secret)));
  });

  it('customers.md §2.4.26g: RETENTION_YEARS is 5 by default, and a whole number from 0 to 30', () => {
    assert.equal(readConfig({}).retentionYears, 5);
    assert.equal(readConfig({ RETENTION_YEARS: '0' }).retentionYears, 0);
    assert.equal(readConfig({ RETENTION_YEARS: '30' }).retentionYears, 30);
    for (const wrong of ['-1', '31', '2.5', 'five']) {
      assert.deepEqual(refused({ RETENTION_YEARS: wrong }), [
        'RETENTION_YEARS must be a whole number from 0 to 30',
      ]);
    }
  });

  it('bank-files.md §5.3: BANK_TEXTS_KEPT_DAYS is 3650 by default, and a whole number from 400 to 36500', () => {
    assert.equal(readConfig({}).bankTextsKeptDays, 3_650);
    assert.equal(readConfig({ BANK_TEXTS_KEPT_DAYS: '400' }).bankTextsKeptDays, 400);
    for (const wrong of ['399', '36501', '1.5', 'ten'])
      assert.deepEqual(refused({ BANK_TEXTS_KEPT_DAYS: wrong }), [
        'BANK_TEXTS_KEPT_DAYS must be a whole number from 400 to 36500',
      ]);
  });

  it('decision 0032: METRICS_PORT differs from the other ports', () => {
    const line = 'METRICS_PORT must differ from PORT and PROBE_PORT';
    assert.deepEqual(refused({ METRICS_PORT: '8080' }), [line]);
    assert.deepEqual(refused({ METRICS_PORT: '9000', PROBE_PORT: '9000' }), [line]);
    assert.equal(readConfig({ METRICS_PORT: '9464' }).metricsPort, 9464);
    assert.deepEqual(refused({ METRICS_PORT: '0', PORT: '0' }), []);
  });

  it('TRUSTED_PROXIES takes addresses and networks that the server can start with, but not all addresses', async () => {
    const named = ['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', '192.0.2.1/32'];
    const { trustedProxies } = readConfig({ TRUSTED_PROXIES: named.join(' , ') });
    assert.deepEqual(trustedProxies, named);
    await Fastify({ trustProxy: [...trustedProxies] }).close();
    for (const wrong of [
      '0.0.0.0/0',
      '::/0',
      '10.0.0.0/33',
      '::/129',
      '10',
      '10.1/8',
      '10.0.0.1/',
      '10.0.0.1,',
    ]) {
      assert.equal(refused({ TRUSTED_PROXIES: wrong }).length, 1, wrong);
    }
  });

  it('wallets.md §6.1.24: PASSKEY_ORIGINS lists origins of apps, each with its relying party', () => {
    const { passkeyOrigins } = readConfig({
      PASSKEY_ORIGINS: 'android:apk-key-hash:a=b==example.com , ios:bundle:x=wallet.example.org',
    });
    assert.deepEqual(passkeyOrigins, [
      { origin: 'android:apk-key-hash:a=b=', rpId: 'example.com' },
      { origin: 'ios:bundle:x', rpId: 'wallet.example.org' },
    ]);
    for (const bad of ['x', 'x=', '=example.com', 'x=not a domain', 'x=example.com,']) {
      assert.throws(() => readConfig({ PASSKEY_ORIGINS: bad }), /PASSKEY_ORIGINS must be origins/);
    }
  });

  it('decision 0005: DATABASE_URL requires ENCRYPTION_KEY, a token its secret, and a next key its predecessor', () => {
    const key = randomBytes(32).toString('base64');
    assert.match(
      refused({ DATABASE_URL: 'postgres://db/corridor', PERSON_KEYS_URL: 'postgres://keys/corridor' })[0] ??
        '',
      /^ENCRYPTION_KEY is needed/,
    );
    assert.match(
      refused({ DATABASE_URL: 'postgres://db/corridor', ENCRYPTION_KEY: key })[0] ?? '',
      /^DATABASE_URL and PERSON_KEYS_URL are set together/,
    );
    const same = 'postgres://db/corridor';
    assert.match(
      refused({ DATABASE_URL: same, PERSON_KEYS_URL: same, ENCRYPTION_KEY: key })[0] ?? '',
      /^PERSON_KEYS_URL must differ from DATABASE_URL/,
    );
    assert.match(refused({ API_TOKEN_ID: '0'.repeat(32) })[0] ?? '', /set together/);
    assert.match(refused({ ENCRYPTION_KEY_NEXT: key })[0] ?? '', /takes the place of ENCRYPTION_KEY/);
    assert.match(refused({ ENCRYPTION_KEY_NEXT: key, ENCRYPTION_KEY: key })[0] ?? '', /is the same/);
  });

  it('decision 0005: ENCRYPTION_KEY is 32 bytes in base64 or hexadecimal, and nothing else', () => {
    const bytes = randomBytes(32);
    for (const form of ['base64', 'base64url', 'hex'] as const) {
      assert.deepEqual(readConfig({ ENCRYPTION_KEY: bytes.toString(form) }).encryptionKey, bytes);
    }
    for (const wrong of [16, 31, 33, 48].map((count) => randomBytes(count).toString('base64'))) {
      assert.equal(refused({ ENCRYPTION_KEY: wrong }).length, 1, wrong);
    }
  });

  it('platform.md §1.3.1: the first token is named by its client id, its UUID or its full id', () => {
    const uuid = '01890a5d-ac96-774b-bcce-b302099a8057';
    const API_CLIENT_SECRET = randomBytes(24).toString('hex');
    const named = (API_TOKEN_ID: string) => readConfig({ API_TOKEN_ID, API_CLIENT_SECRET }).firstToken;
    const clientSecret = API_CLIENT_SECRET;
    assert.deepEqual(named('a'.repeat(32)), { clientId: 'a'.repeat(32), clientSecret });
    assert.deepEqual(named(uuid), { id: uuid, clientSecret });
    assert.deepEqual(named(`Token:${uuid}`), { id: uuid, clientSecret });
  });

  it('platform.md §8.1: SANDBOX_UMA_DOMAIN lists one or more domains, each once and none equal to UMA_DOMAIN', () => {
    const read = (SANDBOX_UMA_DOMAIN: string) => readConfig({ SANDBOX_UMA_DOMAIN }).sandboxUmaDomains;
    assert.deepEqual(read(''), ['sandbox.localhost']);
    assert.deepEqual(read('One.example, two.example'), ['one.example', 'two.example']);
    for (const bad of [
      'one.example,',
      'one.example,ONE.example',
      'one example',
      ',',
      'one.example;two.example',
    ]) {
      assert.deepEqual(refused({ SANDBOX_UMA_DOMAIN: bad }), [
        'SANDBOX_UMA_DOMAIN must be domain names, such as uma.example.com, each once and with commas between them',
      ]);
    }
    assert.deepEqual(refused({ SANDBOX_UMA_DOMAIN: 'one.example,uma.localhost' }), [
      'SANDBOX_UMA_DOMAIN must differ from UMA_DOMAIN',
    ]);
  });

  it('FIRST_PLATFORM_REGULATED is true or false, and false by default', () => {
    const read = (FIRST_PLATFORM_REGULATED: string) => readConfig({ FIRST_PLATFORM_REGULATED });
    assert.deepEqual(
      ['', 'false', 'true'].map((text) => read(text).firstPlatformRegulated),
      [false, false, true],
    );
    assert.deepEqual(refused({ FIRST_PLATFORM_REGULATED: 'yes' }), [
      'FIRST_PLATFORM_REGULATED must be true or false',
    ]);
  });

  it('files are stored in a bucket instead of the folder once a bucket and its keys are set', () => {
    const keys = { DOCUMENT_STORE_KEY_ID: 'id', DOCUMENT_STORE_SECRET: 'secret' };
    assert.equal(readConfig({}).documentStore, undefined);
    assert.deepEqual(readConfig({ DOCUMENT_STORE: 's3://papers', ...keys }).documentStore, {
      bucket: 'papers',
      prefix: '',
      region: 'us-east-1',
      endpoint: 'https://s3.us-east-1.amazonaws.com',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
    });
    const elsewhere = readConfig({
      DOCUMENT_STORE: 's3://papers/corridor/live/',
      DOCUMENT_STORE_ENDPOINT: 'http://127.0.0.1:9000',
      DOCUMENT_STORE_REGION: 'eu-central-1',
      ...keys,
    }).documentStore;
    assert.equal(elsewhere?.prefix, 'corridor/live/');
    assert.equal(elsewhere?.endpoint, 'http://127.0.0.1:9000');
  });

  it('customers.md §2.4.26j: how long logs and events are kept is a setting, and never less than the rules promise', () => {
    assert.deepEqual(readConfig({}).kept, LEAST_KEPT);
    const longer = { AUDIT_KEPT_MONTHS: '84', WEBHOOKS_KEPT_DAYS: '90', REQUEST_LOG_KEPT_DAYS: '14' };
    assert.deepEqual(readConfig({ ...longer, CONNECTOR_EVENTS_KEPT_DAYS: '365' }).kept, {
      ...{ auditMonths: 84, webhookDays: 90, requestLogDays: 14, connectorEventDays: 365 },
    });
    const shorter = { AUDIT_KEPT_MONTHS: '12', WEBHOOKS_KEPT_DAYS: '29', REQUEST_LOG_KEPT_DAYS: '6' };
    assert.deepEqual(refused({ ...shorter, CONNECTOR_EVENTS_KEPT_DAYS: '179' }), [
      'AUDIT_KEPT_MONTHS must be a whole number from 13 to 360',
      'WEBHOOKS_KEPT_DAYS must be a whole number from 30 to 3650',
      'REQUEST_LOG_KEPT_DAYS must be a whole number from 7 to 365',
      'CONNECTOR_EVENTS_KEPT_DAYS must be a whole number from 180 to 3650',
    ]);
  });

  it('bank-files.md §1.2: files for banks lie in a folder, or in a bucket with the keys of DOCUMENT_STORE', () => {
    const { bankFiles: folder } = readConfig({ BANK_FILES: '/srv/bank' }).providers;
    assert.deepEqual(folder, { folder: '/srv/bank' });
    const keys = { DOCUMENT_STORE_KEY_ID: 'id', DOCUMENT_STORE_SECRET: 'secret' };
    assert.deepEqual(
      readConfig({ BANK_FILES: '/srv/bank', BANK_FILES_KEPT_DAYS: '400' }).providers.bankFiles,
      {
        ...{ folder: '/srv/bank', keptDays: 400 },
      },
    );
    assert.deepEqual(refused({ BANK_FILES: '/srv/bank', BANK_FILES_KEPT_DAYS: '30' }), [
      'BANK_FILES_KEPT_DAYS must be a whole number from 400 to 36500',
    ]);
    const { bankFiles } = readConfig({ BANK_FILES: 's3://files/live', ...keys }).providers;
    assert.deepEqual(bankFiles, {
      bucket: {
        ...{
          bucket: 'files',
          prefix: 'live/',
          region: 'us-east-1',
          accessKeyId: 'id',
          secretAccessKey: 'secret',
        },
        endpoint: 'https://s3.us-east-1.amazonaws.com',
      },
    });
    assert.deepEqual(refused({ BANK_FILES: 's3://files' }), [
      'DOCUMENT_STORE_KEY_ID and DOCUMENT_STORE_SECRET are needed with a bucket in BANK_FILES',
    ]);
  });

  it('a bucket without its keys and each bad setting of a bucket are reported in one line', () => {
    assert.deepEqual(refused({ DOCUMENT_STORE: 's3://papers' }), [
      'DOCUMENT_STORE_KEY_ID and DOCUMENT_STORE_SECRET are needed with DOCUMENT_STORE',
    ]);
    assert.equal(refused({ DOCUMENT_STORE: '/papers', DOCUMENT_STORE_REGION: 'Mars!' }).length, 3);
  });

  it('wallets.md §6.5: OIDC_ISSUERS lists issuers with the URLs of their keys', () => {
    const text = 'https://a.example=https://a.example/keys?v=1, accounts.google.com=http://10.0.0.1/keys';
    assert.deepEqual(readConfig({ OIDC_ISSUERS: text }).providers.issuers, [
      { issuer: 'https://a.example', jwksUrl: 'https://a.example/keys?v=1' },
      { issuer: 'accounts.google.com', jwksUrl: 'http://10.0.0.1/keys' },
    ]);
    const bad = [
      'https://a.example',
      'https://a.example=',
      '=https://a.example',
      'https://a.example=ftp://b',
    ];
    for (const value of [
      ...bad,
      `${text},`,
      'a=https://b.example,a=https://c.example',
      'a b=https://c.example',
    ]) {
      assert.equal(refused({ OIDC_ISSUERS: value }).length, 1, value);
    }
  });

  it('a rate source is a URL, with or without credentials; the maximum age is an hour by default', () => {
    const url = 'https://ada:secret@rates.example/latest?base=USD';
    assert.deepEqual(readConfig({ RATES_URL: url }).providers.rates, { url, ageMaxMs: 3_600_000 });
    const { rates } = readConfig({ RATES_URL: url, RATES_MAX_AGE_MINUTES: '1440' }).providers;
    assert.equal(rates?.ageMaxMs, 86_400_000);
    assert.equal(readConfig({ RATES_MAX_AGE_MINUTES: '5' }).providers.rates, undefined);
    for (const wrong of ['rates.example', 'https://a%zz@rates.example', 'https://rates.example/#x']) {
      assert.deepEqual(refused({ RATES_URL: wrong }).length, 1, wrong);
    }
  });

  it('operator.md §1.3a: an issuer of operators is complete, encrypted except on this machine, and maps known roles', () => {
    const issuer = {
      OPERATOR_OIDC_ISSUER: 'https://login.example.com/realms/main',
      OPERATOR_OIDC_CLIENT_ID: 'corridor',
      OPERATOR_OIDC_CLIENT_SECRET: 'secret',
    };
    const read = (more: Record<string, string> = {}) => readConfig({ ...issuer, ...more }).console?.issuer;
    assert.deepEqual(read(), {
      ...{ issuer: issuer.OPERATOR_OIDC_ISSUER, clientId: 'corridor', clientSecret: 'secret' },
      roles: undefined,
    });
    assert.equal(readConfig({}).console?.issuer, undefined);
    const roles = read({ OPERATOR_OIDC_ROLES: 'groups Corridor%20admins=admin a=b=treasury,finance' })?.roles;
    assert.deepEqual(
      [roles?.claim, ...(roles?.roles ?? [])],
      ['groups', ['Corridor admins', ['admin']], ['a=b', ['finance', 'treasury']]],
    );
    for (const url of ['http://127.0.0.1:9000', 'http://[::1]:9000', 'http://localhost:9000'])
      assert.equal(read({ OPERATOR_OIDC_ISSUER: url })?.issuer, url);
    for (const url of [
      'http://login.example.com',
      'login.example.com',
      'https://a.example/?x=1',
      'https://a:b@c.example',
    ])
      assert.equal(refused({ ...issuer, OPERATOR_OIDC_ISSUER: url }).length, 1, url);
    for (const text of [
      'groups',
      'groups a',
      'groups a=boss',
      'groups a=admin a=viewer',
      'a=admin',
      'groups %=admin',
    ])
      assert.equal(refused({ ...issuer, OPERATOR_OIDC_ROLES: text }).length, 1, text);
    for (const name of Object.keys(issuer)) {
      const [line = ''] = refused({ ...issuer, [name]: '' });
      assert.match(line, new RegExp(`together or not at all: ${name} is missing`));
    }
    assert.match(
      refused({ OPERATOR_OIDC_ROLES: 'groups a=admin' })[0] ?? '',
      /OPERATOR_OIDC_ISSUER and .* is missing/,
    );
  });

  it('e-mail needs a server and a sender address; the scheme of the URL sets the encryption', () => {
    const emailOf = (url: string) =>
      readConfig({ SMTP_URL: url, SMTP_FROM: 'a@acme.example' }).providers.email;
    const from = 'a@acme.example';
    assert.deepEqual(emailOf('smtps://ada:p%40ss@mail.example'), {
      host: 'mail.example',
      port: 465,
      encryption: 'implicit',
      credentials: { user: 'ada', pass: 'p@ss' },
      from,
    });
    const starttls = { host: 'mail.example', port: 2525, encryption: 'starttls', from };
    assert.deepEqual(emailOf('smtp://mail.example:2525/'), starttls);
    assert.deepEqual(emailOf('smtp://[::1]?starttls=off'), {
      host: '::1',
      port: 587,
      encryption: 'none',
      from,
    });
    for (const wrong of [
      'smtps://mail.example?starttls=off',
      'smtp://mail.example?tls.rejectUnauthorized=false',
      'smtp://mail.example/path',
      'smtp://',
      'smtp://a%zz@mail.example',
    ]) {
      assert.equal(refused({ SMTP_URL: wrong, SMTP_FROM: from }).length, 1, wrong);
    }
    assert.deepEqual(refused({ SMTP_URL: 'smtp://mail.example' }), [
      'SMTP_URL and SMTP_FROM are set together or not at all',
    ]);
  });

  it('agents.md §2.14: the server warns at start about a public https address without a trusted proxy', () => {
    const risk = (environment: Record<string, string>) => proxyRisk(readConfig(environment));
    const publicUrl = { PUBLIC_URL: 'https://pay.example.com' };
    assert.match(risk(publicUrl) ?? '', /TRUSTED_PROXIES is not set.*share the limit on wrong device codes/);
    assert.match(risk(publicUrl) ?? '', /The console refuses all requests/);
    assert.doesNotMatch(risk({ ...publicUrl, CONSOLE: 'off' }) ?? '', /console/);
    assert.equal(risk({ ...publicUrl, TRUSTED_PROXIES: '10.0.0.0/8' }), undefined);
    assert.equal(risk({ PUBLIC_URL: 'http://localhost:8080' }), undefined);
    assert.equal(risk({}), undefined);
  });
});
