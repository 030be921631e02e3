import type { Actor, Runtime } from '#database/tx.ts';
import { Work } from '#database/work.ts';
import { discardUnkept, type FilePart, receiveUpload, type Upload } from '#http/uploads.ts';
import type { Platform } from '#lib/platform.ts';

/** The files of one request: stored as they arrive, and gone with it unless something kept them. */
export class Intake {
  readonly #work: Work;
  readonly #uploads: Upload[] = [];

  /** Work of its own: an Idempotency-Key stands for the request's effect, not for the arrival of a file. */
  constructor(runtime: Runtime, platform: Platform, actor: Actor) {
    this.#work = new Work(runtime, platform, actor);
  }

  async receive(part: FilePart): Promise<Upload> {
    const upload = await receiveUpload(this.#work, part);
    this.#uploads.push(upload);
    return upload;
  }

  /** The request is answered already: what cannot be let go of now is found by the sweep. */
  async end(): Promise<void> {
    await discardUnkept(this.#work, this.#uploads).catch(() => undefined);
  }
}
