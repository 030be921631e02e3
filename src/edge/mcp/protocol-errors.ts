import { type JSONRPCMessage, Server, type Transport } from '@modelcontextprotocol/server';

interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

/** Messages of our own handlers begin like this. */
export const OWN_WORDS = { noTool: 'There is no tool', refused: 'REFUSED:', failed: 'The service failed' };
/** The SDK's messages for internal errors. */
const FAULTS = ['Internal error', 'Internal server error'];
/** Phrases of the SDK's validator. */
const VALIDATOR =
  /expected|received|invalid[_ ](type|input|value|union)|unrecognized|too_(small|big)|"code"/i;

/** Rewrites error messages on every transport, because the SDK's quote its validator (agents.md §6.7). */
export class OwnWordsServer extends Server {
  override async connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(rewordError(message) as JSONRPCMessage, options);
    await super.connect(transport);
  }
}

/** Returns the message; an error without the validator's text. */
export function rewordError(message: unknown): unknown {
  const { error } = (message ?? {}) as { error?: RpcError };
  return typeof error?.code === 'number' ? { ...(message as object), error: rewordRpcError(error) } : message;
}

function rewordRpcError(error: RpcError): RpcError {
  const { code, message } = error;
  if (Object.values(OWN_WORDS).some((words) => message.startsWith(words)) || FAULTS.includes(message)) {
    return { code, message };
  }
  // For invalid parameters, the SDK throws the validator's message as an internal error.
  if (code === INVALID_PARAMS || code === INTERNAL_ERROR) {
    return {
      code: INVALID_PARAMS,
      message: 'The parameters do not match this method and version of the protocol.',
    };
  }
  return VALIDATOR.test([message, JSON.stringify(error.data)].join(' '))
    ? { code, message: 'This is not a message of the protocol.' }
    : error;
}
