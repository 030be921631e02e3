import { answerWith, sandboxHash, sandboxRails } from '#edge/sandbox/rails/rails.ts';
import {
  type IncomingStage,
  RECEIVER_INFORMATION,
  umaReceiver,
  umaSender,
} from '#edge/sandbox/rails/uma-table.ts';
import type { CounterpartiesPort } from '#foundation/ports/counterparties.ts';
import type { RailNotice } from '#foundation/ports/payments.ts';

/** Simulates all UMA providers: names at the sandbox's domains select outcomes; other domains are unreachable. */
export function sandboxCounterparties(sandboxUmaDomains: readonly string[]): CounterpartiesPort {
  return {
    lookUp: async ({ address }) => umaReceiver(address, sandboxUmaDomains).lookUp,
    async requestPayment({ address }) {
      if (!umaReceiver(address).takesPayRequests) return { kind: 'UNREACHABLE' };
      return { kind: 'AGREED', counterpartyInformation: RECEIVER_INFORMATION };
    },
    async acceptOffer({ senderAddress, reference }) {
      const stages = umaSender(senderAddress).incoming ?? [];
      return answerWith(stages.map((stage) => railStage(stage, reference)));
    },
    // The remaining stages travel in the token, as with the rails.
    followOffer: sandboxRails.follow,
  };
}

function railStage({ afterMs, notices }: IncomingStage, reference: string) {
  return { afterMs, notices: notices.map((kind) => incomingNotice(kind, reference)) };
}

function incomingNotice(kind: IncomingStage['notices'][number], reference: string): RailNotice {
  return kind === 'arrived' || kind === 'released'
    ? { kind, transactionHash: sandboxHash(reference, undefined) }
    : { kind };
}
