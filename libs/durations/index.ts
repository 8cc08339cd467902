export type { DurationLine } from './default-guess.ts';
export { defaultGuess, secondsAt } from './default-guess.ts';
export { durationKind } from './duration-kind.ts';
export type { PlanEstimate } from './estimate-plan.ts';
export { estimatePlan, medianSeconds, nothingStarted } from './estimate-plan.ts';
export type { DurationModel, DurationSample, TimedSample } from './fit-durations.ts';
export { fitDurations, fitKinds, samplesPerKind } from './fit-durations.ts';
export type { PlanProgress, PlanShape, TimedAction } from './plan-shape.ts';
export { shapeOf } from './plan-shape.ts';
