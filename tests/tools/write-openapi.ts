import { writeFile } from 'node:fs/promises';
import { describeApi } from '#app/compose.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';
import { TEST_DOMAINS } from '#tests/harness/harness.ts';

/** Writes docs/openapi.json; a test compares it, so that every change of the interface shows in review. */
await writeFile(
  'docs/openapi.json',
  `${JSON.stringify(describeApi(wireNames('Svc'), TEST_DOMAINS), null, 2)}\n`,
);
