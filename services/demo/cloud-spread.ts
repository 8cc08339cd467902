import { OperatorError } from '#libs/domain';

/** CPU load of the hosts of the simulated cloud at one moment, in percent. */
export interface CloudSpread {
  mean: number;
  stddev: number;
  min: number;
  max: number;
  /** Host name → CPU in percent. */
  hosts: Map<string, number>;
}

interface SimulatorState {
  cpu_spread: { mean: number; stddev: number; min: number; max: number };
  hosts: { name: string; cpu_percent: number }[];
}

const timeLimitMs = 10_000;

/** Hosts as the simulator knows them: the true values behind the metrics. */
export async function readSpread(cloudUrl: string): Promise<CloudSpread> {
  const response = await fetch(`${cloudUrl}/simulator/state`, { signal: AbortSignal.timeout(timeLimitMs) });
  if (!response.ok) throw new OperatorError(`the simulated cloud returned ${response.status}`);
  const { cpu_spread: spread, hosts } = (await response.json()) as SimulatorState;
  return { ...spread, hosts: new Map(hosts.map((host) => [host.name, host.cpu_percent])) };
}

/** The mean of several samples, one every half second, to reduce noise. */
export async function averageSpread(cloudUrl: string, reads: number): Promise<CloudSpread> {
  const seen: CloudSpread[] = [];
  for (let read = 0; read < reads; read += 1) {
    if (read > 0) await new Promise((resolve) => setTimeout(resolve, 500));
    seen.push(await readSpread(cloudUrl));
  }
  const names = [...seen[0]!.hosts.keys()];
  const hosts = new Map(names.map((name) => [name, meanOf(seen.map((spread) => spread.hosts.get(name) ?? 0))]));
  const loads = [...hosts.values()];
  const mean = meanOf(loads);
  const stddev = Math.sqrt(meanOf(loads.map((load) => (load - mean) ** 2)));
  return { mean, stddev, min: Math.min(...loads), max: Math.max(...loads), hosts };
}

function meanOf(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
