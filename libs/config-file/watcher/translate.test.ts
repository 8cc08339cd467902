import { describe, expect, test } from 'vitest';
import { variablesOf } from '../layers.ts';
import { parseIni } from '../parse-ini.ts';
import { translateWatcher } from './translate.ts';

/** As Kolla-Ansible's template comes out, by its public documentation and defaults. */
const kolla = `[DEFAULT]
debug = False
log_dir = /var/log/kolla/watcher
transport_url = rabbit://openstack:pw1@10.0.0.1:5672,openstack:pw1@10.0.0.2:5672,openstack:pw1@10.0.0.3:5672//

[api]
host = 10.0.0.1
port = 9322
workers = 5

[database]
connection = mysql+pymysql://watcher:pw2@10.0.0.9:3306/watcher
connection_recycle_time = 10
max_pool_size = 1
max_retries = -1

[keystone_authtoken]
service_type = infra-optim
auth_url = http://10.0.0.9:5000
auth_type = password
project_domain_id = default
user_domain_id = default
project_name = service
username = watcher
password = pw3
service_token_roles_required = True
region_name = RegionOne
cafile =
memcache_security_strategy = ENCRYPT
memcache_secret_key = pw4
memcached_servers = 10.0.0.1:11211,10.0.0.2:11211

[watcher_clients_auth]
auth_url = http://10.0.0.9:5000
auth_type = password
project_domain_id = default
user_domain_id = default
project_name = service
username = watcher
password = pw3
cafile =
auth_uri = http://10.0.0.9:5000

[oslo_policy]
policy_file = policy.yaml

[oslo_messaging_notifications]
transport_url = rabbit://openstack:pw1@10.0.0.1:5672//
driver = messagingv2
topics = notifications

[oslo_messaging_rabbit]
use_queue_manager = true
heartbeat_in_pthread = false
rabbit_quorum_queue = true

[oslo_concurrency]
lock_path = /var/lib/watcher/tmp

[cinder_client]
endpoint_type = internal
region_name = RegionOne

[glance_client]
endpoint_type = internal
region_name = RegionOne

[neutron_client]
endpoint_type = internal
region_name = RegionOne

[nova_client]
endpoint_type = internal
region_name = RegionOne

[placement_client]
interface = internal
region_name = RegionOne

[keystone_client]
interface = internal
region_name = RegionOne

[prometheus_client]
host = 10.0.0.9
port = 9091
`;

/** As the chart of OpenStack-Helm renders its values, by their public documentation. */
const helm = `[DEFAULT]
log_config_append = /etc/watcher/logging.conf
transport_url = rabbit://watcher-rabbitmq-user:pw@rabbitmq-rabbitmq-0.rabbitmq.openstack.svc.cluster.local:5672/watcher
[api]
port = 9322
[cors]
[database]
connection = mysql+pymysql://watcher:pw@mariadb.openstack.svc.cluster.local:3306/watcher
max_retries = -1
[keystone_authtoken]
auth_type = password
auth_url = http://keystone-api.openstack.svc.cluster.local:5000/v3
auth_version = v3
memcache_secret_key = pw
memcache_security_strategy = ENCRYPT
memcached_servers = memcached.openstack.svc.cluster.local:11211
password = pw
project_domain_name = service
project_name = service
region_name = RegionOne
user_domain_name = service
username = watcher
www_authenticate_uri = http://keystone-api.openstack.svc.cluster.local:5000/v3
[oslo_messaging_notifications]
driver = messagingv2
[oslo_middleware]
enable_proxy_headers_parsing = true
[oslo_policy]
policy_file = /etc/watcher/policy.yaml
[watcher_applier]
[watcher_clients_auth]
auth_type = password
auth_url = http://keystone-api.openstack.svc.cluster.local:5000/v3
password = pw
project_domain_name = service
project_name = service
user_domain_name = service
username = watcher
[watcher_decision_engine]
`;

/** As the plug-in of devstack writes it, by its public documentation. */
const devstack = `[DEFAULT]
debug = True
default_log_levels = watcher=INFO
graceful_shutdown_timeout = 5
transport_url = rabbit://stackrabbit:secret@192.168.1.5:5672/
logging_context_format_string = %(asctime)s %(name)s [%(request_id)s] %(message)s

[api]
host = 192.168.1.5
port = 9322

[database]
connection = postgresql+psycopg2://root:secret@127.0.0.1/watcher?client_encoding=utf8

[watcher_datasources]
datasources = prometheus

[prometheus_client]
host = 127.0.0.1
port = 9090

[keystone_authtoken]
interface = public
memcached_servers = localhost:11211
cafile = /opt/stack/data/ca-bundle.pem
project_domain_name = Default
project_name = service
user_domain_name = Default
password = secret
username = watcher
auth_url = http://192.168.1.5/identity
auth_type = password

[watcher_clients_auth]
interface = public
memcached_servers = localhost:11211
cafile = /opt/stack/data/ca-bundle.pem
project_domain_name = Default
project_name = service
user_domain_name = Default
password = secret
username = watcher
auth_url = http://192.168.1.5/identity
auth_type = password

[oslo_messaging_notifications]
driver = messagingv2

[oslo_policy]
enforce_scope = True
enforce_new_defaults = True

[watcher_cluster_data_model_collectors.compute]
period = 120

[watcher_strategies.basic]
datasources = gnocchi, aetos

[watcher_strategies.workload_balance]
datasources = aetos
`;

const read = (text: string) => parseIni(text, '/etc/watcher/watcher.conf').entries;
const variables = (text: string) =>
  Object.fromEntries([...variablesOf(read(text), null).values()].map(({ name, value }) => [name, value]));
const verdicts = (text: string, verdict: string) =>
  translateWatcher(read(text)).flatMap((option) =>
    option.verdict === verdict ? [`${option.entry.section}.${option.entry.key}`] : [],
  );

const login = {
  OS_AUTH_TYPE: 'password',
  OS_PROJECT_NAME: 'service',
  OS_USERNAME: 'watcher',
};

describe('files as deployments have them', () => {
  test('Kolla', () => {
    expect(variables(kolla)).toEqual({
      ...login,
      OS_AUTH_URL: 'http://10.0.0.9:5000/v3',
      OS_PASSWORD: 'pw3',
      OS_USER_DOMAIN_ID: 'default',
      OS_PROJECT_DOMAIN_ID: 'default',
      OS_REGION_NAME: 'RegionOne',
      OS_INTERFACE: 'internal',
      OS_CACERT: '',
      VIGIL_AMQP_URL: 'amqp://openstack:pw1@10.0.0.1:5672/%2F',
      VIGIL_AMQP_NODES: '10.0.0.2:5672,10.0.0.3:5672',
      VIGIL_HOST: '10.0.0.1',
      // As oslo.policy finds it: beside the file that names it.
      VIGIL_POLICY_FILE: '/etc/watcher/policy.yaml',
      VIGIL_POLICY_FILE_REQUIRED: 'false',
      VIGIL_PORT: '9322',
      VIGIL_PROMETHEUS_URL: 'http://10.0.0.9:9091',
    });
    expect(verdicts(kolla, 'unknown')).toEqual([]);
    expect(verdicts(kolla, 'to do')).toEqual(['database.connection']);
  });

  test('OpenStack-Helm', () => {
    expect(variables(helm)).toEqual({
      ...login,
      OS_AUTH_URL: 'http://keystone-api.openstack.svc.cluster.local:5000/v3',
      OS_PASSWORD: 'pw',
      OS_USER_DOMAIN_NAME: 'service',
      OS_PROJECT_DOMAIN_NAME: 'service',
      OS_REGION_NAME: 'RegionOne',
      VIGIL_AMQP_URL:
        'amqp://watcher-rabbitmq-user:pw@rabbitmq-rabbitmq-0.rabbitmq.openstack.svc.cluster.local:5672/watcher',
      VIGIL_ENABLE_PROXY_HEADERS: 'true',
      VIGIL_POLICY_FILE: '/etc/watcher/policy.yaml',
      VIGIL_POLICY_FILE_REQUIRED: 'false',
      VIGIL_PORT: '9322',
      VIGIL_WWW_AUTHENTICATE_URI: 'http://keystone-api.openstack.svc.cluster.local:5000/v3',
    });
    expect(verdicts(helm, 'unknown')).toEqual([]);
    expect(verdicts(helm, 'to do')).toEqual(['database.connection']);
  });

  test('devstack', () => {
    expect(variables(devstack)).toEqual({
      ...login,
      OS_AUTH_URL: 'http://192.168.1.5/identity/v3',
      OS_PASSWORD: 'secret',
      OS_USER_DOMAIN_NAME: 'Default',
      OS_PROJECT_DOMAIN_NAME: 'Default',
      OS_CACERT: '/opt/stack/data/ca-bundle.pem',
      VIGIL_AMQP_URL: 'amqp://stackrabbit:secret@192.168.1.5:5672/%2F',
      VIGIL_DATABASE_URL: 'postgres://root:secret@127.0.0.1/watcher',
      VIGIL_DATASOURCES: 'prometheus',
      VIGIL_HOST: '192.168.1.5',
      VIGIL_LOG_LEVEL: 'debug',
      VIGIL_MODEL_PERIOD_SECONDS: '120',
      VIGIL_PORT: '9322',
      VIGIL_PROMETHEUS_URL: 'http://127.0.0.1:9090',
      VIGIL_STRATEGY_DATASOURCES: 'basic=gnocchi|aetos,workload_balance=aetos',
    });
    expect(verdicts(devstack, 'unknown')).toEqual([]);
    expect(verdicts(devstack, 'to do')).toEqual([]);
  });
});

test('an empty level of notifications means none, as deployments of RHOSO write it', () => {
  expect(variables('[DEFAULT]\nnotification_level =\n')).toEqual({ VIGIL_NOTIFICATION_LEVEL: 'none' });
  expect(variables('[DEFAULT]\nnotification_level = INFO\n')).toEqual({ VIGIL_NOTIFICATION_LEVEL: 'info' });
});

test('a misspelt key is reported with the nearest name', () => {
  const [host, section] = translateWatcher(read('[api]\nhots = a\n[watcher_aplier]\nworkers = 2\n'));
  expect([host?.verdict, host?.note]).toEqual(['unknown', 'Watcher has no such option; host?']);
  expect(section?.note).toBe('there is no section [watcher_aplier]; [watcher_applier]?');
});

test('clients of the cloud without a separate login have that of the tokens', () => {
  const text =
    '[keystone_authtoken]\nauth_url = http://k:5000/v3\nuser-name = a\npassword = $$1$unset\ninsecure = true\n';
  expect(variables(text)).toEqual({ OS_AUTH_URL: 'http://k:5000/v3', OS_USERNAME: 'a', OS_PASSWORD: '$1$unset' });
  expect(verdicts(text, 'to do')).toEqual(['keystone_authtoken.password', 'keystone_authtoken.insecure']);
});

test('brokers with TLS, and other URLs than those of RabbitMQ', () => {
  const tls =
    '[DEFAULT]\ntransport_url = rabbit://u:p%40@h:5671/v?ssl=1\n[oslo_messaging_rabbit]\nssl_ca_file = /ca.pem\n';
  expect(variables(tls)).toEqual({ VIGIL_AMQP_URL: 'amqps://u:p%40@h:5671/v?cacertfile=%2Fca.pem' });
  expect(verdicts('[DEFAULT]\ntransport_url = kafka://h:9092/\n', 'to do')).toEqual(['DEFAULT.transport_url']);
});
