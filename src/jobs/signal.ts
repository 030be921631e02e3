/** Lets a loop wait for news or, at the latest, for a while. News that comes while nobody waits is kept. */
export class Signal {
  #raised = false;
  #resume: (() => void) | undefined;

  raise(): void {
    this.#raised = true;
    this.#resume?.();
  }

  async wait(atMostMs: number): Promise<void> {
    if (!this.#raised) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, atMostMs);
        this.#resume = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#resume = undefined;
    }
    this.#raised = false;
  }
}
