/** What readiness checks are about. */
const checkNames: Readonly<Record<string, string>> = {
  identity: 'Service token of Keystone',
  keystone: 'Keystone',
  gate: 'Admission of requests',
  start: 'Start-up of the API',
  postgresql: 'PostgreSQL',
  store: 'Database schema and queries',
  outbox: 'Messages to the other processes',
  history: 'Metric history',
  bus: 'Message bus',
  rabbitmq: 'RabbitMQ',
  influxdb: 'InfluxDB',
  nova: 'Nova',
  placement: 'Placement',
  cinder: 'Cinder',
};

/** What a readiness check is about; a check that is not known here is called by its own name. */
export function checkName(check: string): string {
  return checkNames[check] ?? check;
}
