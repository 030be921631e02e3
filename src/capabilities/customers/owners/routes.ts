import {
  BABBAGE,
  BABBAGE_REQUEST,
  BABBAGE_UPDATE,
  BABBAGE_UPDATED,
} from '#capabilities/customers/examples.ts';
import {
  BeneficialOwner,
  BeneficialOwnerCreateRequest,
  BeneficialOwnerPage,
  BeneficialOwnerQuery,
  BeneficialOwnerUpdateRequest,
} from '#capabilities/customers/owner-schemas.ts';
import { findOwner, openOwners, ownerPage, type StoredOwner } from '#capabilities/customers/owner-store.ts';
import { createOwner } from '#capabilities/customers/owners/create-owner.ts';
import { updateOwner } from '#capabilities/customers/owners/update-owner.ts';
import { presentOwner } from '#capabilities/customers/present-owner.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { keysetPage, pageRequest } from '#foundation/http/paging.ts';
import { exampleList } from '#foundation/lib/examples.ts';
import { notFound } from '#foundation/lib/refusals.ts';

const area = 'KYC/KYB Verifications';
const params = {
  beneficialOwnerId: { id: 'BeneficialOwner', missing: 'NOT_FOUND' },
} as const;

const createBeneficialOwner = operation('createBeneficialOwner', {
  route: 'POST /beneficial-owners',
  area,
  summary: 'Add an owner to a business',
  description:
    'Adds a person who owns or controls a business. Before you submit the business, add every person who owns a ' +
    'quarter or more of it and at least one person who controls it. Owners outside the United States need identity ' +
    'documents: upload them with the owner as `documentHolder`.',
  access: 'manage',
  body: BeneficialOwnerCreateRequest,
  checksBody: true,
  reply: BeneficialOwner,
  status: 201,
  codes: ['CUSTOMER_NOT_FOUND'],
  examples: { 'An owner who directs the business': { body: BABBAGE_REQUEST, reply: BABBAGE } },
  write: (tx, input) => createOwner(tx, input),
});

const listBeneficialOwners = operation('listBeneficialOwners', {
  route: 'GET /beneficial-owners',
  area,
  summary: 'List the owners of a business',
  description: 'Newest first.',
  access: 'view',
  query: BeneficialOwnerQuery,
  reply: BeneficialOwnerPage,
  codes: [],
  examples: {
    'Owners of a business': { query: { customerId: BABBAGE.customerId }, reply: exampleList(BABBAGE) },
  },
  async read(tx, { query }) {
    const request = pageRequest('listBeneficialOwners', query);
    const found = await keysetPage(tx, request, ownerPage(tx, query.customerId), (row: StoredOwner) => row);
    const owners = await openOwners(tx, found.data);
    return { ...found, data: owners.map((row) => presentOwner(tx.vault, row)) };
  },
});

const getBeneficialOwner = operation('getBeneficialOwner', {
  route: 'GET /beneficial-owners/:beneficialOwnerId',
  area,
  summary: 'Read an owner',
  description: 'Returns the owner with the full identification number.',
  access: 'view',
  params,
  reply: BeneficialOwner,
  codes: ['NOT_FOUND'],
  examples: { 'An owner': { params: { beneficialOwnerId: BABBAGE.id }, reply: BABBAGE } },
  async read(tx, { params: { beneficialOwnerId } }) {
    const row = await findOwner(tx, beneficialOwnerId);
    return row ? presentOwner(tx.vault, row) : notFound('NOT_FOUND', 'BeneficialOwner');
  },
});

const updateBeneficialOwner = operation('updateBeneficialOwner', {
  route: 'PATCH /beneficial-owners/:beneficialOwnerId',
  area,
  summary: 'Change an owner',
  description:
    'Fields of `personalInfo` are merged one by one; `address` and `roles` are replaced entirely. The status does ' +
    'not change.',
  access: 'manage',
  params,
  body: BeneficialOwnerUpdateRequest,
  checksBody: true,
  reply: BeneficialOwner,
  codes: ['NOT_FOUND'],
  examples: {
    'A new share and e-mail address': {
      params: { beneficialOwnerId: BABBAGE.id },
      body: BABBAGE_UPDATE,
      reply: BABBAGE_UPDATED,
    },
  },
  write: (tx, input) => updateOwner(tx, input.params.beneficialOwnerId, input),
});

export const beneficialOwnerOperations = [
  createBeneficialOwner,
  listBeneficialOwners,
  getBeneficialOwner,
  updateBeneficialOwner,
];
