import type { IssuerOfOperators, RoleMapping } from '#capabilities/operators/issuer-settings.ts';
import type { ReadSetting } from '#edge/providers/settings.ts';
import { OPERATOR_ROLES, type OperatorRole } from '#foundation/http/operator-rule.ts';
import { isLoopback, parseVisibleAscii } from './setting-parsers.ts';

const ISSUER_RULE =
  'must be an https:// URL without query, as the issuer writes itself; http:// is accepted for an issuer on this machine only';
const ASCII_RULE = 'must be 1 to 255 visible ASCII characters';
const ROLES_RULE =
  'must be the name of a claim and then, each after a space, value=role or value=role,role, such as ' +
  `"groups corridor-admins=admin corridor-money=finance,treasury"; the roles are ${OPERATOR_ROLES.join(', ')}, and a space ` +
  'or % within a value is written %20 or %25';

/** The issuer at which operators sign in (operator.md §1.3a). */
export function readIssuerOfOperators(read: ReadSetting): IssuerOfOperators | undefined {
  const issuer = read('OPERATOR_OIDC_ISSUER', parseIssuer, ISSUER_RULE);
  const clientId = read('OPERATOR_OIDC_CLIENT_ID', parseVisibleAscii, ASCII_RULE);
  const clientSecret = read('OPERATOR_OIDC_CLIENT_SECRET', parseVisibleAscii, ASCII_RULE);
  const roles = read('OPERATOR_OIDC_ROLES', parseRoles, ROLES_RULE);
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  return { issuer, clientId, clientSecret, roles };
}

/** The missing settings, if only some of them are set. */
export function checkIssuerSettings(isSet: (name: string) => boolean): string[] {
  const needed = ['OPERATOR_OIDC_ISSUER', 'OPERATOR_OIDC_CLIENT_ID', 'OPERATOR_OIDC_CLIENT_SECRET'];
  const missing = needed.filter((name) => !isSet(name));
  const isAnySet = missing.length < needed.length || isSet('OPERATOR_OIDC_ROLES');
  if (!isAnySet || missing.length === 0) return [];
  return [`${needed.join(', ')} are set together or not at all: ${missing.join(' and ')} is missing`];
}

function parseIssuer(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || url.search || url.hash || url.username || url.password) return undefined;
  const isLocal = url.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, ''));
  return url.protocol === 'https:' || isLocal ? text : undefined;
}

function parseRoles(text: string): RoleMapping | undefined {
  const [claim = '', ...words] = text.trim().split(/\s+/);
  const entries = words.map(parseEntry);
  const roles = new Map(entries.filter((entry) => entry !== undefined));
  const isComplete = entries.length > 0 && roles.size === entries.length;
  return claim !== '' && !claim.includes('=') && isComplete ? { claim, roles } : undefined;
}

/** Undefined: it is none. The same value twice would hide a mistake, and is refused by its number. */
function parseEntry(word: string): [string, readonly OperatorRole[]] | undefined {
  const [, encoded, list = ''] = /^(.+)=([a-z,]+)$/.exec(word) ?? [];
  const wanted = list.split(',');
  const roles = OPERATOR_ROLES.filter((role) => wanted.includes(role));
  if (encoded === undefined || roles.length !== wanted.length) return undefined;
  try {
    return [decodeURIComponent(encoded), roles];
  } catch {
    return undefined;
  }
}
