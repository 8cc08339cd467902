import { resolve } from 'node:path';
import { brokerVariables, postgresUrl, prometheusUrl } from './addresses.ts';
import { authToken, clientsAuth } from './auth-options.ts';
import { entries, type GroupRules, isTrue, notNeeded, type OptionRule, renamed, withoutBlanks } from './rule.ts';

const ownLogs = notNeeded('logs are JSON lines on standard error; systemd or the container runtime keeps them');
const pooled = notNeeded('Vigil has its own pools and time limits');
const ownQueues = notNeeded('Vigil has its own queues, time limits and retries');
const oneSession = notNeeded('one login serves all services of the cloud');

const listOf = (variable: string): OptionRule => ({ variables: (value) => ({ [variable]: withoutBlanks(value) }) });
const region = renamed('OS_REGION_NAME');
const endpoint: OptionRule = {
  variables: (value) => ({ OS_INTERFACE: (withoutBlanks(value).split(',')[0] ?? '').replace(/URL$/, '') }),
};

/** Sections of services of the cloud, with the type by which an endpoint is overridden. */
function service(type: string, more: GroupRules = {}): GroupRules {
  const override: GroupRules = {
    endpoint_override: renamed(`OS_${type.toUpperCase().replaceAll('-', '_')}_ENDPOINT_OVERRIDE`),
  };
  return {
    ...Object.fromEntries(Object.keys(clientsAuth).map((name) => [name, oneSession])),
    api_version: notNeeded('the newest microversion that both sides know is used'),
    region_name: region,
    endpoint_type: endpoint,
    interface: endpoint,
    valid_interfaces: endpoint,
    auth_section: oneSession,
    service_type: oneSession,
    service_name: oneSession,
    http_retries: pooled,
    http_retry_interval: pooled,
    ...override,
    ...more,
  };
}

const weights: OptionRule = {
  variables: (value) => ({ VIGIL_WEIGHT_PLANNER_WEIGHTS: entries(value, ':') }),
};

/** A number of polls, which times their interval in `[nova]` is a time limit in seconds. */
function retries(variable: string, interval: string, defaultSeconds: number): OptionRule {
  return {
    variables: (value, request) => ({
      [variable]: String(Math.max(1, Math.round(Number(value) * Number(request('nova', interval) ?? defaultSeconds)))),
    }),
    note: 'times the interval, in seconds',
  };
}

/** An interval without its number of polls, which is Watcher's default. */
function interval(variable: string, maxRetries: string, defaultRetries: number): OptionRule {
  return {
    variables: (value, request) => ({
      [variable]: String(
        Math.max(1, Math.round(Number(value) * Number(request('nova', maxRetries) ?? defaultRetries))),
      ),
    }),
    note: 'times the number of retries, in seconds',
  };
}

const migration: GroupRules = {
  migration_interval: renamed('VIGIL_MIGRATION_POLL_SECONDS'),
  migration_max_retries: retries('VIGIL_MIGRATION_TIMEOUT_SECONDS', 'migration_interval', 5),
  delete_max_retries: retries('VIGIL_DELETE_TIMEOUT_SECONDS', 'delete_interval', 1),
  delete_interval: interval('VIGIL_DELETE_TIMEOUT_SECONDS', 'delete_max_retries', 15),
  shelve_max_retries: retries('VIGIL_SHELVE_TIMEOUT_SECONDS', 'shelve_interval', 1),
  shelve_interval: interval('VIGIL_SHELVE_TIMEOUT_SECONDS', 'shelve_max_retries', 15),
};

const labels: GroupRules = {
  fqdn_label: renamed('VIGIL_PROMETHEUS_FQDN_LABEL'),
  instance_uuid_label: renamed('VIGIL_PROMETHEUS_INSTANCE_LABEL'),
};

const period: GroupRules = { period: renamed('VIGIL_MODEL_PERIOD_SECONDS') };

/** Options of Watcher (2023.1 to 2026.1) by section. `vigil config import` reports the texts. */
export const watcherOptions: Readonly<Record<string, GroupRules>> = {
  DEFAULT: {
    debug: { variables: (value): Record<string, string> => (isTrue(value) ? { VIGIL_LOG_LEVEL: 'debug' } : {}) },
    host: renamed('VIGIL_HOST_ID'),
    notification_level: {
      // Watcher sends none when it is empty.
      variables: (value) => ({ VIGIL_NOTIFICATION_LEVEL: value.trim().toLowerCase() || 'none' }),
    },
    transport_url: {
      variables: (value, request) => brokerVariables(value, request) ?? {},
      note: 'exchanges and queues of Vigil start with VIGIL_AMQP_PREFIX; it can share the virtual host',
    },
    control_exchange: ownQueues,
    rpc_response_timeout: ownQueues,
    rpc_conn_pool_size: ownQueues,
    executor_thread_pool_size: ownQueues,
    enable_authentication: {
      variables: (value): Record<string, string> => (isTrue(value) ? {} : { VIGIL_AUTH: 'none' }),
      note: 'without authentication the API listens on loopback only',
    },
    service_down_time: notNeeded('a service counts as lost after 90 s without a heartbeat, as in Watcher'),
    periodic_interval: notNeeded('background tasks have their own schedules: vigil tasks schedules'),
    my_ip: notNeeded('only other options refer to it'),
    ...Object.fromEntries(
      [
        'log_file',
        'log_dir',
        'log_config_append',
        'logfile',
        'logdir',
        'log_config',
        'log_date_format',
        'log_format',
        'use_syslog',
        'use_journal',
        'use_json',
        'use_stderr',
        'use_eventlog',
        'syslog_log_facility',
        'watch_log_file',
        'log_rotation_type',
        'log_rotate_interval',
        'max_logfile_count',
        'max_logfile_size_mb',
        'default_log_levels',
        'publish_errors',
        'logging_context_format_string',
        'logging_default_format_string',
        'logging_debug_format_suffix',
        'logging_exception_prefix',
        'logging_user_identity_format',
        'instance_format',
        'instance_uuid_format',
        'rate_limit_interval',
        'rate_limit_burst',
        'fatal_deprecations',
        'color',
      ].map((name) => [name, ownLogs]),
    ),
    ...Object.fromEntries(
      [
        'pybasedir',
        'bindir',
        'state_path',
        'config_file',
        'config_dir',
        'fatal_exception_format_errors',
        'rpc_backend',
        'notification_driver',
        'api_paste_config',
        'backdoor_port',
        'backdoor_socket',
        'graceful_shutdown_timeout',
        'log_options',
        'run_external_periodic_tasks',
      ].map((name) => [name, notNeeded('belongs to the Python program')]),
    ),
  },
  api: {
    host: renamed('VIGIL_HOST'),
    port: renamed('VIGIL_PORT'),
    max_limit: renamed('VIGIL_API_MAX_LIMIT'),
    enable_webhooks_auth: renamed('VIGIL_ENABLE_WEBHOOKS_AUTH'),
    workers: notNeeded('one process serves; run several behind a load balancer where one is not enough'),
    enable_ssl_api: {
      toDo: (value) => (isTrue(value) ? 'put a proxy with TLS before the API and set [vigil] public_url' : null),
    },
  },
  ssl: Object.fromEntries(
    ['cert_file', 'key_file', 'ca_file', 'version', 'ciphers'].map((name) => [
      name,
      notNeeded('a proxy with TLS stands before the API'),
    ]),
  ),
  database: {
    connection: databaseRule(),
    sql_connection: databaseRule(),
    ...Object.fromEntries(
      [
        'slave_connection',
        'backend',
        'max_retries',
        'retry_interval',
        'max_pool_size',
        'min_pool_size',
        'max_overflow',
        'pool_timeout',
        'connection_recycle_time',
        'idle_timeout',
        'db_max_retries',
        'db_retry_interval',
        'db_inc_retry_interval',
        'db_max_retry_interval',
        'connection_debug',
        'connection_trace',
        'mysql_sql_mode',
        'mysql_engine',
        'sqlite_synchronous',
        'use_db_reconnect',
        'connection_parameters',
        'mysql_wsrep_sync_wait',
        'synchronous_reader',
      ].map((name) => [name, pooled]),
    ),
  },
  keystone_authtoken: authToken,
  watcher_clients_auth: clientsAuth,
  nova: service('compute', migration),
  nova_client: service('compute', migration),
  placement: service('placement'),
  placement_client: service('placement'),
  cinder: service('block-storage'),
  cinder_client: service('block-storage'),
  glance: service('image'),
  glance_client: service('image'),
  neutron_client: service('network'),
  keystone: service('identity'),
  keystone_client: service('identity'),
  ironic: service('baremetal'),
  ironic_client: service('baremetal'),
  gnocchi: service('metric'),
  gnocchi_client: service('metric'),
  aetos_client: { ...service('metric-storage'), ...labels },
  prometheus_client: {
    host: {
      variables: (value, request) => ({ VIGIL_PROMETHEUS_URL: prometheusUrl(value, request) }),
      note: 'with port and login',
    },
    port: notNeeded('part of VIGIL_PROMETHEUS_URL'),
    username: notNeeded('part of VIGIL_PROMETHEUS_URL'),
    password: notNeeded('part of VIGIL_PROMETHEUS_URL'),
    cafile: renamed('VIGIL_PROMETHEUS_CA_PATH'),
    certfile: renamed('VIGIL_PROMETHEUS_CERT_PATH'),
    keyfile: renamed('VIGIL_PROMETHEUS_KEY_PATH'),
    ...labels,
  },
  grafana_client: unsupportedSource('Grafana', [
    'token',
    'base_url',
    'project_id_map',
    'database_map',
    'attribute_map',
    'translator_map',
    'query_map',
    'retention_periods',
    'http_timeout',
  ]),
  monasca_client: unsupportedSource('Monasca', ['api_version', 'interface', 'region_name']),
  ceilometer_client: unsupportedSource('Ceilometer', ['api_version', 'endpoint_type', 'region_name']),
  maas_client: {
    url: { toDo: () => 'MaaS is not supported: Vigil switches nodes through Ironic' },
    api_key: notNeeded('MaaS is not supported'),
    timeout: notNeeded('MaaS is not supported'),
  },
  watcher_datasources: {
    datasources: {
      variables: (value) => ({
        VIGIL_DATASOURCES: withoutBlanks(value)
          .split(',')
          .filter((name) => !['grafana', 'monasca', 'ceilometer'].includes(name))
          .join(','),
      }),
    },
    query_max_retries: pooled,
    query_interval: pooled,
    query_timeout: pooled,
  },
  watcher_decision_engine: {
    max_audit_workers: renamed('VIGIL_AUDIT_WORKERS'),
    max_general_workers: renamed('VIGIL_COLLECTOR_CONCURRENCY'),
    action_plan_expiry: renamed('VIGIL_ACTION_PLAN_EXPIRY_HOURS'),
    print_thread_pool_stats: notNeeded('metrics of the pools are at /metrics'),
    metric_map_path: renamed('VIGIL_METRIC_MAP_PATH'),
    check_periodic_interval: notNeeded('plans expire by a background task: vigil tasks schedules'),
    continuous_audit_interval: renamed('VIGIL_AUDIT_POLL_SECONDS'),
    notification_topics: notNeeded(
      'models are collected when an audit needs them; to follow notifications set VIGIL_NOVA_NOTIFICATIONS_URL and VIGIL_CINDER_NOTIFICATIONS_URL',
    ),
    conductor_topic: ownQueues,
    publisher_id: ownQueues,
    status_topic: ownQueues,
  },
  watcher_applier: {
    workers: renamed('VIGIL_APPLIER_WORKERS'),
    workflow_engine: notNeeded('there is one workflow engine'),
    rollback_when_actionplan_failed: {
      toDo: (value) => (isTrue(value) ? 'say it for each plan: vigil actionplan start --on-failure rollback' : null),
    },
    conductor_topic: ownQueues,
    publisher_id: ownQueues,
    status_topic: ownQueues,
  },
  'watcher_workflow_engines.taskflow': {
    max_workers: renamed('VIGIL_APPLIER_MAX_ACTIONS_PER_PLAN'),
    action_execution_rule: { variables: (value) => ({ VIGIL_APPLIER_EXECUTION_RULES: entries(value, '=') }) },
  },
  watcher_planner: { planner: notNeeded('each strategy names its planner, as in Watcher') },
  'watcher_planners.weight': {
    weights,
    parallelization: { variables: (value) => ({ VIGIL_WEIGHT_PLANNER_PARALLELIZATION: entries(value, ':') }) },
  },
  'watcher_planners.workload_stabilization': { weights: notNeeded('the weights of that planner are fixed') },
  'watcher_planners.node_resource_consolidation': {},
  'watcher_cluster_data_model_collectors.compute': period,
  'watcher_cluster_data_model_collectors.storage': {
    period: notNeeded('the storage model is collected with the compute model'),
  },
  'watcher_cluster_data_model_collectors.baremetal': {
    period: notNeeded('the bare metal model is collected when an audit needs it'),
  },
  compute_model: { enable_extended_attributes: notNeeded('extended attributes are always read') },
  collector: {
    collector_plugins: notNeeded('models are collected where a strategy needs them'),
    compute_resources_collector_timeout: notNeeded('each request to the cloud has a time limit'),
    api_query_max_retries: pooled,
    api_call_retries: pooled,
    api_query_interval: pooled,
    api_query_timeout: pooled,
  },
  oslo_messaging_notifications: {
    driver: {
      variables: (value): Record<string, string> => (/noop|^$/.test(value) ? { VIGIL_NOTIFICATION_LEVEL: 'none' } : {}),
      note: 'notifications go to the exchange watcher of VIGIL_AMQP_URL in the format messagingv2',
    },
    topics: notNeeded('the topic is notifications'),
    transport_url: notNeeded('notifications go to VIGIL_AMQP_URL'),
    retry: ownQueues,
  },
  oslo_policy: {
    // As oslo.config searches for it.
    policy_file: {
      variables: (value, _ask, folder) => ({
        VIGIL_POLICY_FILE: folder === null ? value : resolve(folder, value),
        VIGIL_POLICY_FILE_REQUIRED: 'false',
      }),
      note: 'the default rules are used while it does not exist, as in Watcher',
    },
    enforce_scope: notNeeded('the default rules are those of Watcher'),
    enforce_new_defaults: notNeeded('the default rules are those of Watcher'),
    policy_default_rule: notNeeded('a rule that is missing is refused'),
    policy_dirs: { toDo: () => 'bring the rules into one file: [vigil] policy_file' },
  },
  oslo_middleware: {
    enable_proxy_headers_parsing: renamed('VIGIL_ENABLE_PROXY_HEADERS'),
    max_request_body_size: notNeeded('bodies of requests are limited to 1 MiB'),
  },
  cors: {
    allowed_origin: listOf('VIGIL_CORS_ALLOWED_ORIGIN'),
    ...Object.fromEntries(
      ['allow_credentials', 'expose_headers', 'max_age', 'allow_methods', 'allow_headers'].map((name) => [
        name,
        notNeeded('the API serves all that it offers'),
      ]),
    ),
  },
};

/** Sections of libraries that Watcher uses. None of their options is of use. */
export const foreignSections: Readonly<Record<string, string>> = {
  oslo_messaging_rabbit:
    'Vigil has its own queues, time limits and retries; ssl and ssl_ca_file go into VIGIL_AMQP_URL',
  oslo_messaging_kafka: 'Kafka is not supported: RabbitMQ, or without one the database',
  oslo_messaging_amqp: 'AMQP 1.0 is not supported: RabbitMQ, or without one the database',
  oslo_messaging_metrics: '/metrics of every process has them',
  oslo_concurrency: 'locks are in the database',
  oslo_reports: 'vigil service status reports the state of a process',
  healthcheck: 'GET /healthcheck is always on',
  profiler: 'osprofiler is not supported',
  audit_middleware_notifications: 'VIGIL_NOTIFICATION_AUDIT_LOG publishes the audit log as CADF events',
  paste_deploy: 'belongs to the Python program',
};

function databaseRule(): OptionRule {
  return {
    variables: (value): Record<string, string> => {
      const url = postgresUrl(value);
      return url === null ? {} : { VIGIL_DATABASE_URL: url };
    },
    note: 'has to be an empty database, or one of Vigil; tables of Watcher are taken over by vigil db import',
  };
}

function unsupportedSource(name: string, options: readonly string[]): GroupRules {
  const rule = notNeeded(
    `${name} is not a data source of Vigil: Gnocchi, Aetos, Prometheus, InfluxDB, or the database`,
  );
  return Object.fromEntries(options.map((option) => [option, rule]));
}
