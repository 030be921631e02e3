import type { NameCheckPort, NameCheckResult } from '#rails/name-check.ts';
import { sandboxSuffix } from '#sandbox/suffix.ts';

/** The sandbox's name check: the last three digits of the account's identifier choose the answer. */
export const sandboxNameCheck: NameCheckPort = {
  atCreate({ identifier, name }) {
    const answer = ANSWERS[sandboxSuffix(identifier) ?? ''] ?? matched;
    return answer === 'REFUSED' ? answer : answer(name);
  },
  /** Everything is decided at once; nobody is ever asked. */
  check: async ({ name }) => matched(name),
};

type Answer = 'REFUSED' | ((name: string) => NameCheckResult);

/** accounts.md §4.8. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  '102': () => ({ status: 'NOT_MATCHED' }),
  '103': (name) => ({ status: 'PARTIAL_MATCH', fullName: withInitial(name) }),
  '104': () => ({ status: 'PENDING' }),
  '105': 'REFUSED',
  '106': () => ({ status: 'UNSUPPORTED' }),
  '107': () => ({ status: 'CHECKED_BY_RECEIVING_FI' }),
};

function matched(fullName: string): NameCheckResult {
  return { status: 'MATCHED', fullName };
}

/** accounts.md §4.6: the first word cut to its initial and a dot. */
function withInitial(name: string): string {
  const [first = '', ...rest] = name.split(/\s+/);
  const [initial = ''] = first;
  return [`${initial}.`, ...rest].join(' ');
}
