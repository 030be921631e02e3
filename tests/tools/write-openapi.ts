import { writeFile } from 'node:fs/promises';
import { describeApi, describeOperatorApi } from '#app/compose.ts';
import { connectorDocument } from '#foundation/connector-protocol/document.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { TEST_DOMAINS } from '#tests/harness/harness.ts';

/** Writes all three documents; tests compare them, so that every change of an interface shows in review. */
const names = wireNames('Svc');
await write('docs/openapi.json', describeApi(names, TEST_DOMAINS));
await write('docs/operators.openapi.json', describeOperatorApi(names, TEST_DOMAINS));
await write('docs/connectors.openapi.json', connectorDocument(names));

function write(file: string, document: object): Promise<void> {
  return writeFile(file, `${JSON.stringify(document, null, 2)}\n`);
}
