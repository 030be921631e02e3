import type { CounterpartiesPort } from '#ports/counterparties.ts';
import type { RailNotice } from '#ports/payments.ts';
import { answerWith, sandboxHash, sandboxRails } from '#sandbox/rails.ts';
import { type IncomingStage, RECEIVER_INFORMATION, receiverOf, senderOf } from '#sandbox/uma-table.ts';

/** Plays every provider of UMA addresses: names at its own domains stand for outcomes, others are out of reach. */
export function sandboxCounterparties(sandboxUmaDomains: readonly string[]): CounterpartiesPort {
  return {
    lookUp: async ({ address }) => receiverOf(address, sandboxUmaDomains).lookUp,
    async requestPayment({ address }) {
      if (!receiverOf(address).takesPayRequests) return { kind: 'UNREACHABLE' };
      return { kind: 'AGREED', counterpartyInformation: RECEIVER_INFORMATION };
    },
    async acceptOffer({ senderAddress, reference }) {
      const stages = senderOf(senderAddress).incoming ?? [];
      return answerWith(stages.map((stage) => stageOf(stage, reference)));
    },
    // What is still to come travels in the token, as with the rails.
    followOffer: sandboxRails.follow,
  };
}

function stageOf({ afterMs, notices }: IncomingStage, reference: string) {
  return { afterMs, notices: notices.map((kind) => noticeOf(kind, reference)) };
}

function noticeOf(kind: IncomingStage['notices'][number], reference: string): RailNotice {
  return kind === 'arrived' || kind === 'released'
    ? { kind, transactionHash: sandboxHash(reference, undefined) }
    : { kind };
}
