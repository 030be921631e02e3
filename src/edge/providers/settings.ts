import type { BankFilesSettings } from '#edge/providers/bank-files/settings.ts';
import type { IssuerSettings } from '#edge/providers/issuer-keys.ts';
import type { RateSourceSettings } from '#edge/providers/rate-source.ts';
import type { SmsGatewaySettings } from '#edge/providers/sms-gateway.ts';
import { isAddress, type SmtpSettings } from '#edge/providers/smtp.ts';

/** The providers of production; each is used if it is configured. Issuers are accepted in the sandbox too. */
export interface ProviderSettings {
  readonly rates?: RateSourceSettings | undefined;
  readonly email?: SmtpSettings | undefined;
  readonly sms?: SmsGatewaySettings | undefined;
  readonly issuers?: readonly IssuerSettings[] | undefined;
  /** Where files lie that go to banks and come from them. */
  readonly bankFiles?: BankFilesSettings | undefined;
}

/** Reads one environment variable; an invalid value is reported when the service starts. */
export type ReadSetting = <T>(
  name: string,
  parse: (text: string) => T | undefined,
  rule: string,
) => T | undefined;

export function readProviders(read: ReadSetting): ProviderSettings {
  return {
    rates: readRateSource(read),
    email: readSmtp(read),
    sms: readSmsGateway(read),
    issuers: read('OIDC_ISSUERS', parseIssuers, ISSUERS_RULE),
  };
}

const MINUTE_MS = 60_000;
const AGE_MAX_MINUTES = 7 * 24 * 60;

function readRateSource(read: ReadSetting): RateSourceSettings | undefined {
  const url = read('RATES_URL', parseHttpUrl, URL_RULE);
  const minutes = read(
    'RATES_MAX_AGE_MINUTES',
    parseMinutes(AGE_MAX_MINUTES),
    `must be a whole number from 1 to ${AGE_MAX_MINUTES}`,
  );
  return url === undefined ? undefined : { url, ageMaxMs: (minutes ?? 60) * MINUTE_MS };
}

function readSmtp(read: ReadSetting): SmtpSettings | undefined {
  const server = read('SMTP_URL', parseSmtpUrl, SMTP_RULE);
  const from = read('SMTP_FROM', (text) => (isAddress(text) ? text : undefined), FROM_RULE);
  return server && from !== undefined ? { ...server, from } : undefined;
}

const SMTP_RULE =
  'must be smtps://user:password@host or smtp://user:password@host, with or without a port; ' +
  '?starttls=off sends in the clear';
const FROM_RULE = 'must be an e-mail address, such as codes@example.com';

const HOST = /^([A-Za-z0-9._-]{1,253}|\[[0-9a-f:.]+\])$/;
const IMPLICIT_PORT = 465;
const SUBMISSION_PORT = 587;

function parseSmtpUrl(text: string): Omit<SmtpSettings, 'from'> | undefined {
  const url = URL.parse(text);
  const isSmtp = url && /^smtps?:$/.test(url.protocol) && HOST.test(url.hostname) && isDecodable(url);
  if (!isSmtp || url.hash !== '' || !/^\/?$/.test(url.pathname)) return undefined;
  if (!/^(\?starttls=(off|required))?$/.test(url.search)) return undefined;
  const isImplicit = url.protocol === 'smtps:';
  const isClear = url.search === '?starttls=off';
  if (isImplicit && url.search !== '') return undefined;
  const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (isImplicit ? IMPLICIT_PORT : SUBMISSION_PORT) : Number(url.port),
    encryption: isImplicit ? 'implicit' : isClear ? 'none' : 'starttls',
    ...(user !== '' && { credentials: { user, pass } }),
  };
}

function readSmsGateway(read: ReadSetting): SmsGatewaySettings | undefined {
  const url = read('SMS_URL', parseHttpUrl, URL_RULE);
  return url === undefined ? undefined : { url };
}

const ISSUERS_RULE =
  'must be issuers with the addresses of their keys, such as https://login.example.com=https://login.example.com/keys, ' +
  'each once and with commas between them';

function parseIssuers(text: string): IssuerSettings[] | undefined {
  const issuers = text.split(',').flatMap((entry) => parseIssuer(entry.trim()) ?? []);
  const names = new Set(issuers.map(({ issuer }) => issuer));
  return names.size === text.split(',').length ? issuers : undefined;
}

function parseIssuer(entry: string): IssuerSettings | undefined {
  const [, issuer = '', address = ''] = /^((?:https:\/\/)?[^\s=?#]+)=(.+)$/.exec(entry) ?? [];
  const jwksUrl = parseHttpUrl(address);
  return issuer !== '' && jwksUrl !== undefined ? { issuer, jwksUrl } : undefined;
}

const URL_RULE = 'must be an https:// URL, or an http:// URL of your own network';

function parseMinutes(max: number): (text: string) => number | undefined {
  return (text) => {
    const value = /^\d{1,6}$/.test(text) ? Number(text) : 0;
    return value >= 1 && value <= max ? value : undefined;
  };
}

function parseHttpUrl(text: string): string | undefined {
  const url = URL.parse(text);
  const isRight = url && /^https?:$/.test(url.protocol) && url.hash === '' && isDecodable(url);
  return isRight ? url.href : undefined;
}

/** Whether the credentials are valid percent-encoding. */
function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}
