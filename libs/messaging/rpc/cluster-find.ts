import type { InstanceSummary } from './cluster-host.ts';
import type { ClusterSummaryQuestion, LoadMeasurement } from './cluster-summary.ts';
import type { RpcTopic } from './rpc-topic.ts';

/** Kinds of things that can be looked for. */
export const foundKinds = ['host', 'instance', 'project', 'flavor'] as const;
export type FoundKind = (typeof foundKinds)[number];

/** `cluster.find`: what of the cloud has a text in its name, or an id that begins with it. */
export interface ClusterFindQuestion {
  /** Case does not count; empty: the first by name. */
  text: string;
  kinds: FoundKind[];
  /** Of each kind at most; 1 to 100. */
  limit: number;
}

/** One that was found. */
export interface Found {
  kind: FoundKind;
  /** Host name, uuid of an instance, id of a project, name of a flavor. */
  id: string;
  /** As people know it; of a project its id. */
  name: string;
  /** Host of an instance; null for others, and while it is on none. */
  host: string | null;
  /** Instances on a host, of a project or of a flavor; null for an instance. */
  instances: number | null;
}

/** Best first: names that are the text, then those that begin with it. */
export interface ClusterFindAnswer {
  taken_at: string;
  found: Found[];
  /** Others that fit too. */
  more: number;
}

/** Refusals: `model_not_available`, `invalid_input`. */
export const clusterFind: RpcTopic<ClusterFindQuestion, ClusterFindAnswer> = {
  topic: 'cluster.find',
  timeoutMs: 30_000,
};

/** `cluster.instance`: one instance with its host. */
export interface ClusterInstanceQuestion extends ClusterSummaryQuestion {
  uuid: string;
}

/** One instance, as of the model. */
export interface ClusterInstanceAnswer {
  taken_at: string;
  age_seconds: number;
  load: LoadMeasurement;
  instance: InstanceSummary & {
    /** Host of the compute service; null while it is on none. */
    hostname: string | null;
    /** Name that its flavor had when it was made or resized; null when that is not known. */
    flavor: string | null;
    /** Zone that it must stay in; null when it is free. */
    pinned_zone: string | null;
    /** Policy of its server group; null when it is in none. */
    group_policy: string | null;
    /** Names of the operator's enabled rules that are about it. */
    rules: string[];
  };
}

/** Refusals: `instance_not_found`, `model_not_available`, `invalid_input`. */
export const clusterInstance: RpcTopic<ClusterInstanceQuestion, ClusterInstanceAnswer> = {
  topic: 'cluster.instance',
  timeoutMs: 60_000,
};

/** `cluster.rules`: what the operator's rules, also those that are not enforced, are about now. No arguments. */
export type ClusterRulesQuestion = Record<string, never>;

/** An instance that is not where a rule wants it. */
export interface MisplacedInstance {
  uuid: string;
  name: string;
  hostname: string | null;
}

/** Scope and violations of one rule at this moment. */
export interface RuleEffectAnswer {
  uuid: string;
  /** Instances that it is about. */
  instances: number;
  /** Hosts that it names; null when it is not about hosts. */
  hosts: number | null;
  /** Instances that are not where it wants them, and the first of them. */
  misplaced: number;
  examples: MisplacedInstance[];
}

/** Effects by name of the rule. */
export interface ClusterRulesAnswer {
  taken_at: string;
  rules: RuleEffectAnswer[];
}

/** Refusals: `model_not_available`. */
export const clusterRules: RpcTopic<ClusterRulesQuestion, ClusterRulesAnswer> = {
  topic: 'cluster.rules',
  timeoutMs: 30_000,
};
