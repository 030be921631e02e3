import assert from 'node:assert/strict';
import { crc32, deflateSync } from 'node:zlib';
import {
  BUSINESS_PAPERS,
  documentFields,
  documentForm,
  givenBusiness,
  givenOwner,
  submitted,
} from '#tests/given/packets.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';

/** The end of a registration number by which the sandbox leaves the decision to a person. */
const TO_REVIEW = 'REG-001';

/** A business that waits for a decision, with a picture among its papers. Returns its id. */
export async function givenReview(platform: TestPlatform): Promise<string> {
  const { id } = await givenBusiness(platform, TO_REVIEW);
  for (const [at, type] of BUSINESS_PAPERS.entries()) {
    const file = at === 0 ? { name: 'paper.png', type: 'image/png', content: picture(480, 320) } : {};
    const made = await platform.call('uploadDocument', {
      body: documentForm(documentFields(id, type), file),
    });
    assert.equal(made.status, 201, made.raw);
  }
  await givenOwner(platform, id);
  const { verificationStatus } = await submitted(platform, id);
  assert.equal(verificationStatus, 'IN_PROGRESS');
  return id;
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** A PNG of one grey, which a browser shows. */
export function picture(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits of grey for each pixel; no filter, no interlacing.
  header.set([8, 0, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.of(0), Buffer.alloc(width, 0xc8)]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const parts = [chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from(SIGNATURE), ...parts]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}
