/** Keeps values by an id that is never used again, outside of the process. It may lose any of them. Never throws. */
export interface ValueCache {
  /** Null when it is not there or the cache cannot be asked. */
  get(id: string): Promise<string | null>;
  /** False when it was not kept. */
  set(id: string, text: string, seconds: number): Promise<boolean>;
  close(): void;
}
