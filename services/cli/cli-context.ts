import type { VigilClient, WhatIf, WhatIfRequest } from '#libs/client';

/** Collaborators of the commands. */
export interface CliContext {
  env: Readonly<Record<string, string | undefined>>;
  /** Standard output, for results. */
  out: (text: string) => void;
  /** Standard error, for progress. */
  err: (text: string) => void;
  /** Whether standard error is a terminal, where a progress bar can be drawn. */
  isTerminal: boolean;
  /** Width of the terminal on standard output, in characters. Undefined: the output goes to a file or program. */
  columns?: number;
  /** Set by `--quiet`, `--verbose` and `--debug` before a command runs. */
  verbosity: Verbosity;
  /** Server time in milliseconds since 1970. Before the first response: the local time. */
  now(): number;
  /** Called with the server time of each response, in milliseconds since 1970. */
  onServerTime?(millis: number): void;
  /** Pause between two polls while waiting, in milliseconds. */
  pollMs: number;
  /** Aborted with an InterruptedError when the command has to stop. */
  signal?: AbortSignal;
  /** Address and login of a local `vigil up`, for a command line that names no API. Null when none runs. */
  findStack?(report: (line: string) => void): Readonly<Record<string, string>> | null;
  /** Computes a what-if question on a world file in this process. Absent where only the API is known. */
  worldWhatIf?(file: string, question: WhatIfRequest, signal?: AbortSignal): Promise<WhatIf>;
  /**
   * Assesses the strategies of a plugin in this process, with its progress on standard error. Absent where only the API
   * is known.
   * @throws UsageError when plugin, parameters or worlds cannot be used
   */
  assessPlugin?(plugin: string, worlds: AssessedWorlds, settings: AssessmentSettings): Promise<PluginAssessment>;
  /** The API client for the global options of the command line. */
  client(globals: GlobalOptions): VigilClient;
}

/** Worlds of `plugin assess`. */
export interface AssessedWorlds {
  files: readonly string[];
  random: number;
  seed: number;
}

/** Settings of `plugin assess`. */
export interface AssessmentSettings {
  strategy?: string;
  parameters?: Record<string, unknown>;
  timeLimitSeconds: number;
  days: boolean;
}

/** The part of an assessment that is printed as text. */
export interface PluginAssessment {
  strategies: {
    strategy: string;
    goal: string;
    good: boolean;
    properties: {
      property: string;
      verdict: 'holds' | 'broken' | 'not_assessed';
      summary: string;
      findings: { what: string; action: string | null; world: string; worlds: number; reproduce: string }[];
    }[];
    measures: { worlds: number; runs: number; actions: number };
    days: { day: string; audits: number; moves: number; returns: number }[];
  }[];
}

/** Messages on standard error. */
export interface Verbosity {
  /**
   * `quiet`: warnings and errors. `normal`: progress and hints too. `verbose`: each request. `debug`: also bodies of
   * requests and responses, and the origin of an error.
   */
  level: 'quiet' | 'normal' | 'verbose' | 'debug';
}

/** Prints progress and hints on standard error, unless the command runs with `--quiet`. */
export function note({ err, verbosity }: Pick<CliContext, 'err' | 'verbosity'>, text: string): void {
  if (verbosity.level !== 'quiet') err(text);
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
  debug?: boolean;
  verbose?: boolean;
  quiet?: boolean;
}
