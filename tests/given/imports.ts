import assert from 'node:assert/strict';
import type { TestPlatform, World } from '#tests/harness/harness.ts';

export type CsvRow = Readonly<Record<string, string>>;

const PLACE = { addressLine1: '1 Market St', city: 'San Francisco', state: 'CA', postalCode: '94105' };

/** A row with everything its type needs, made unique by its number. */
export function personRow(number: number, more: CsvRow = {}): CsvRow {
  return {
    umaAddress: `$person${number}@rows.example`,
    platformCustomerId: `person-${number}`,
    customerType: 'INDIVIDUAL',
    ...PLACE,
    country: 'US',
    fullName: 'Ada Lovelace',
    birthDate: '1990-12-10',
    ...more,
  };
}

export function businessRow(number: number, more: CsvRow = {}): CsvRow {
  return {
    umaAddress: `$business${number}@rows.example`,
    platformCustomerId: `business-${number}`,
    customerType: 'BUSINESS',
    ...PLACE,
    country: 'US',
    businessLegalName: 'Analytical Engines Inc.',
    ...more,
  };
}

/** All columns of all rows, in the order of their first appearance. */
export function renderCsv(rows: readonly CsvRow[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const line = (cells: readonly string[]) => `${cells.map(quoted).join(',')}\r\n`;
  return line(columns) + rows.map((row) => line(columns.map((column) => row[column] ?? ''))).join('');
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

export function csvForm(content: string | Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  form.append('file', new Blob([content], { type: 'text/csv' }), 'customers.csv');
  return form;
}

/** UMA addresses are unique across platforms, so those of rows.example are moved to the platform's own domain. */
export function ownDomain({ id }: TestPlatform, text: string): string {
  return text.replaceAll('@rows.example', `@p${id}.example`);
}

/** An import that waits for the worker. */
export async function givenImport(
  platform: TestPlatform,
  content: string | Uint8Array<ArrayBuffer>,
): Promise<string> {
  const own = typeof content === 'string' ? ownDomain(platform, content) : content;
  const sent = await platform.call('uploadCustomersCsv', { body: csvForm(own) });
  assert.equal(sent.status, 202, sent.raw);
  assert.equal(sent.body.status, 'PENDING');
  return sent.body.jobId;
}

export async function fetchImport(platform: TestPlatform, jobId: string) {
  const reply = await platform.call('getBulkCustomerImportJob', { params: { jobId } });
  assert.equal(reply.status, 200, reply.raw);
  const { processed, successful, failed } = reply.body.progress;
  assert.equal(processed, successful + failed);
  return reply.body;
}

/** Uploads a file, lets the worker import it, and returns the result. */
export async function imported(
  { app }: World,
  platform: TestPlatform,
  content: string | Uint8Array<ArrayBuffer>,
) {
  const jobId = await givenImport(platform, content);
  await app.worker.settle(platform.id);
  return fetchImport(platform, jobId);
}
