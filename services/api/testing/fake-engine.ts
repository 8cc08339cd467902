import type { JsonObject } from '#libs/domain';
import type { MessageBus } from '#libs/messaging';

/** What a decision engine answers on each topic; a function may look at the question. */
export type EngineAnswers = Record<string, object | ((question: JsonObject) => object)>;

const node = (name: string): JsonObject => ({
  node_uuid: `uuid-of-${name}`,
  node_hostname: name,
  node_status: 'enabled',
  node_disabled_reason: null,
  node_state: 'up',
  node_memory: 32768,
  node_memory_mb_reserved: 512,
  node_disk: 500,
  node_disk_gb_reserved: 0,
  node_vcpus: 16,
  node_vcpu_reserved: 0,
  node_memory_ratio: 1.5,
  node_vcpu_ratio: 16,
  node_disk_ratio: 1,
  node_secret: 'not for clients',
});
const server = (uuid: string): JsonObject => ({
  server_uuid: uuid,
  server_watcher_exclude: false,
  server_name: `vm-${uuid}`,
  server_state: 'active',
  server_memory: 1024,
  server_disk: 20,
  server_vcpus: 2,
  server_metadata: { a: 'b' },
  server_project_id: 'p',
  server_locked: false,
  server_pinned_az: null,
  server_flavor_extra_specs: { 'hw:cpu_policy': 'shared' },
  server_host: 'not for clients',
});

/** Two hosts, the first with one server `s1`. */
export const smallModel: JsonObject[] = [{ ...node('h1'), ...server('s1') }, node('h2')];

const preview = {
  strategy: 'dummy',
  parameters: { para1: 3.2, para2: 'hello' },
  model_taken_at: '2026-01-01T00:00:00.000Z',
  actions: [],
  indicators: [],
  global_efficacy: [],
  report: { strategy: 'dummy', modelAgeSeconds: 1, timingsMs: { model: 1 } },
  hosts: [],
};

/** Answers of an engine that knows `smallModel` and has nothing to propose. */
export const usualAnswers: EngineAnswers = {
  'model.get': { context: smallModel },
  'strategy.info': {
    requirements: [
      { type: 'Datasource', state: 'influxdb: available', mandatory: true, comment: '' },
      { type: 'Metrics', state: [{ host_cpu_usage: 'available' }], mandatory: false, comment: '' },
      {
        type: 'CDM',
        state: [
          { compute_model: 'available' },
          { storage_model: 'not available' },
          { baremetal_model: 'not available' },
        ],
        mandatory: true,
        comment: '',
      },
    ],
  },
  'audit.preview': preview,
  'audit.compare': {
    results: [preview, { strategy: 'free', error: { code: 'strategy_failed', message: 'no metrics' } }],
  },
};

/** The decision engine as the API's bus sees it; `asked` collects the questions. */
export function createFakeEngine(answers: EngineAnswers = usualAnswers): Pick<MessageBus, 'request'> & {
  asked: { topic: string; question: JsonObject }[];
} {
  const asked: { topic: string; question: JsonObject }[] = [];
  return {
    asked,
    async request(topic, question) {
      asked.push({ topic, question });
      const answer = answers[topic];
      if (answer === undefined) throw new Error(`nobody answers ${topic}`);
      return (typeof answer === 'function' ? answer(question) : answer) as JsonObject;
    },
  };
}
