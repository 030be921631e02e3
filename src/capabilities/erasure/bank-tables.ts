import type { PersonTable, Ways } from '#capabilities/erasure/person-table.ts';

/** Rows about an order, or about a credit, of a connector. */
const OF_ORDER = '(t.connector_id || t.reference::text)';
const OF_CREDIT = '(t.connector_id || lower(t.credit_id))';
const REPORTED: Ways = {
  '(t.connector_id || t.about)': `connector_orders.${OF_ORDER}`,
  '(t.connector_id || lower(t.about))': `connector_credits.${OF_CREDIT}`,
};

/** Tables with what connectors and banks are told, and what they report, about customers (decision 0068). */
export const BANK_TABLES: Readonly<Record<string, PersonTable>> = {
  connector_orders: {
    ...{ part: 'orders at connectors', ways: { customer_id: 'customers.id' }, erasure: 'emptied' },
    stays: ['amounts, states, dates and the bank’s references', 'BOOKS'],
  },
  connector_requests: {
    ...{ part: 'requests to connectors', ways: { customer_id: 'customers.id' }, erasure: 'emptied' },
    stays: ['kinds, states and dates', 'BOOKS'],
  },
  connector_events: {
    ...{ part: 'reports of connectors', ways: REPORTED, erasure: 'emptied', isOfInstallation: true },
    stays: ['types, dates, references and a hash of the content', 'BOOKS'],
  },
  connector_credits: {
    ...{ part: 'money reported by connectors', ways: { transaction_id: 'transactions.id' } },
    ...{ erasure: 'kept', stays: ['amounts, dates and the bank’s references', 'BOOKS'] },
  },
  connector_breaks: {
    ...{ part: 'contradictions of banks', erasure: 'emptied', isOfInstallation: true },
    ways: {
      order_id: 'connector_orders.id',
      '(t.connector_id || t.about)': `connector_orders.${OF_ORDER}`,
      "(t.connector_id || lower(regexp_replace(t.about, '^credit ', '')))": `connector_credits.${OF_CREDIT}`,
      "(substring(t.about from '^line (.{36})$'))": 'bank_lines.(t.id::text)',
      "(substring(t.about from '^entry (.{36}) '))": 'bank_ours.(t.entry_id::text)',
    },
    stays: ['kinds, amounts, dates and references', 'BOOKS'],
  },
  bank_file_orders: {
    ...{ part: 'orders in files for banks', erasure: 'emptied', isOfInstallation: true },
    ways: { '(t.connector_id || t.reference::text)': `connector_orders.${OF_ORDER}` },
    stays: ['amounts, states, dates, references and a hash of the content', 'BOOKS'],
  },
  bank_file_batches: {
    ...{ part: 'files for banks', ways: { id: 'bank_file_orders.batch_id' }, erasure: 'emptied' },
    ...{ isOfInstallation: true, withholds: ['bytes'] },
    stays: ['names, totals, dates and a hash of the content', 'BOOKS'],
  },
  bank_file_events: {
    ...{ part: 'reports out of files', ways: REPORTED, erasure: 'emptied', isOfInstallation: true },
    stays: ['dates and references', 'BOOKS'],
  },
  bank_file_credits: {
    ...{ part: 'money in files of banks', erasure: 'emptied', isOfInstallation: true },
    ways: { [OF_CREDIT]: `connector_credits.${OF_CREDIT}` },
    stays: ['amounts, dates and the bank’s references', 'BOOKS'],
  },
  bank_file_subjects: {
    ...{ part: 'which files name the customer', ways: REPORTED, erasure: 'kept', isOfInstallation: true },
    stays: ['references', 'BOOKS'],
  },
  bank_files: {
    ...{ part: 'files of banks', ways: { id: 'bank_file_subjects.file_id' }, erasure: 'kept' },
    ...{ isOfInstallation: true, stays: ['names, dates and a hash of the content', 'BOOKS'] },
  },
  bank_file_statements: {
    ...{ part: 'statements in files of banks', ways: { file_id: 'bank_file_subjects.file_id' } },
    ...{ erasure: 'emptied', isOfInstallation: true, withholds: ['content'] },
    stays: ['days, balances and a hash of the content', 'BOOKS'],
  },
  bank_ours: {
    ...{ part: 'lines of settlement accounts in the books', ways: { transaction_id: 'transactions.id' } },
    ...{ erasure: 'kept', stays: ['amounts, dates and keyed hashes of references', 'BOOKS'] },
  },
  bank_lines: {
    ...{ part: 'lines of banks', erasure: 'emptied', isOfInstallation: true },
    ways: {
      match: 'bank_ours.match',
      '(t.connector_id || lower(t.credit_id))': `connector_credits.${OF_CREDIT}`,
    },
    stays: ['amounts, dates and keyed hashes of references', 'BOOKS'],
    keeps: ['reference_hashes'],
  },
};
