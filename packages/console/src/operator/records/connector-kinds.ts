import { choice, type Kind, SCOPE, SINCE, status, UNTIL, words } from './kind.ts';

const CONNECTOR = words('connector', 'Connector', 'nordbank');
const isPaused = ({ state }: Readonly<Record<string, unknown>>) => state === 'PAUSED';

export const CONNECTORS: Kind = {
  title: 'Connectors',
  one: 'Connector',
  answer:
    'The services that speak to your banks: whether they answer, up to where their events were read, and what waits there.',
  empty: 'A connector is a small service of yours. Add one, then set a route to it.',
  list: 'listAllConnectors',
  show: 'showConnector',
  columns: ['name', 'state', 'pausedSince', 'answeredAt', 'eventsReadAt', 'unknownOrders', 'openBreaks'],
  filters: [],
  changes: [
    { operation: 'pauseConnector', label: 'Pause', when: (record) => !isPaused(record) },
    { operation: 'resumeConnector', label: 'Resume', when: isPaused },
    { operation: 'setConnector', label: 'Change the URL or certificate' },
    { operation: 'setConnectorRoute', label: 'Set a route' },
    { operation: 'removeConnectorRoute', label: 'Remove a route' },
    { operation: 'rewindConnector', label: 'Read events again' },
    { operation: 'rotateConnectorSecret', label: 'Rotate the secret', kind: 'danger' },
    { operation: 'removeConnector', label: 'Remove', kind: 'danger' },
  ],
  create: 'addConnector',
  about: (name) => `connector ${name}`,
  linkOf: ({ name }) => `/console/operator/connectors/${String(name)}`,
  parts: [
    { kind: 'breaks', by: 'connector' },
    { kind: 'connector-orders', by: 'connector' },
    { kind: 'connector-events', by: 'connector' },
  ],
};

/** As the document of operators lists them. */
const BREAK_KINDS = [
  ...['CONTRADICTION', 'AMOUNT_DIFFERS', 'DUPLICATE', 'RETURNED', 'MALFORMED', 'LOST', 'GAP', 'LATE'],
  ...['OURS_UNMATCHED', 'THEIRS_UNMATCHED', 'UNPROVEN'],
];
const isOpen = ({ resolvedAt }: Readonly<Record<string, unknown>>) => !resolvedAt;
const isAboutLine = (record: Readonly<Record<string, unknown>>) =>
  isOpen(record) && /^(?:line|entry) /.test(String(record.about));

/** Everything else that a break is about begins with its kind: `credit 4711`. */
const isAboutOrder = (record: Readonly<Record<string, unknown>>) =>
  isOpen(record) && !/^[a-z]+ /.test(String(record.about));

export const BREAKS: Kind = {
  title: 'Breaks',
  one: 'Break',
  answer:
    'Contradictions between the books and connectors or banks. A break books nothing: a person decides.',
  empty: 'The books agree with connectors and banks.',
  list: 'listAllBreaks',
  show: 'showBreak',
  suggest: 'listBreakSuggestions',
  columns: ['id', 'kind', 'what', 'amount', 'connector', 'owner', 'openedAt', 'resolvedAt'],
  filters: [
    CONNECTOR,
    choice('kind', 'Kind', ...BREAK_KINDS),
    {
      name: 'isOpen',
      label: 'Open',
      kind: 'select',
      options: ['true', 'false'],
      words: { true: 'Yes', false: 'No' },
    },
  ],
  views: [{ name: 'Open', filters: { isOpen: 'true' } }],
  changes: [
    { operation: 'setBreakOwner', label: 'Assign', when: isOpen },
    { operation: 'noteBreak', label: 'Note', when: isOpen },
    { operation: 'matchBreak', label: 'Match by hand', when: isAboutLine },
    { operation: 'bookBankLine', label: 'Book a charge or interest', when: isAboutLine },
    { operation: 'bookBankDifference', label: 'Own money, or write off', when: isAboutLine },
    {
      operation: 'bookBreak',
      label: 'Book the order',
      when: isAboutOrder,
    },
    {
      operation: 'takeBackCredit',
      label: 'Take the credit back',
      when: (record) => isOpen(record) && String(record.about).startsWith('credit '),
    },
    { operation: 'resolveBreak', label: 'Resolve', when: isOpen },
  ],
};

export const CONNECTOR_ORDERS: Kind = {
  title: 'Orders to connectors',
  one: 'Order',
  answer: 'Orders to pay, collect and send money back, with the last answers of connectors.',
  empty: 'Payments become orders where a route leads to a connector.',
  list: 'listAllConnectorOrders',
  columns: ['transaction', 'kind', 'status', 'state', 'amount', 'connector', 'nextCallAt', 'createdAt'],
  filters: [
    ...SCOPE,
    CONNECTOR,
    status('WAITING', 'ROUTED', 'ASKED', 'TAKEN', 'ENDED', 'LEFT', 'CONFLICT', 'BY_HAND'),
    words('transaction', 'Payment', 'Transaction:…'),
    SINCE,
    UNTIL,
  ],
  views: [
    { name: 'Unknown', filters: { status: 'ASKED' } },
    { name: 'Waiting for a route', filters: { status: 'WAITING' } },
  ],
  changes: [],
};

export const CONNECTOR_EVENTS: Kind = {
  title: 'Events of connectors',
  one: 'Event',
  answer: 'Reports of connectors with their results, the newest first.',
  empty: 'Events are read every few seconds.',
  list: 'listAllConnectorEvents',
  columns: ['receivedAt', 'type', 'about', 'outcome', 'failures', 'appliedAt', 'connector'],
  filters: [
    CONNECTOR,
    {
      name: 'isApplied',
      label: 'Applied',
      kind: 'select',
      options: ['true', 'false'],
      words: { true: 'Yes', false: 'No' },
    },
  ],
  changes: [],
};
