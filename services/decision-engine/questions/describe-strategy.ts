import { messageOf } from '#libs/domain';
import type { HistoryReader } from '#libs/history';
import type {
  Availability,
  RpcRefusal,
  StrategyInfoAnswer,
  StrategyInfoQuestion,
  StrategyRequirement,
} from '#libs/messaging';
import type { PluginRegistry, StrategyManifest } from '#libs/plugin-kit';
import { refuse } from './refusals.ts';

export interface DescribeStrategyDeps {
  registry: PluginRegistry;
  history: HistoryReader;
  /** Each rejects, with the reason, when that part of the cloud can not be read now. */
  models: Record<'compute' | 'storage' | 'baremetal', () => Promise<unknown>>;
}

/** What is asked of must answer within this time; later counts as not available. */
const probeLimitMs = 10_000;

/** Answers `strategy.info`: every part is looked at now, all at once. */
export async function describeStrategy(
  { strategy_name: name }: StrategyInfoQuestion,
  deps: DescribeStrategyDeps,
): Promise<StrategyInfoAnswer | RpcRefusal> {
  const strategy = deps.registry.strategies().find(({ manifest }) => manifest.name === name);
  if (!strategy) return refuse('strategy_not_found', `Strategy ${name} is not loaded in the decision engine`);
  const [data, models] = await Promise.all([dataRequirements(strategy.manifest, deps.history), modelRequirement(deps)]);
  return { requirements: [...data, models] };
}

async function dataRequirements(manifest: StrategyManifest, history: HistoryReader): Promise<StrategyRequirement[]> {
  if (manifest.metrics.length === 0) {
    return [
      {
        type: 'Datasource',
        state: 'Datasource is not presented for this strategy',
        mandatory: true,
        comment: '',
      },
      { type: 'Metrics', state: [], mandatory: false, comment: '' },
    ];
  }
  const [source, listed] = await Promise.all([probe(history.probe), probe(history.listMetrics)]);
  const known = new Set<string>('value' in listed ? listed.value : []);
  const state = manifest.metrics.map((metric) => ({ [metric]: availability(known.has(metric)) }));
  return [
    {
      type: 'Datasource',
      state: `${history.name}: ${availability('value' in source)}`,
      mandatory: true,
      comment: commentOf(source),
    },
    { type: 'Metrics', state, mandatory: false, comment: commentOf(listed) },
  ];
}

async function modelRequirement({ models }: DescribeStrategyDeps): Promise<StrategyRequirement> {
  const names = ['compute', 'storage', 'baremetal'] as const;
  const probes = await Promise.all(names.map((name) => probe(models[name])));
  const state = names.map((name, index) => ({ [`${name}_model`]: availability('value' in (probes[index] ?? {})) }));
  const reasons = probes.flatMap((found, index) => ('reason' in found ? `${names[index]}_model: ${found.reason}` : []));
  return { type: 'CDM', state, mandatory: true, comment: reasons.join('; ') };
}

type Probe<T> = { value: T } | { reason: string };

async function probe<T>(look: () => Promise<T>): Promise<Probe<T>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${probeLimitMs / 1000} s`)), probeLimitMs);
  });
  try {
    return { value: await Promise.race([look(), late]) };
  } catch (error) {
    return { reason: messageOf(error) };
  } finally {
    clearTimeout(timer);
  }
}

function commentOf(found: Probe<unknown>): string {
  return 'reason' in found ? found.reason : '';
}

function availability(isThere: boolean): Availability {
  return isThere ? 'available' : 'not available';
}
