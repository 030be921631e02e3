import { type JSONRPCMessage, Server, type Transport } from '@modelcontextprotocol/server';

/** An error of JSON-RPC, as a reply carries it. */
interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

/** What our own handlers say begins like this. */
export const OWN_WORDS = { noTool: 'There is no tool', refused: 'REFUSED:', failed: 'The service failed' };
/** The SDK's words for faults inside. */
const FAULTS = ['Internal error', 'Internal server error'];
/** How a validator talks of what it found. */
const VALIDATOR =
  /expected|received|invalid[_ ](type|input|value|union)|unrecognized|too_(small|big)|"code"/i;

/** A server whose errors are in our own words over every transport: the SDK's quote its validator (C.6.7). */
export class OwnWordsServer extends Server {
  override async connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(inOwnWords(message) as JSONRPCMessage, options);
    await super.connect(transport);
  }
}

/** The same message, where it is an error without what a validator says in it. */
export function inOwnWords(message: unknown): unknown {
  const { error } = (message ?? {}) as { error?: RpcError };
  return typeof error?.code === 'number' ? { ...(message as object), error: reworded(error) } : message;
}

function reworded(error: RpcError): RpcError {
  const { code, message } = error;
  if (Object.values(OWN_WORDS).some((words) => message.startsWith(words)) || FAULTS.includes(message)) {
    return { code, message };
  }
  // Where parameters do not fit, the SDK throws what its validator says, and calls it an internal error.
  if (code === INVALID_PARAMS || code === INTERNAL_ERROR) {
    return {
      code: INVALID_PARAMS,
      message: 'The parameters are not those that the protocol has for this method and version.',
    };
  }
  return VALIDATOR.test(`${message} ${JSON.stringify(error.data ?? '')}`)
    ? { code, message: 'This is not a message of the protocol.' }
    : error;
}
