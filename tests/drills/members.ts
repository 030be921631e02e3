import { cardDrill } from '#tests/drills/card-drill.ts';
import { chainDrill } from '#tests/drills/chain-drill.ts';
import { clockDrill } from '#tests/drills/clock-drill.ts';
import { coinDrill } from '#tests/drills/coin-drill.ts';
import { connectorDrill } from '#tests/drills/connector-drill.ts';
import { depositDrill } from '#tests/drills/deposit-drill.ts';
import { erasureDrill } from '#tests/drills/erasure-drill.ts';
import { failoverDrill } from '#tests/drills/failover-drill.ts';
import { fileKillDrill } from '#tests/drills/file-kill-drill.ts';
import type { Drill } from '#tests/drills/frame/drill.ts';
import { hostileDrill } from '#tests/drills/hostile-drill.ts';
import { importDrill } from '#tests/drills/import-drill.ts';
import { mixDrill } from '#tests/drills/mix-drill.ts';
import { modelDrill } from '#tests/drills/model-drill.ts';
import { monthDrill } from '#tests/drills/month-drill.ts';
import { paymentDrill } from '#tests/drills/payment-drill.ts';
import { processDrill } from '#tests/drills/process-drill.ts';
import { proposalDrill } from '#tests/drills/proposal-drill.ts';
import { restoreDrill } from '#tests/drills/restore-drill.ts';
import { simulatorDrill } from '#tests/drills/simulator-drill.ts';
import { soakDrill } from '#tests/drills/soak-drill.ts';
import { webhookDrill } from '#tests/drills/webhook-drill.ts';

/** In the order in which `all` runs them. */
export const DRILLS: readonly Drill[] = [
  depositDrill,
  paymentDrill,
  cardDrill,
  coinDrill,
  mixDrill,
  failoverDrill,
  processDrill,
  proposalDrill,
  clockDrill,
  webhookDrill,
  importDrill,
  restoreDrill,
  hostileDrill,
  soakDrill,
  chainDrill,
  erasureDrill,
  connectorDrill,
  fileKillDrill,
  monthDrill,
  simulatorDrill,
  modelDrill,
];
