export { type PrometheusPreset, prometheusPresetNames, usualPresets } from './presets.ts';
export { createAetosHistory, createPrometheusHistory } from './prometheus-history.ts';
export type { PrometheusMapping } from './prometheus-metric.ts';
