import type { ConsoleSettings } from '#edge/console/settings.ts';
import type { BankFilesSettings } from '#edge/providers/bank-files/settings.ts';
import { type ProviderSettings, type ReadSetting, readProviders } from '#edge/providers/settings.ts';
import { MASTER_KEY_FORM, parseMasterKey } from '#foundation/crypto/master-key.ts';
import type { ListedOrigin } from '#foundation/crypto/webauthn.ts';
import { isClientId, parseId } from '#foundation/lib/ids.ts';
import { readTracing, type TracingSettings } from '#foundation/tracing/settings.ts';
import type { S3Settings } from '#foundation/uploads/storage/s3-client.ts';
import { checkIssuerSettings, readIssuerOfOperators } from './issuer-settings.ts';
import { KEPT_DAYS_RULE, type RetentionSettings, readRetention } from './retention-settings.ts';
import {
  isLoopback,
  parseBoolean,
  parseDomain,
  parseDomains,
  parseFolder,
  parseHost,
  parseInteger,
  parseNetworks,
  parseOrigin,
  parseOrigins,
  parsePostgresUrl,
  parseRegion,
  parseSecret,
  parseServiceName,
  parseVisibleAscii,
} from './setting-parsers.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What one process does: serve requests, run background work, or both. */
export const ROLES = ['all', 'api', 'worker'] as const;
export type Role = (typeof ROLES)[number];

const SANDBOX_REACHES = ['any', 'public'] as const;

/** The environment variables as one frozen value (decision 0005). */
export interface Config extends RetentionSettings {
  /** 0 lets the system choose a free one. */
  readonly port: number;
  readonly host: string;
  /** The port on which a separate worker answers health probes; absent: it does not listen. */
  readonly probePort: number | undefined;
  /** A port for the metrics alone, and the token that a reader must present (src/foundation/http/serve/metrics-access.ts). */
  readonly metricsPort: number | undefined;
  readonly metricsToken: string | undefined;
  /** The folder of the embedded database and its encryption key. */
  readonly dataDir: string;
  /** An external PostgreSQL; absent: the embedded one. */
  readonly databaseUrl: string | undefined;
  readonly databaseConnections: number;
  /** The PostgreSQL database of the keys of people; absent: a second embedded one. */
  readonly personKeysUrl: string | undefined;
  readonly serviceName: string;
  /** Where clients reach the service, when that is not `http://HOST:PORT`; without a trailing slash. */
  readonly publicUrl: string | undefined;
  /** Where people reach the page that shows card numbers, when that is another host; without a trailing slash. */
  readonly revealUrl: string | undefined;
  /** How the console is served (operator.md §3.6); absent: it is off. */
  readonly console: ConsoleSettings | undefined;
  /**
   * Addresses or networks of the proxies that may set the client's address in `X-Forwarded-For`. Without them all callers
   * behind a proxy have its address, and share one limit on wrong device codes (agents.md §2.14).
   */
  readonly trustedProxies: readonly string[];
  /** The domain of UMA addresses until a platform sets its own. */
  readonly umaDomain: string;
  /** UMA domains whose addresses produce scenarios in the sandbox; examples show the first. */
  readonly sandboxUmaDomains: readonly string[];
  /** Which addresses sandbox webhooks may be sent to: `any`, private networks included, or only `public` ones. */
  readonly sandboxReach: (typeof SANDBOX_REACHES)[number];
  /** Passkey origins that are not web pages, such as Android apps, each with its relying party. */
  readonly passkeyOrigins: readonly ListedOrigin[];
  readonly encryptionKey: Buffer | undefined;
  /** The key that is about to replace it, during a rotation. */
  readonly encryptionKeyNext: Buffer | undefined;
  readonly logLevel: LogLevel;
  /** The S3 bucket for uploaded files; absent: a folder in `dataDir`. */
  readonly documentStore: S3Settings | undefined;
  /** The rate source, mail server and SMS gateway of production. */
  readonly providers: ProviderSettings;
  /** The operator's own end-user terms; absent: sample text. */
  readonly termsFile: string | undefined;
  /** Credentials for the first sandbox platform; absent: generated and shown once. */
  readonly firstToken: FirstToken | undefined;
  /** Where generated credentials are stored if no terminal shows them; absent: a file in `dataDir`. */
  readonly credentialsFile: string | undefined;
  /** Whether the first platform is a regulated institution, whose customers accept its own terms. */
  readonly firstPlatformRegulated: boolean;
  /** Whether the first platform gets the resources that the examples name. */
  readonly sandboxSeeds: boolean;
  /** Whether and how traces are exported; absent: the tracing code is not loaded. */
  readonly tracing: TracingSettings | undefined;
}

/** Identified as in the API: by client id or by the token's id. */
export type FirstToken = ({ clientId: string } | { id: Id<'Token'> }) & { clientSecret: string };

/** All errors in the settings, one line each. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Checks all settings before it throws; a variable that is set but empty counts as unset. */
export function readConfig(environment: Environment): Config {
  const errors: string[] = [];
  const read: ReadSetting = (name, parse, rule) => {
    const text = environment[name];
    if (text === undefined || text === '') return undefined;
    const value = parse(text);
    // The value is not shown: it may be or contain a secret.
    if (value === undefined) errors.push(`${name} ${rule}`);
    return value;
  };
  const tracing = readTracing(environment);
  const config: Config = {
    port: read('PORT', parseInteger(0, 65_535), PORT_RULE) ?? 8080,
    probePort: read('PROBE_PORT', parseInteger(0, 65_535), PORT_RULE),
    metricsPort: read('METRICS_PORT', parseInteger(0, 65_535), PORT_RULE),
    metricsToken: read('METRICS_TOKEN', parseSecret, SECRET_RULE),
    host: read('HOST', parseHost, 'must be an IP address or a host name') ?? DEFAULT_HOST,
    dataDir: read('DATA_DIR', parseFolder, 'must be the path of a folder') ?? './data',
    databaseUrl: read('DATABASE_URL', parsePostgresUrl, DATABASE_RULE),
    databaseConnections:
      read('DATABASE_CONNECTIONS', parseInteger(4, 1_000), 'must be a whole number from 4 to 1000') ?? 12,
    personKeysUrl: read('PERSON_KEYS_URL', parsePostgresUrl, DATABASE_RULE),
    serviceName: read('SERVICE_NAME', parseServiceName, NAME_RULE) ?? 'Svc',
    publicUrl: read('PUBLIC_URL', parseOrigin, ORIGIN_RULE),
    revealUrl: read('REVEAL_URL', parseOrigin, ORIGIN_RULE),
    console: readConsole(read, environment),
    trustedProxies: read('TRUSTED_PROXIES', parseNetworks, NETWORKS_RULE) ?? [],
    umaDomain: read('UMA_DOMAIN', parseDomain, DOMAIN_RULE) ?? 'uma.localhost',
    sandboxUmaDomains: read('SANDBOX_UMA_DOMAIN', parseDomains, DOMAINS_RULE) ?? ['sandbox.localhost'],
    sandboxReach:
      read('SANDBOX_WEBHOOKS', parseSandboxReach, `must be one of ${SANDBOX_REACHES.join(', ')}`) ?? 'any',
    passkeyOrigins: read('PASSKEY_ORIGINS', parseOrigins, ORIGINS_RULE) ?? [],
    encryptionKey: read('ENCRYPTION_KEY', parseMasterKey, MASTER_KEY_FORM),
    encryptionKeyNext: read('ENCRYPTION_KEY_NEXT', parseMasterKey, MASTER_KEY_FORM),
    logLevel: read('LOG_LEVEL', parseLogLevel, `must be one of ${LOG_LEVELS.join(', ')}`) ?? 'info',
    documentStore: readDocumentStore(read),
    providers: { ...readProviders(read), bankFiles: readBankFiles(read) },
    credentialsFile: read('CREDENTIALS_FILE', parseFolder, 'must be the path of a file'),
    termsFile: read('TERMS_FILE', parseFolder, 'must be the path of a file'),
    ...readRetention(read),
    firstPlatformRegulated: read('FIRST_PLATFORM_REGULATED', parseBoolean, 'must be true or false') ?? false,
    sandboxSeeds: read('SANDBOX_SEEDS', parseBoolean, 'must be true or false') ?? true,
    firstToken: readFirstToken(read),
    tracing: tracing.settings,
  };
  errors.push(...tracing.problems, ...contradictions(environment, config));
  if (errors.length > 0) throw new ConfigError(errors);
  return Object.freeze(config);
}

const DATABASE_RULE = 'must be a postgres:// URL that names a database';
const DEFAULT_HOST = '127.0.0.1';
const ON_RULE = 'must be on or off';

/** Plain http is for a service that nobody outside this machine can reach, unless the operator allows it. */
function readConsole(read: ReadSetting, { HOST, PUBLIC_URL }: Environment): ConsoleSettings | undefined {
  const isOn = read('CONSOLE', (text) => ({ on: true, off: false })[text], ON_RULE) ?? true;
  const url = read('CONSOLE_URL', parseOrigin, ORIGIN_RULE);
  const isAllowed = read('CONSOLE_INSECURE_HTTP', parseBoolean, 'must be true or false') ?? false;
  const isLocal = isLoopback(HOST || DEFAULT_HOST) && !PUBLIC_URL && url === undefined;
  const issuer = readIssuerOfOperators(read);
  return isOn ? { url, takesPlainHttp: isAllowed || isLocal, ...(issuer && { issuer }) } : undefined;
}

const ORIGIN_RULE =
  'must be an http:// or https:// URL with neither path nor query, such as https://pay.example.com';
const PORT_RULE = 'must be a whole number from 0 to 65535';
const NAME_RULE = 'must be 1 to 32 letters and digits, the first a capital letter';
const NETWORKS_RULE = 'must be IP addresses or networks such as 10.0.0.0/8, with commas between them';
const DOMAIN_RULE = 'must be a domain name, such as uma.example.com';
const DOMAINS_RULE = 'must be domain names, such as uma.example.com, each once and with commas between them';

const ORIGINS_RULE =
  'must be origins with their relying party, such as android:apk-key-hash:abc=example.com, with commas between them';

/** Settings that are valid by themselves but contradict each other. */
function contradictions(environment: Environment, config: Config): string[] {
  const isSet = (name: string): boolean => Boolean(environment[name]);
  const lines = checkIssuerSettings(isSet);
  if (isSet('DATABASE_URL') && !isSet('ENCRYPTION_KEY')) {
    lines.push(`ENCRYPTION_KEY is needed with DATABASE_URL: it ${MASTER_KEY_FORM}`);
  }
  if (isSet('DATABASE_URL') !== isSet('PERSON_KEYS_URL')) {
    lines.push(
      'DATABASE_URL and PERSON_KEYS_URL are set together or not at all: the keys of people need a database of their own',
    );
  } else if (config.databaseUrl !== undefined && config.databaseUrl === config.personKeysUrl) {
    lines.push('PERSON_KEYS_URL must differ from DATABASE_URL');
  }
  if (isSet('API_TOKEN_ID') !== isSet('API_CLIENT_SECRET')) {
    lines.push('API_TOKEN_ID and API_CLIENT_SECRET are set together or not at all');
  }
  if (isSet('DOCUMENT_STORE') && !(isSet('DOCUMENT_STORE_KEY_ID') && isSet('DOCUMENT_STORE_SECRET'))) {
    lines.push('DOCUMENT_STORE_KEY_ID and DOCUMENT_STORE_SECRET are needed with DOCUMENT_STORE');
  }
  if (environment.BANK_FILES?.startsWith('s3://') === true && !isSet('DOCUMENT_STORE_KEY_ID')) {
    lines.push('DOCUMENT_STORE_KEY_ID and DOCUMENT_STORE_SECRET are needed with a bucket in BANK_FILES');
  }
  if (isSet('SMTP_URL') !== isSet('SMTP_FROM')) {
    lines.push('SMTP_URL and SMTP_FROM are set together or not at all');
  }
  if (config.metricsPort && [config.port, config.probePort].includes(config.metricsPort)) {
    lines.push('METRICS_PORT must differ from PORT and PROBE_PORT');
  }
  const { encryptionKey, encryptionKeyNext } = config;
  if (config.sandboxUmaDomains.includes(config.umaDomain)) {
    lines.push('SANDBOX_UMA_DOMAIN must differ from UMA_DOMAIN');
  }
  if (isSet('ENCRYPTION_KEY_NEXT') && !isSet('ENCRYPTION_KEY')) {
    lines.push('ENCRYPTION_KEY_NEXT takes the place of ENCRYPTION_KEY, which is not set');
  }
  if (encryptionKey && encryptionKeyNext?.equals(encryptionKey)) {
    lines.push('ENCRYPTION_KEY_NEXT is the same as ENCRYPTION_KEY');
  }
  return lines;
}

type TokenName = { clientId: string } | { id: Id<'Token'> };

const TOKEN_RULE = 'must be 32 hexadecimal digits, or a UUID with or without "Token:"';
const SECRET_RULE = 'must be 32 to 255 visible ASCII characters';

function readFirstToken(read: ReadSetting): FirstToken | undefined {
  const name = read('API_TOKEN_ID', parseTokenName, TOKEN_RULE);
  const clientSecret = read('API_CLIENT_SECRET', parseSecret, SECRET_RULE);
  return name && clientSecret !== undefined ? { ...name, clientSecret } : undefined;
}

function parseTokenName(text: string): TokenName | undefined {
  if (isClientId(text)) return { clientId: text };
  const id = parseId('Token', text);
  return id === undefined ? undefined : { id };
}

const BUCKET_RULE = 'must be s3:// and a bucket, with or without a path in it';
const ENDPOINT_RULE = 'must be an http:// or https:// URL without a path';
const REGION_RULE = 'must be the name of a region, such as eu-central-1';
const ASCII_RULE = 'must be 1 to 255 visible ASCII characters';

function readDocumentStore(read: ReadSetting): S3Settings | undefined {
  const location = read('DOCUMENT_STORE', parseBucket, BUCKET_RULE);
  const server = readStoreServer(read);
  return location && server && { ...location, ...server };
}

function readStoreServer(read: ReadSetting): Omit<S3Settings, 'bucket' | 'prefix'> | undefined {
  const endpoint = read('DOCUMENT_STORE_ENDPOINT', parseOrigin, ENDPOINT_RULE);
  const region = read('DOCUMENT_STORE_REGION', parseRegion, REGION_RULE) ?? 'us-east-1';
  const accessKeyId = read('DOCUMENT_STORE_KEY_ID', parseVisibleAscii, ASCII_RULE);
  const secretAccessKey = read('DOCUMENT_STORE_SECRET', parseVisibleAscii, ASCII_RULE);
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  const defaultEndpoint = `https://s3.${region}.amazonaws.com`;
  return { region, endpoint: endpoint ?? defaultEndpoint, accessKeyId, secretAccessKey };
}

const FILES_RULE = 'must be the path of a folder, or s3:// and a bucket, with or without a path in it';

/** A bucket has the keys and the server of DOCUMENT_STORE (bank-files.md §1.2). */
function readBankFiles(read: ReadSetting): BankFilesSettings | undefined {
  const isBucket = (text: string) => text.startsWith('s3://');
  const place = read(
    'BANK_FILES',
    (text) => (isBucket(text) ? parseBucket(text) : parseFolder(text)),
    FILES_RULE,
  );
  const days = read('BANK_FILES_KEPT_DAYS', parseInteger(400, 36_500), KEPT_DAYS_RULE);
  const kept = days === undefined ? {} : { keptDays: days };
  if (typeof place === 'string') return { folder: place, ...kept };
  if (place === undefined) return undefined;
  const server = readStoreServer(read);
  return server && { bucket: { ...place, ...server }, ...kept };
}

function parseBucket(text: string): Pick<S3Settings, 'bucket' | 'prefix'> | undefined {
  const parts = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9._-]+)*)\/?$/.exec(text);
  const [, name, path = ''] = parts ?? [];
  return name === undefined ? undefined : { bucket: name, prefix: path === '' ? '' : `${path.slice(1)}/` };
}

function parseSandboxReach(text: string): Config['sandboxReach'] | undefined {
  return SANDBOX_REACHES.find((name) => name === text);
}

function parseLogLevel(text: string): LogLevel | undefined {
  return LOG_LEVELS.find((level) => level === text.toLowerCase());
}
