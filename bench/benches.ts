/** A bench: takes the arguments after its name. */
type Bench = (args: string[]) => Promise<void>;

/** All benches by name. Each is loaded on demand. */
export const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  api: async () => (await import('./api.ts')).apiBench,
  day: async () => (await import('./day.ts')).dayBench,
  balance: async () => (await import('./balance.ts')).balanceBench,
  consolidation: async () => (await import('./consolidation.ts')).consolidationBench,
  dashboard: async () => (await import('./dashboard.ts')).dashboardBench,
  applier: async () => (await import('./applier.ts')).applierBench,
  fragments: async () => (await import('./fragments.ts')).fragmentsBench,
  model: async () => (await import('./model.ts')).modelBench,
  objectives: async () => (await import('./objectives.ts')).objectivesBench,
  quality: async () => (await import('./quality.ts')).qualityBench,
  plan: async () => (await import('./plan.ts')).planBench,
  strategies: async () => (await import('./strategies.ts')).strategiesBench,
  roadef: async () => (await import('./roadef.ts')).roadefBench,
  scale: async () => (await import('./scale.ts')).scaleBench,
  watch: async () => (await import('./watch.ts')).watchBench,
  worlds: async () => (await import('./worlds.ts')).worldsBench,
  strategy: async () => (await import('./strategy.ts')).strategyBench,
};
