import { messageOf } from '#libs/domain';
import type { HistoryReader, SourceDescription } from '#libs/history';
import {
  type Availability,
  type RpcRefusal,
  refuse,
  type StrategyInfoRequest,
  type StrategyInfoResponse,
  type StrategyRequirement,
} from '#libs/messaging';
import type { PluginRegistry, StrategyManifest } from '#libs/plugin-kit';
import { withTimeLimit } from '#libs/service-kit';

export interface DescribeStrategyDeps {
  registry: PluginRegistry;
  history: HistoryReader;
  /** Each rejects, with the reason, when that part of the cloud cannot be read now. */
  models: Record<'compute' | 'storage' | 'baremetal', () => Promise<unknown>>;
}

/** Limit for a response of a probe. A later one counts as not available. */
const probeLimitMs = 10_000;

/** Returns `strategy.info`. Checks all requirements now and concurrently. */
export async function describeStrategy(
  { strategy_name: name }: StrategyInfoRequest,
  deps: DescribeStrategyDeps,
): Promise<StrategyInfoResponse | RpcRefusal> {
  const strategy = deps.registry.strategies().find(({ manifest }) => manifest.name === name);
  if (!strategy) return refuse('strategy_not_found', `Strategy ${name} is not loaded in the decision engine`);
  const history = deps.history.forStrategy?.(name) ?? deps.history;
  const { manifest } = strategy;
  const [data, models] = await Promise.all([dataRequirements(manifest, history), modelRequirement(manifest, deps)]);
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
  if (history.describe !== undefined) return await sourceRequirements(manifest, history.describe);
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

/** Every source of the strategy in its order. Each metric under the name that the source which serves it has for it. */
async function sourceRequirements(
  { metrics }: StrategyManifest,
  describe: () => Promise<SourceDescription[]>,
): Promise<StrategyRequirement[]> {
  const described = await probe(describe);
  const sources = 'value' in described ? described.value : [];
  const state = metrics.map((metric) => {
    const offers = sources.flatMap((source) => source.metrics.filter((offer) => offer.metric === metric));
    const offer = offers.find(({ available }) => available) ?? offers[0];
    return { [offer?.realName ?? metric]: availability(offer?.available ?? false) };
  });
  const faults = sources.flatMap(({ reason }) => reason ?? []);
  const unmapped = metrics.filter(
    (metric) => !sources.some((source) => source.metrics.some((m) => m.metric === metric)),
  );
  return [
    {
      type: 'Datasource',
      state: sources.map(({ name, available }) => `${name}: ${availability(available)}`).join(', '),
      mandatory: true,
      comment: [...faults, commentOf(described)].filter((text) => text !== '').join('; '),
    },
    {
      type: 'Metrics',
      state,
      mandatory: false,
      comment: unmapped.length === 0 ? '' : `no data source has a mapping of ${unmapped.join(', ')}`,
    },
  ];
}

/**
 * All three models, as in Watcher. The comment says which of those that are not available the strategy does without.
 */
async function modelRequirement(
  manifest: StrategyManifest,
  { models }: DescribeStrategyDeps,
): Promise<StrategyRequirement> {
  const names = ['compute', 'storage', 'baremetal'] as const;
  const probes = await Promise.all(names.map((name) => probe(models[name])));
  const state = names.map((name, index) => ({ [`${name}_model`]: availability('value' in (probes[index] ?? {})) }));
  const reasons = names.flatMap((name, index) => {
    const reason = commentOf(probes[index] ?? { reason: '' });
    const use = manifest.models.includes(name) ? '' : ' (not used by this strategy)';
    return reason === '' ? [] : `${name}_model${use}: ${reason}`;
  });
  return { type: 'CDM', state, mandatory: true, comment: reasons.join('; ') };
}

type Probe<T> = { value: T } | { reason: string };

async function probe<T>(read: () => Promise<T>): Promise<Probe<T>> {
  const late = () => {
    throw new Error(`no response within ${probeLimitMs / 1000} s`);
  };
  try {
    return { value: await withTimeLimit(read(), probeLimitMs, late) };
  } catch (error) {
    return { reason: messageOf(error) };
  }
}

function commentOf(found: Probe<unknown>): string {
  return 'reason' in found ? found.reason : '';
}

function availability(isThere: boolean): Availability {
  return isThere ? 'available' : 'not available';
}
