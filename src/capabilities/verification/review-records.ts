import Type from 'typebox';
import { pagePendingCustomers } from '#capabilities/customers/lifecycle/list-store.ts';
import { sniffImage } from '#capabilities/documents/sniff-image.ts';
import { openDocument, showPacket } from '#capabilities/verification/show-packet.ts';
import { findOpenVerifications } from '#capabilities/verification/store.ts';
import type { OperatorCaller } from '#foundation/http/caller.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { Reply } from '#foundation/http/idempotency/reply.ts';
import { component } from '#foundation/http/schema.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { shown } from '#foundation/records/fields.ts';
import { filterBy } from '#foundation/records/filters.ts';
import { recordList } from '#foundation/records/record-list.ts';
import { recordRead } from '#foundation/records/record-read.ts';

const AREA = 'Reviews';

export const REVIEW_LIST = recordList({
  name: 'reviews',
  area: AREA,
  summary: 'Customers who wait for a decision',
  filters: { status: filterBy.status(['PENDING', 'HOLD']) },
  item: Type.Object({
    customer: shown.id('Customer', 'The customer.'),
    type: shown.code('Whether it is a person or a business.'),
    status: shown.code('The status of the identity check.'),
    since: shown.time('Since when the customer waits.'),
    verification: shown.id('Verification', 'The verification. Null: the customer was created into review.'),
    verificationStatus: shown.code('Its status.'),
  }),
  async page(tx, request, { status }) {
    const found = await pagePendingCustomers(tx, request, status);
    const open = await findOpenVerifications(
      tx,
      found.data.map(({ id }) => id),
    );
    const byCustomer = new Map(open.map((row) => [row.customer_id, row]));
    const data = found.data.map((row) => {
      const verification = byCustomer.get(row.id);
      return {
        customer: publicId('Customer', row.id),
        ...{ type: row.customer_type, status: row.status, since: row.created_at },
        verification: verification ? publicId('Verification', verification.id) : null,
        verificationStatus: verification?.status ?? null,
      };
    });
    return { ...found, data };
  },
});

const Packet = component(
  'ReviewPacket',
  'Everything that a customer submitted, in clear: fields, owners, documents, and the problems found in them.',
  {},
  { additionalProperties: true },
);

const openReview = operation('openReview', {
  route: 'GET /reviews/:id',
  area: AREA,
  summary: 'Read everything that a customer submitted, in clear',
  description: 'Reviewers decide by it, so nothing is masked. It is recorded who looked.',
  access: 'operator',
  operator: { roles: ['compliance'], on: 'resource' },
  params: { id: { id: 'Customer', missing: 'CUSTOMER_NOT_FOUND', description: 'The customer.' } },
  reply: Packet,
  codes: ['CUSTOMER_NOT_FOUND'],
  async handle(work, { caller, params }) {
    const resource = publicId('Customer', params.id);
    const fact = { kind: 'PAGE', platformId: work.platform.id, resource } as const;
    await recordRead(work.runtime, caller as OperatorCaller, { ...fact, fields: ['review'] });
    const { id, environment } = work.platform;
    const packet = await work.read((tx) => showPacket(tx, params.id as CustomerId));
    return { ...packet, platform: publicId('Platform', id), environment };
  },
});

/**
 * operator.md §4.3: whatever the file claims to be, it leaves as an attachment that a browser neither shows nor runs. The type
 * of a picture is that of its first bytes, so that a page can show it as an image.
 */
const downloadDocument = operation('downloadDocument', {
  route: 'GET /documents/:id/content',
  area: AREA,
  summary: 'Download a document of a customer',
  description:
    'The file as it was uploaded, as an attachment. Pictures that begin like JPEG or PNG files have that type; all other ' +
    'files have none. Each download is recorded.',
  access: 'operator',
  operator: { roles: ['compliance'], on: 'resource' },
  params: { id: { id: 'Document', missing: 'NOT_FOUND', description: 'The document.' } },
  codes: ['NOT_FOUND'],
  async handle(work, { caller, params }) {
    const { customerId, content } = await work.read((tx) => openDocument(tx, params.id as Id<'Document'>));
    const document = publicId('Document', params.id);
    try {
      await recordRead(work.runtime, caller as OperatorCaller, {
        ...{ kind: 'DOCUMENT', platformId: work.platform.id, fields: [document] },
        resource: publicId('Customer', customerId),
      });
      const { type, ending, stream } = await sniffImage(content);
      return new Reply(200, stream as never, {
        'content-type': type,
        'content-disposition': `attachment; filename="${params.id}.${ending}"`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
        'cache-control': 'no-store',
      });
    } catch (error) {
      content.destroy();
      throw error;
    }
  },
});

export const reviewReads = [openReview, downloadDocument];
