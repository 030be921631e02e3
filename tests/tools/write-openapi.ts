import { writeFile } from 'node:fs/promises';
import { describeApi, describeOperatorApi } from '#app/compose.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { TEST_DOMAINS } from '#tests/harness/harness.ts';

/** Writes both documents; a test compares them, so that every change of an interface shows in review. */
const names = wireNames('Svc');
await write('docs/openapi.json', describeApi(names, TEST_DOMAINS));
await write('docs/operators.openapi.json', describeOperatorApi(names, TEST_DOMAINS));

function write(file: string, document: object): Promise<void> {
  return writeFile(file, `${JSON.stringify(document, null, 2)}\n`);
}
