import type { VigilClient } from '#libs/client';

/** Collaborators of the commands. */
export interface CliContext {
  env: Readonly<Record<string, string | undefined>>;
  /** Standard output, for results. */
  out: (text: string) => void;
  /** Standard error, for progress. */
  err: (text: string) => void;
  /** Whether standard error is a terminal, where a progress bar can be drawn. */
  isTerminal: boolean;
  /** Width of the terminal that tables have to fit in, in characters. Without one they are as wide as they need. */
  columns?: number;
  /** The time of the server as soon as it has answered, before that of this machine. In milliseconds since 1970. */
  now(): number;
  /** Told the time of the server with each of its responses, in milliseconds since 1970. */
  onServerTime?(millis: number): void;
  /** Pause between two polls while waiting, in milliseconds. */
  pollMs: number;
  /** Aborted, with an InterruptedError, when the command is told to stop. */
  signal?: AbortSignal;
  /**
   * Address and login of a `vigil up` that runs here, for a command line that names no API. Null when there is none.
   */
  findStack?(): Readonly<Record<string, string>> | null;
  /** The API client for the global options of the command line. */
  client(globals: GlobalOptions): VigilClient;
}

/** Options before the command. Each has an environment variable. */
export interface GlobalOptions {
  url?: string;
  apiVersion?: string;
  timeout?: string;
  osAuthUrl?: string;
  osUsername?: string;
  osPassword?: string;
  osProjectName?: string;
  osUserDomainName?: string;
  osProjectDomainName?: string;
  osRegionName?: string;
  osInterface?: string;
  osToken?: string;
  osCloud?: string;
  osCacert?: string;
  insecure?: boolean;
}
