import type { FilterField } from '../../ui/filters.tsx';
import { type Kind, PLATFORM, SINCE, UNTIL, words } from './kind.ts';

const OPERATOR: FilterField = { name: 'operator', label: 'Operator', kind: 'operator' };

export const AUDIT: Kind = {
  title: 'Audit',
  one: 'Audit row',
  answer: 'Each action with its actor, the newest first. Rows can be neither changed nor removed.',
  empty: 'Each change leaves a row.',
  list: 'listAllAudit',
  clock: 'real',
  columns: ['at', 'action', 'actor', 'resource', 'details', 'platform'],
  filters: [
    OPERATOR,
    words('action', 'Action', 'payment settle'),
    words('resource', 'About', 'Any id'),
    PLATFORM,
    SINCE,
    UNTIL,
  ],
  changes: [],
};

export const READS: Kind = {
  title: 'Access log',
  one: 'Read',
  answer: 'Each look at personal data, with its operator and fields. The command line shows the reasons.',
  empty: 'A row is written before a field, the page of a customer, a search or a file is shown.',
  list: 'listAllReads',
  clock: 'real',
  columns: ['at', 'operator', 'kind', 'fields', 'resource', 'roles', 'platform'],
  filters: [words('resource', 'About', 'Any id'), OPERATOR, PLATFORM, SINCE, UNTIL],
  changes: [],
};
