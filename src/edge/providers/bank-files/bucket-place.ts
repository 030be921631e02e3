import { createHash } from 'node:crypto';
import type { Area, FilePlace } from '#edge/providers/bank-files/file-place.ts';
import { find, findAll, needText, readXml, textOf } from '#foundation/bank-formats/xml-reader.ts';
import type { Clock } from '#foundation/lib/clock.ts';
import {
  discardBody,
  type S3Call,
  type S3Settings,
  sendSigned,
} from '#foundation/uploads/storage/s3-client.ts';

const RETRY_AFTER_MS = [200, 1_000];

/**
 * Files as objects of a bucket. An object appears as a whole, and nothing is renamed: a file is put into `outbox` once, on
 * condition that it is not there.
 */
export function bucketPlace(settings: S3Settings, clock: Clock): FilePlace {
  const send = (call: S3Call) => sendSigned(settings, clock, RETRY_AFTER_MS, call);
  const put = async (area: Area, name: string, bytes: Buffer, headers = {}) => {
    const hash = createHash('sha256').update(bytes).digest('hex');
    const body = { length: bytes.length, hash, read: () => bytes };
    const accepted = [200, 201, 204, 412];
    const reply = await send({ method: 'PUT', name: `${area}/${name}`, headers, body, accepted });
    await discardBody(reply);
  };
  const read: FilePlace['read'] = async (area, name, bytesMax) => {
    const reply = await send({ method: 'GET', name: `${area}/${name}`, accepted: [200, 404] });
    if (reply.statusCode === 404) {
      await discardBody(reply);
      return undefined;
    }
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of reply.body) {
      chunks.push(chunk as Buffer);
      length += (chunk as Buffer).length;
      if (length > bytesMax) break;
    }
    return Buffer.concat(chunks);
  };
  return {
    read,
    list: (area, before) => listArea(settings, send, area, before),
    put: (area, name, bytes) => put(area, name, bytes),
    async remove(area, name) {
      await discardBody(await send({ method: 'DELETE', name: `${area}/${name}`, accepted: [200, 204, 404] }));
    },
    async publish(name, bytes) {
      await put('outbox', name, bytes, { 'if-none-match': '*' });
      await discardBody(await send({ method: 'DELETE', name: `staging/${name}`, accepted: [200, 204, 404] }));
    },
    async interrupted(name) {
      // Where it is absent the operator's transport may have taken it: only a person can find out.
      return (await read('outbox', name, 0)) === undefined ? 'UNCLEAR' : 'WRITTEN';
    },
  };
}

type Send = (call: S3Call) => ReturnType<typeof sendSigned>;

async function listArea({ prefix }: S3Settings, send: Send, area: Area, before?: Date): Promise<string[]> {
  const folder = `${prefix}${area}/`;
  const found: { name: string; at: string }[] = [];
  let token: string | undefined;
  do {
    const query = {
      ...{ 'list-type': '2', prefix: folder, delimiter: '/' },
      ...(token !== undefined && { 'continuation-token': token }),
    };
    const reply = await send({ method: 'GET', name: '', query, accepted: [200] });
    const bytes = Buffer.from(await reply.body.arrayBuffer());
    const { root } = readXml(bytes, { pieces: new Set(), onPiece() {} });
    for (const object of findAll(root, 'Contents')) {
      const name = needText(object, 'Key').slice(folder.length);
      if (name !== '') found.push({ name, at: textOf(object, 'LastModified') ?? '' });
    }
    token = find(root, 'NextContinuationToken')?.text.trim();
  } while (token !== undefined && token !== '');
  const isOld = ({ at }: { readonly at: string }) => before === undefined || new Date(at) < before;
  return found
    .filter(isOld)
    .toSorted((a, b) => (a.at + a.name < b.at + b.name ? -1 : 1))
    .map(({ name }) => name);
}
