import type { FastifyRequest } from 'fastify';
import { FILE_MAX_BYTES } from '#documents/rules.ts';
import { badFormat, isStorable } from '#http/body.ts';
import type { Intake } from '#http/intake.ts';
import { partsOf } from '#http/multipart.ts';
import type { Upload } from '#http/uploads.ts';
import { blocksOf, countOwners, PEOPLE_MAX, type PostedForm } from '#onboarding/form/values.ts';

/** Every place for a file counts as one here, also if it was left empty. */
const LIMITS = { fileSize: FILE_MAX_BYTES, fieldSize: 8_192, fieldNameSize: 200, parts: 2_000, files: 200 };
const FILES_MAX = 60;
const FILE_FIELD = /^(owners\.\d{1,3}\.)?documents\.\d{1,3}\.file$/;

export interface ReadForm {
  readonly form: PostedForm;
  readonly action: 'submit' | 'save' | 'addOwner';
}

/** Reads the page's multipart form to its end; files go to the intake as they arrive. */
export async function readForm(request: FastifyRequest, intake: Intake): Promise<ReadForm> {
  if (!request.isMultipart()) throw badFormat('The form must be sent as multipart/form-data.');
  const fields = new Map<string, string[]>();
  const files = new Map<string, Upload>();
  const unreadable = () => badFormat('The form did not arrive whole.');
  for await (const part of partsOf(request, LIMITS, unreadable)) {
    if (part.type === 'file') {
      const { fieldname, filename = '', mimetype, file } = part;
      // A file input that was left empty is sent without a name.
      if (filename === '' || !isStorable(filename) || !FILE_FIELD.test(fieldname) || files.has(fieldname)) {
        file.resume();
        continue;
      }
      if (files.size === FILES_MAX) throw badFormat('The form brings too many files.');
      const wasTruncated = () => file.truncated === true;
      const content = { fieldName: fieldname, fileName: filename, mediaType: mimetype, content: file };
      files.set(fieldname, await intake.receive({ ...content, wasTruncated }));
    } else {
      const text = typeof part.value === 'string' ? part.value.trim() : '';
      if (part.valueTruncated || !isStorable(text) || !isStorable(part.fieldname)) {
        throw badFormat('A field of the form is too long or holds characters that cannot be kept.');
      }
      const texts = fields.get(part.fieldname);
      if (texts) texts.push(text);
      else fields.set(part.fieldname, [text]);
    }
  }
  // The page never asks for more; each costs several trips to the database and a large part of the next page.
  if (countOwners([...fields.keys(), ...files.keys()]) > PEOPLE_MAX)
    throw badFormat('The form names too many people.');
  const action = fields.get('action')?.at(-1);
  return {
    form: blocksOf(fields, files),
    action: action === 'save' || action === 'addOwner' ? action : 'submit',
  };
}
