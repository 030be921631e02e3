import { ACCOUNT_TOOLS } from '#edge/mcp/account-tools.ts';
import { PAYMENT_TOOLS } from '#edge/mcp/payment-tools.ts';
import type { Tool } from '#edge/mcp/tool.ts';

/** All tools, in the order in which a model reads them. */
export const TOOLS: readonly Tool[] = [...ACCOUNT_TOOLS, ...PAYMENT_TOOLS];
