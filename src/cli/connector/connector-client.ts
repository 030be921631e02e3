import { randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import {
  ANSWER_MAX_BYTES,
  type AnswerOf,
  CALL_TIMEOUT_MS,
  CALLS,
  type CallName,
  pathOf,
} from '#foundation/connector-protocol/calls.ts';
import { type Answer, type RawAnswer, readAnswer } from '#foundation/connector-protocol/read-answer.ts';
import {
  type ConnectorKey,
  type HeaderNames,
  signRequest,
  verifyAnswer,
} from '#foundation/connector-protocol/signing.ts';
import { systemClock } from '#foundation/lib/clock.ts';
import type { ClientCertificate } from '#foundation/outbound/client-certificate.ts';

export interface Sending {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly key?: ConnectorKey;
}

/** A call and what came of it. */
export interface Exchange<Body = unknown> {
  /** `PUT /orders/0190a5d2-…` and the body, for people. */
  readonly request: string;
  readonly answer: Answer<Body>;
}

/** Bytes that were sent, and their headers; what came is not yet verified. */
export interface RawExchange {
  readonly request: string;
  readonly requestId: string;
  readonly raw: RawAnswer | { readonly error: string };
}

export interface RawSending {
  readonly method: string;
  readonly path: string;
  readonly body?: Buffer;
  /** Changes the headers of the signed request. */
  readonly change?: (headers: Record<string, string>) => Record<string, string | undefined>;
  readonly key?: ConnectorKey;
  readonly at?: Date;
}

/** Makes calls as Corridor does. */
export class ConnectorClient {
  readonly #url: string;
  readonly #keys: readonly [ConnectorKey, ...ConnectorKey[]];
  readonly #names: HeaderNames;
  readonly #agent: Agent;

  constructor(
    url: string,
    keys: readonly [ConnectorKey, ...ConnectorKey[]],
    names: HeaderNames,
    shown?: ClientCertificate | undefined,
  ) {
    // A connection of its own for each call: the connector may be restarted in between.
    this.#agent = new Agent({
      pipelining: 0,
      ...(shown && { connect: { cert: shown.certificate, key: shown.privateKey } }),
    });
    this.#url = url.replace(/\/+$/, '');
    this.#keys = keys;
    this.#names = names;
  }

  get keys(): readonly ConnectorKey[] {
    return this.#keys;
  }

  get names(): HeaderNames {
    return this.#names;
  }

  async call<N extends CallName>(name: N, sending: Sending = {}): Promise<Exchange<AnswerOf<N>>> {
    const { parameters, query, body, key } = sending;
    const sent = await this.send({
      method: CALLS[name].method,
      path: pathOf(name, parameters, query),
      ...(body !== undefined && {
        body: Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)),
      }),
      ...(key !== undefined && { key }),
    });
    return { request: sent.request, answer: this.read(name, sent) };
  }

  /** Reads an answer as Corridor does: what is not signed and understood is silence. */
  read<N extends CallName>(name: N, { raw, requestId }: RawExchange): Answer<AnswerOf<N>> {
    if ('error' in raw) return { kind: 'silence', why: raw.error };
    return readAnswer(name, raw, {
      keys: this.#keys,
      requestId,
      names: this.#names,
      now: new Date(systemClock.now()),
    });
  }

  /** The fault of the signature of an answer, or of its store. */
  verify({ raw, requestId }: RawExchange): { store: string } | { problem: string } {
    if ('error' in raw) return { problem: raw.error };
    return verifyAnswer(this.#keys, { ...raw, requestId }, this.#names, new Date(systemClock.now()));
  }

  async send(sending: RawSending): Promise<RawExchange> {
    const { method, path, body = Buffer.alloc(0), change = (headers) => headers } = sending;
    const { key = this.#keys[0], at = new Date(systemClock.now()) } = sending;
    const requestId = randomUUID();
    const signed = signRequest(key, { method, path, body, requestId, at }, this.#names);
    const headers = Object.entries(change(signed)).filter(
      (header): header is [string, string] => header[1] !== undefined,
    );
    const shown = body.length === 0 ? '' : ` ${body.subarray(0, SHOWN_MAX).toString('utf8')}`;
    const described = `${method} ${path}${shown}${body.length > SHOWN_MAX ? '…' : ''}`;
    return {
      request: described,
      requestId,
      raw: await this.#exchange(method, path, Object.fromEntries(headers), body),
    };
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #exchange(
    method: string,
    path: string,
    headers: Record<string, string>,
    body: Buffer,
  ): Promise<RawAnswer | { error: string }> {
    try {
      const answer = await request(`${this.#url}${path}`, {
        dispatcher: this.#agent,
        method: method as 'GET',
        headers: body.length === 0 ? headers : { ...headers, 'content-type': 'application/json' },
        body: body.length === 0 ? null : body,
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      });
      const bytes = Buffer.from(await answer.body.arrayBuffer());
      if (bytes.length > ANSWER_MAX_BYTES) return { error: 'the answer has more than 4 MiB' };
      return { status: answer.statusCode, headers: answer.headers, body: bytes };
    } catch (error) {
      return { error: `no answer: ${(error as Error).message || (error as { code?: string }).code}` };
    }
  }
}

/** Characters of a body that a message shows. */
const SHOWN_MAX = 1_000;
