import type { Capability } from '#capabilities/capability.ts';
import { contactGate } from '#capabilities/wallet-auth/contacts/contact-gate.ts';
import { walletExpiries } from '#capabilities/wallet-auth/due-store.ts';
import { otpJobs } from '#capabilities/wallet-auth/otp/send-otp.ts';
import { walletAuthOperations } from '#capabilities/wallet-auth/routes.ts';
import { hashContact } from '#capabilities/wallet-auth/sealed-credential.ts';
import { findSigners, purgeSessions } from '#capabilities/wallet-auth/session-store.ts';
import { provisionJobs, walletReactions } from '#capabilities/wallet-auth/wallets/provision-wallets.ts';

export const walletAuth = {
  name: 'wallet-auth',
  operations: walletAuthOperations,
  jobs: provisionJobs(),
  messageJobs: otpJobs,
  dueSources: walletExpiries,
  purges: [purgeSessions],
  reactions: walletReactions,
  searchPlaces: [
    {
      ...{ type: 'InternalAccount', table: 'wallet_credentials', id: 'account_id', uuids: {} },
      operatorTexts: { walletContact: { column: 'contact_hash', hash: hashContact } },
    },
  ],
  gates: [contactGate],
  findSigners,
} satisfies Capability;
