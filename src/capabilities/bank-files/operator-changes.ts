import Type from 'typebox';
import {
  addFilesConnector,
  adoptFiles,
  closeQuarantined,
  resendFile,
  setProfile,
} from '#capabilities/bank-files/registry.ts';
import { asUuid } from '#capabilities/bank-files/row.ts';
import { ABOUT_CONNECTOR } from '#capabilities/connectors/operator/schemas.ts';
import { operatorChange } from '#foundation/http/declare/operator-change.ts';
import { component } from '#foundation/http/schema.ts';
import { invalidFields, Refusal } from '#foundation/lib/refusals.ts';
import { masked } from '#foundation/records/mask.ts';

/** Changes of operators to connectors by files (operator.md §6). */

const WORDS = { area: 'Connectors', roles: ['treasury'], on: 'installation' } as const;
/** Money takes another way afterwards. */
const TWO = { two: 'always', asksFirst: true } as const;
const ONE = { ...ABOUT_CONNECTOR, params: { name: { text: 'The name of the connector.' } } } as const;

const name = masked(
  'none',
  Type.String({ minLength: 1, maxLength: 32, description: 'Its name: a–z, 0–9 and -.' }),
);
const PROFILE_MAX = 200_000;

const ChangedFiles = component('ChangedFilesConnector', 'A connector by files that an operator changed.', {
  name: Type.String({ description: 'Its name.' }),
});
const ChangedBatch = component('ResentBankFile', 'A file that will be written again.', {
  batch: Type.String({ description: 'The id of its batch.' }),
  file: Type.String({ description: 'Its name.' }),
});
const ClosedFile = component('ClosedBankFile', 'A file in quarantine that an operator closed.', {
  file: Type.String({ description: 'Its id.' }),
});

export const bankFileChanges = [
  operatorChange('addFilesConnector', {
    ...WORDS,
    ...TWO,
    route: 'POST /file-connectors',
    summary: 'Add a connector by files',
    description:
      'Adds a connector that speaks to its bank by files. It takes orders once it has a profile and a route names it.',
    subject: ({ body }) => `connector ${String((body as { name?: unknown })?.name)}`,
    fields: { name },
    reply: ChangedFiles,
    codes: ['CONFLICT', 'INVALID_INPUT'],
    async change(tx, { body }) {
      await addFilesConnector(tx, body);
      return { name: body.name };
    },
  }),
  operatorChange('setFilesProfile', {
    ...WORDS,
    ...TWO,
    ...ONE,
    route: 'POST /file-connectors/:name/profile',
    summary: 'Set the profile of a connector by files',
    description:
      'Says which accounts and rails the bank has, in which formats and until when. It is checked and replaced as a whole.',
    fields: {
      profile: masked(
        'none',
        Type.String({ minLength: 2, maxLength: PROFILE_MAX, description: 'The profile as JSON, in a text.' }),
      ),
    },
    reply: ChangedFiles,
    codes: ['NOT_FOUND', 'CONFLICT', 'INVALID_INPUT'],
    async change(tx, { params, body }) {
      await setProfile(tx, { ...params, reason: body.reason, profile: parseProfile(body.profile) });
      return { name: params.name };
    },
  }),
  operatorChange('adoptBankFiles', {
    ...WORDS,
    ...TWO,
    ...ONE,
    route: 'POST /file-connectors/:name/adopt',
    summary: 'Adopt the files in the archive',
    description:
      'After a backup was restored: files that the archive has count as written, so that no order goes to the bank again. ' +
      'The connector resumes then.',
    reply: ChangedFiles,
    codes: ['NOT_FOUND', 'CONFLICT'],
    async change(tx, { params, body }) {
      await adoptFiles(tx, { ...params, reason: body.reason });
      return { name: params.name };
    },
  }),
  operatorChange('resendBankFile', {
    ...WORDS,
    ...TWO,
    route: 'POST /bank-file-batches/:batch/resend',
    summary: 'Write a file again',
    description: 'Writes the same bytes under the same name. A bank may carry out a file that it gets twice.',
    params: { batch: { text: 'The id of the batch.' } },
    reply: ChangedBatch,
    codes: ['NOT_FOUND', 'CONFLICT'],
    async change(tx, { params, body }) {
      const batch = await resendFile(tx, { batch: needId(params.batch), reason: body.reason });
      return { batch: batch.id, file: batch.name ?? '' };
    },
  }),
  operatorChange('closeBankFile', {
    ...WORDS,
    roles: ['finance', 'treasury'],
    route: 'POST /bank-files/:file/close',
    summary: 'Close a file in quarantine',
    description: 'Says that somebody has seen why the file was not taken. Its sealed copy stays.',
    params: { file: { text: 'The id of the file.' } },
    reply: ClosedFile,
    codes: ['NOT_FOUND', 'CONFLICT'],
    async change(tx, { params, body }) {
      const file = needId(params.file);
      await closeQuarantined(tx, { file, reason: body.reason });
      return { file };
    },
  }),
];

function parseProfile(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidFields([{ field: 'profile', message: 'is not JSON' }]);
  }
}

function needId(text: string): string {
  const id = asUuid(text);
  if (id === undefined) throw new Refusal('NOT_FOUND', 'There is nothing with this id.');
  return id;
}
