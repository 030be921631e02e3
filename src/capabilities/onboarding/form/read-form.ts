import type { FastifyRequest } from 'fastify';
import { FILE_MAX_BYTES } from '#capabilities/documents/rules.ts';
import {
  countOwners,
  PEOPLE_MAX,
  type PostedForm,
  parseBlocks,
} from '#capabilities/onboarding/form/values.ts';
import { badFormat } from '#foundation/http/read/body.ts';
import { readParts } from '#foundation/http/read/multipart.ts';
import { isStorable } from '#foundation/lib/storable.ts';
import type { FilePart, RequestUploads, Upload } from '#foundation/uploads/uploads.ts';

const LIMITS = { parts: 2_000, fieldBytes: 8_192, fileBytes: FILE_MAX_BYTES };
const FILES_MAX = 60;
const FILE_FIELD = /^(owners\.\d{1,3}\.)?documents\.\d{1,3}\.file$/;

export interface ReadForm {
  readonly form: PostedForm;
  readonly action: 'submit' | 'save' | 'addOwner';
  /** Everything that was sent; its hash detects a repeated form. */
  readonly content: unknown;
}

/** Reads the page's multipart form to its end; files go into storage as they arrive. */
export async function readOnboardingForm(
  request: FastifyRequest,
  uploads: RequestUploads,
): Promise<ReadForm> {
  const fields = new Map<string, string[]>();
  const files = new Map<string, Upload>();
  for await (const part of readParts(request, LIMITS, isFileField)) {
    const { fieldName } = part;
    if ('content' in part) {
      const file = files.has(fieldName) ? undefined : await dropEmptyFile(part);
      if (!file) continue;
      if (files.size === FILES_MAX) throw badFormat('The form contains too many files.');
      files.set(fieldName, await uploads.receive(file));
    } else {
      const text = part.text.trim();
      if (part.isTruncated || !isStorable(text) || !isStorable(fieldName)) {
        throw badFormat('A field of the form is too long or contains characters that cannot be stored.');
      }
      const texts = fields.get(fieldName);
      if (texts) texts.push(text);
      else fields.set(fieldName, [text]);
    }
  }
  // The page never has more people. Each one costs several round trips to the database and takes up a large part of
  // the next page.
  if (countOwners([...fields.keys(), ...files.keys()]) > PEOPLE_MAX)
    throw badFormat('The form names too many people.');
  const action = fields.get('action')?.at(-1);
  return {
    form: parseBlocks(fields, files),
    action: action === 'save' || action === 'addOwner' ? action : 'submit',
    content: {
      fields: [...fields],
      files: [...files].map(([name, { fileName, mediaType, hash }]) => [name, fileName, mediaType, hash]),
    },
  };
}

function isFileField(name: string): boolean {
  return FILE_FIELD.test(name);
}

/** Browsers send an empty file input as a nameless file without content. */
async function dropEmptyFile(part: FilePart): Promise<FilePart | undefined> {
  if (!isFileField(part.fieldName) || !isStorable(part.fileName)) return undefined;
  if (part.fileName !== '') return part;
  const pieces = part.content[Symbol.asyncIterator]();
  const first = await pieces.next();
  return first.done ? undefined : { ...part, content: startingWith(first.value, pieces) };
}

async function* startingWith(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* { [Symbol.asyncIterator]: () => rest };
}
