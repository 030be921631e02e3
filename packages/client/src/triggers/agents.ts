import { euroAccount, GOOD_IBAN, newPayer, quoteRequest } from './payments.ts';
import type { Recipes } from './scene.ts';

export const AGENT_ACTIONS: Recipes<'AGENT_ACTION'> = {
  'AGENT_ACTION.PENDING_APPROVAL': {
    how: 'an agent orders a payment that needs your approval',
    async act(scene) {
      const { corridor, name, asAgent, asVisitor } = scene;
      const { customerId, dollars } = await newPayer(scene);
      const { deviceCode } = await corridor.createAgent({
        name,
        customerId,
        policy: {
          permissions: ['MANAGE_EXTERNAL_ACCOUNTS', 'CREATE_QUOTES', 'EXECUTE_QUOTES'],
          defaultExecutionMode: 'APPROVAL_REQUIRED',
          spendingLimits: { currency: 'USD', perTransactionLimit: 10_000 },
        },
      });
      const { accessToken } = await asVisitor().redeemAgentDeviceCode(deviceCode.code);
      const agent = asAgent(accessToken);
      const receiver = await agent.agentCreateExternalAccount(euroAccount(GOOD_IBAN));
      const quote = await agent.agentCreateQuote(quoteRequest(dollars, receiver.id));
      return (await agent.agentExecuteQuote(quote.id)).id;
    },
  },
};
