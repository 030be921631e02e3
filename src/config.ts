import { isIP } from 'node:net';
import { MASTER_KEY_FORM, parseMasterKey } from '#crypto/master-key.ts';
import { parseId } from '#lib/ids.ts';
import { type ProviderSettings, type ReadSetting, readProviders } from '#providers/settings.ts';
import type { S3Settings } from '#uploads/storage/s3-store.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What one process does: answer requests, work in the background, or both. */
export const ROLES = ['all', 'api', 'worker'] as const;
export type Role = (typeof ROLES)[number];

const REACHES = ['any', 'public'] as const;

/** The environment variables as one frozen value (decision 0005). */
export interface Config {
  /** 0 lets the system choose a free one. */
  readonly port: number;
  readonly host: string;
  /** Where a worker that runs by itself answers probes; absent: it listens on nothing. */
  readonly probePort: number | undefined;
  /** Where the embedded database and its key lie. */
  readonly dataDir: string;
  /** A PostgreSQL that somebody else runs; absent: the embedded one. */
  readonly databaseUrl: string | undefined;
  readonly databaseConnections: number;
  readonly serviceName: string;
  /** Where clients reach the service, when that is not `http://HOST:PORT`; without a trailing slash. */
  readonly publicUrl: string | undefined;
  /** Proxies that pass requests on and say in `X-Forwarded-For` whose they are; addresses and networks. */
  readonly trustedProxies: readonly string[];
  /** The domain of UMA addresses until a platform sets its own. */
  readonly umaDomain: string;
  /** The domains whose addresses play scenarios in the sandbox; the first is the one that is shown. */
  readonly sandboxUmaDomains: readonly string[];
  /** Which addresses the sandbox's webhooks reach: also those of a developer's own network, or public ones alone. */
  readonly sandboxReach: (typeof REACHES)[number];
  readonly encryptionKey: Buffer | undefined;
  /** The key that takes its place, while that change is under way. */
  readonly encryptionKeyNext: Buffer | undefined;
  readonly logLevel: LogLevel;
  /** The bucket that holds uploaded files; absent: a folder of the data folder. */
  readonly documentStore: S3Settings | undefined;
  /** Whom production has outside: where rates come from, who carries messages. */
  readonly providers: ProviderSettings;
  /** Credentials for the first sandbox platform; absent: generated and shown once. */
  readonly firstToken: FirstToken | undefined;
  /** Whether that platform is a regulated institution, whose customers accept its own terms. */
  readonly firstPlatformRegulated: boolean;
}

/** Named as the API names a token: by its client id or by its own id. */
export type FirstToken = ({ clientId: string } | { id: string }) & { clientSecret: string };

/** Everything that is wrong with the settings, one line each. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Judges all settings at once; a variable that is set but empty counts as unset. */
export function readConfig(environment: Environment): Config {
  const wrong: string[] = [];
  const read: ReadSetting = (name, parse, rule) => {
    const text = environment[name];
    if (text === undefined || text === '') return undefined;
    const value = parse(text);
    // The value itself may be a secret or hold one.
    if (value === undefined) wrong.push(`${name} ${rule}`);
    return value;
  };
  const config: Config = {
    port: read('PORT', integer(0, 65_535), PORT_RULE) ?? 8080,
    probePort: read('PROBE_PORT', integer(0, 65_535), PORT_RULE),
    host: read('HOST', host, 'must be an IP address or a host name') ?? '127.0.0.1',
    dataDir: read('DATA_DIR', folder, 'must be the path of a folder') ?? './data',
    databaseUrl: read('DATABASE_URL', postgresUrl, 'must be a postgres:// URL that names a database'),
    databaseConnections:
      read('DATABASE_CONNECTIONS', integer(4, 1_000), 'must be a whole number from 4 to 1000') ?? 12,
    serviceName:
      read('SERVICE_NAME', word, 'must be 1 to 32 letters and digits, the first a capital letter') ?? 'Svc',
    publicUrl: read(
      'PUBLIC_URL',
      publicUrl,
      'must be an http:// or https:// URL with neither path nor query, such as https://pay.example.com',
    ),
    trustedProxies: read('TRUSTED_PROXIES', networks, NETWORKS_RULE) ?? [],
    umaDomain: read('UMA_DOMAIN', domain, DOMAIN_RULE) ?? 'uma.localhost',
    sandboxUmaDomains: read('SANDBOX_UMA_DOMAIN', domains, DOMAINS_RULE) ?? ['sandbox.localhost'],
    sandboxReach: read('SANDBOX_WEBHOOKS', reach, `must be one of ${REACHES.join(', ')}`) ?? 'any',
    encryptionKey: read('ENCRYPTION_KEY', parseMasterKey, MASTER_KEY_FORM),
    encryptionKeyNext: read('ENCRYPTION_KEY_NEXT', parseMasterKey, MASTER_KEY_FORM),
    logLevel: read('LOG_LEVEL', logLevel, `must be one of ${LOG_LEVELS.join(', ')}`) ?? 'info',
    documentStore: documentStore({
      place: read('DOCUMENT_STORE', bucket, 'must be s3:// and a bucket, with or without a path in it'),
      endpoint: read('DOCUMENT_STORE_ENDPOINT', publicUrl, ENDPOINT_RULE),
      region: read('DOCUMENT_STORE_REGION', region, 'must be the name of a region, such as eu-central-1'),
      accessKeyId: read('DOCUMENT_STORE_KEY_ID', visible, 'must be 1 to 255 visible ASCII characters'),
      secretAccessKey: read('DOCUMENT_STORE_SECRET', visible, 'must be 1 to 255 visible ASCII characters'),
    }),
    providers: readProviders(read),
    firstPlatformRegulated: read('FIRST_PLATFORM_REGULATED', truth, 'must be true or false') ?? false,
    firstToken: firstToken(
      read('API_TOKEN_ID', tokenName, 'must be 32 hexadecimal digits, or a UUID with or without "Token:"'),
      read('API_CLIENT_SECRET', secret, 'must be 32 to 255 visible ASCII characters'),
    ),
  };
  wrong.push(...contradictions(environment, config));
  if (wrong.length > 0) throw new ConfigError(wrong);
  return Object.freeze(config);
}

const PORT_RULE = 'must be a whole number from 0 to 65535';
const NETWORKS_RULE = 'must be IP addresses or networks such as 10.0.0.0/8, with commas between them';
const ENDPOINT_RULE = 'must be an http:// or https:// URL without a path';
const DOMAIN_RULE = 'must be a domain name, such as uma.example.com';
const DOMAINS_RULE = 'must be domain names, such as uma.example.com, each once and with commas between them';

/** What is right by itself and wrong together. */
function contradictions(environment: Environment, config: Config): string[] {
  const isSet = (name: string): boolean => (environment[name] ?? '') !== '';
  const lines: string[] = [];
  if (isSet('DATABASE_URL') && !isSet('ENCRYPTION_KEY')) {
    lines.push(`ENCRYPTION_KEY is needed with DATABASE_URL: it ${MASTER_KEY_FORM}`);
  }
  if (isSet('API_TOKEN_ID') !== isSet('API_CLIENT_SECRET')) {
    lines.push('API_TOKEN_ID and API_CLIENT_SECRET are set together or not at all');
  }
  if (isSet('DOCUMENT_STORE') && !(isSet('DOCUMENT_STORE_KEY_ID') && isSet('DOCUMENT_STORE_SECRET'))) {
    lines.push('DOCUMENT_STORE_KEY_ID and DOCUMENT_STORE_SECRET are needed with DOCUMENT_STORE');
  }
  if (isSet('SMTP_URL') !== isSet('SMTP_FROM')) {
    lines.push('SMTP_URL and SMTP_FROM are set together or not at all');
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

type TokenName = { clientId: string } | { id: string };

function firstToken(name: TokenName | undefined, clientSecret: string | undefined): FirstToken | undefined {
  return name && clientSecret !== undefined ? { ...name, clientSecret } : undefined;
}

function tokenName(text: string): TokenName | undefined {
  if (/^[0-9a-f]{32}$/.test(text)) return { clientId: text };
  const id = parseId('Token', text);
  return id === undefined ? undefined : { id };
}

interface DocumentStoreParts extends Partial<Omit<S3Settings, 'bucket' | 'prefix'>> {
  readonly place: Pick<S3Settings, 'bucket' | 'prefix'> | undefined;
}

function documentStore({
  place,
  region: where = 'us-east-1',
  endpoint = `https://s3.${where}.amazonaws.com`,
  accessKeyId,
  secretAccessKey,
}: { [Name in keyof DocumentStoreParts]: DocumentStoreParts[Name] | undefined }): S3Settings | undefined {
  if (!place || accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  return { ...place, region: where, endpoint, accessKeyId, secretAccessKey };
}

function bucket(text: string): Pick<S3Settings, 'bucket' | 'prefix'> | undefined {
  const parts = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9._-]+)*)\/?$/.exec(text);
  const [, name, path = ''] = parts ?? [];
  return name === undefined ? undefined : { bucket: name, prefix: path === '' ? '' : `${path.slice(1)}/` };
}

function region(text: string): string | undefined {
  return /^[a-z0-9-]{1,64}$/.test(text) ? text : undefined;
}

function truth(text: string): boolean | undefined {
  return { true: true, false: false }[text];
}

function visible(text: string): string | undefined {
  return /^[\x21-\x7e]{1,255}$/.test(text) ? text : undefined;
}

function secret(text: string): string | undefined {
  return /^[\x21-\x7e]{32,255}$/.test(text) ? text : undefined;
}

function integer(min: number, max: number): (text: string) => number | undefined {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  };
}

function host(text: string): string | undefined {
  return /^[A-Za-z0-9._:%-]{1,253}$/.test(text) ? text : undefined;
}

function networks(text: string): string[] | undefined {
  const names = text.split(',').map((name) => name.trim());
  return names.every(isNetwork) ? names : undefined;
}

/** Not all addresses at once: whoever trusts everybody may as well ask nobody. */
function isNetwork(name: string): boolean {
  const [address = '', bits = '1', ...more] = name.split('/');
  const bitsMax = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return more.length === 0 && integer(1, bitsMax)(bits) !== undefined;
}

function folder(text: string): string | undefined {
  return text.includes('\0') || text.trim() === '' ? undefined : text;
}

function word(text: string): string | undefined {
  return /^[A-Z][A-Za-z0-9]{0,31}$/.test(text) ? text : undefined;
}

function domain(text: string): string | undefined {
  const lower = text.toLowerCase();
  const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
  return lower.length <= 253 && new RegExp(`^${label}(\\.${label})+$`).test(lower) ? lower : undefined;
}

function domains(text: string): string[] | undefined {
  const names = text.split(',').map((name) => domain(name.trim()));
  const known = names.filter((name) => name !== undefined);
  return new Set(known).size === names.length ? known : undefined;
}

function reach(text: string): Config['sandboxReach'] | undefined {
  return REACHES.find((name) => name === text);
}

function logLevel(text: string): LogLevel | undefined {
  return LOG_LEVELS.find((level) => level === text.toLowerCase());
}

function postgresUrl(text: string): string | undefined {
  const url = URL.parse(text);
  const isPostgres = url?.protocol === 'postgres:' || url?.protocol === 'postgresql:';
  return isPostgres && url.pathname.length > 1 ? text : undefined;
}

function publicUrl(text: string): string | undefined {
  const url = URL.parse(text);
  const isBare = url && url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password;
  return isBare && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}
