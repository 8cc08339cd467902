/** Kinds of what-if questions. */
export const whatIfQuestions = ['lose', 'add', 'remove', 'place', 'ratio', 'move'] as const;

/** Kinds of losses. A rack is an aggregate with `rack` in its name, or with that value of the metadata `rack`. */
export const whatIfLosses = ['host', 'rack', 'zone'] as const;
export type WhatIfLoss = (typeof whatIfLosses)[number];

/** Resources whose allocation ratios a question may change. */
export const whatIfRatios = ['cpu', 'memory', 'disk'] as const;

/** Results: whether it fits. */
export const whatIfVerdicts = ['fits', 'does_not_fit', 'unknown'] as const;

/** Limits of what-if questions. */
export const whatIfLimits = {
  /** Names in a question. */
  names: 1000,
  /** Hosts to add. */
  added: 1000,
  /** Instances to place. */
  placed: 10_000,
  /** Instances to move. */
  moved: 1000,
  /** Allocation ratios. */
  ratio: { least: 0.01, most: 1000 },
} as const;
