import { SERVICE } from '#app/compose.ts';
import type { AppParts } from '#app/parts.ts';
import type { ServiceDomains } from '#capabilities/platform/change-config.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { EVERY_ROLE, type SecondOperator } from '#foundation/http/operator-rule.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { TEST_DOMAINS } from '#tests/harness/harness.ts';

const OPENS = '## Who can do what\n';
const CLOSES = '## What the operator is responsible for\n';

const SECOND: Readonly<Record<SecondOperator, string>> = {
  always: 'yes',
  amount: 'above an amount',
  production: 'in production',
};

/** SECURITY.md with the present table of what each operator may do, made from the declarations of the operations. */
export function withOperatorRights(document: string): string {
  const [start, end] = [document.indexOf(OPENS), document.indexOf(CLOSES)];
  if (start < 0 || end < start) throw new Error(`SECURITY.md has no “${OPENS}” before “${CLOSES}”`);
  return `${document.slice(0, start)}${OPENS}\n${renderRights()}\n${document.slice(end)}`;
}

/** Only the declarations are read, so the other parts of the service can be left out. */
function renderRights(): string {
  const domains: ServiceDomains = TEST_DOMAINS;
  const parts = { domains, names: wireNames('Svc') } as AppParts;
  const operations = SERVICE.operatorOperations(parts);
  const restricted = operations.filter(({ operator }) => !isForAll(operator?.roles));
  return [
    'People who run the service act over HTTP with their roles ([operator.md §2](docs/rules/operator.md)). *Second* says when a',
    'second operator has to approve, and *proof* that the passkey was used within the last five minutes. The table lists each',
    'operation that not every role may call; all others read masked data, decide proposals, or concern the caller’s own passkeys',
    'and sessions. `npm run operator-rights` writes the table from the declarations, and a test compares it.',
    '',
    '| Area | Operation | Roles | Second | Proof |',
    '|---|---|---|---|---|',
    ...[...new Set(restricted.map(renderRow))].sort(),
    '',
  ].join('\n');
}

function isForAll(roles: readonly string[] = []): boolean {
  return EVERY_ROLE.filter((role) => role !== 'viewer').every((role) => roles.includes(role));
}

function renderRow({ id, area, summary, operator }: NamedOperation): string {
  const { roles = [], two, stepUp } = operator ?? {};
  // Each kind of record has such an operation.
  if (summary === 'Show one field in clear')
    return `| Records | ${summary} | ${roles.join(', ')} |  | ${stepUp ? 'yes' : ''} |`;
  return `| ${area} | ${summary} (\`${id}\`) | ${roles.join(', ')} | ${two ? SECOND[two] : ''} | ${stepUp ? 'yes' : ''} |`;
}
