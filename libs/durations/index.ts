export type { DurationKind } from './duration-kind.ts';
export { durationKind } from './duration-kind.ts';
export type { EstimateSource, PlanEstimate, PlanProgress, SecondsRange } from './estimate-plan.ts';
export { estimatePlan, medianSeconds, nothingStarted } from './estimate-plan.ts';
export type { DurationModel, DurationSample } from './fit-durations.ts';
export { fitDurations } from './fit-durations.ts';
export type { PlanShape, TimedAction } from './plan-shape.ts';
export { shapeOf } from './plan-shape.ts';
