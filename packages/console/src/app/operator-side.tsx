import { ROLES } from '../api/operator/generated/summaries.ts';
import { hasProduction, hasRole, operatorSession, signOutOperator } from '../api/operator/session.ts';
import { docsUrl } from '../api/session.ts';
import { setPersonalFilter } from '../ui/filters.tsx';
import { placeOf, shortId } from '../ui/id.tsx';
import { findScreens, findTitles, THEME_ACTIONS } from './find-screens.ts';
import { OPERATOR_GROUPS, OPERATOR_ROUTES } from './operator-routes.ts';
import type { ScreenRoute } from './routes.ts';
import { lazyScreens } from './screens.tsx';
import type { Found, Side } from './side.ts';

interface OperatorSide extends Side {
  /** Whether the operator has a role: before another admin has confirmed the person, there is nothing to see. */
  isWorking(): boolean;
}

/** All platforms, with what the operator's roles may do. */
export const OPERATOR_SIDE: OperatorSide = {
  home: '/console/operator',
  groups: OPERATOR_GROUPS,
  screens: lazyScreens(OPERATOR_ROUTES),
  isShown: () => true,
  isListed,
  isWorking,
  name: () => <OperatorName />,
  environment: () =>
    hasProduction.value === undefined
      ? { kind: 'operator', word: 'Operators' }
      : hasProduction.value
        ? { kind: 'production', word: 'Production' }
        : { kind: 'sandbox', word: 'Sandbox' },
  notes: () =>
    operatorSession.value?.approvals === 'off' && (
      <strong class="band-warning" title="One operator alone can move money and change what others may do.">
        Approvals are off
      </strong>
    ),
  links: () => [
    [docsUrl('/docs/operating'), 'Operating'],
    [docsUrl('/docs/rules/operator'), 'Rules'],
  ],
  signOut: signOutOperator,
  findable: 'id, whole value',
  findAtOnce: (text) => [
    ...findId(text),
    ...findScreens(OPERATOR_ROUTES.filter(isListed), text),
    ...findTitles(ACTIONS, text),
    ...findValue(text),
  ],
  find: async () => [],
};

const ACTIONS: readonly Found[] = [
  ...THEME_ACTIONS,
  { title: 'Sign out', hint: 'Action', prepare: () => void signOutOperator() },
];

function isWorking(): boolean {
  return (operatorSession.value?.operator.roles.length ?? 0) > 0;
}

function isListed({ name, needs }: ScreenRoute): boolean {
  return name !== undefined && (needs === undefined || hasRole(ROLES[needs] ?? []));
}

function findId(text: string): Found[] {
  const url = placeOf(text);
  return url === undefined ? [] : [{ title: shortId(text), hint: text.slice(0, text.indexOf(':')), url }];
}

/** Nothing is searched while somebody types, because each search is recorded. */
function findValue(text: string): Found[] {
  if (text.length < 3 || placeOf(text) !== undefined) return [];
  const url = '/console/operator/find';
  return [
    {
      title: text,
      hint: 'Find records with this value',
      url,
      prepare: () => setPersonalFilter(url, 'value', text),
    },
  ];
}

function OperatorName() {
  const { name } = operatorSession.value?.operator ?? {};
  if (name === undefined) return null;
  return (
    <>
      {' '}
      · <bdi>{name}</bdi>
    </>
  );
}
