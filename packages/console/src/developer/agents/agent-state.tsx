import type { Agent } from '@corridor/client';
import { Status } from '../../ui/status.tsx';

export function AgentState({ agent: { isPaused, isConnected } }: { agent: Agent }) {
  if (isPaused) return <Status value="PAUSED" kind="wait" />;
  return <Status value={isConnected ? 'CONNECTED' : 'NOT_CONNECTED'} kind={isConnected ? 'good' : 'calm'} />;
}
