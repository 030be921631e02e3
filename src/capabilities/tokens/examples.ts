import type { ApiToken } from '#capabilities/tokens/schemas.ts';
import { EXAMPLE_IDS, EXAMPLE_TIME } from '#foundation/lib/examples.ts';

export const TOKEN_REQUEST = {
  name: 'Payroll backend',
  permissions: ['VIEW', 'TRANSACT'],
} satisfies Partial<ApiToken>;

export const TOKEN: ApiToken = {
  id: EXAMPLE_IDS.token,
  ...TOKEN_REQUEST,
  clientId: '920edc6b995c38448d7c0081c2ed32bd',
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
};

/** A made-up secret that no token has. */
export const CLIENT_SECRET = '2d7193bdb74421225bdd07d576fdc7fee8a40659e7081294b1864146b0cf8fb8';
