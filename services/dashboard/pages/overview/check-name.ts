import { text } from '../../texts/texts.ts';

/** Subjects of readiness checks. */
const checkNames = (): Readonly<Record<string, string>> => ({
  identity: text('check.token'),
  keystone: 'Keystone',
  gate: text('check.admission'),
  start: text('check.startUp'),
  postgresql: 'PostgreSQL',
  store: text('check.schema'),
  outbox: text('check.messages'),
  history: text('check.history'),
  bus: text('check.bus'),
  rabbitmq: 'RabbitMQ',
  influxdb: 'InfluxDB',
  nova: 'Nova',
  placement: 'Placement',
  cinder: 'Cinder',
});

/** Subject of a readiness check. Unknown checks keep their names. */
export function checkName(check: string): string {
  return checkNames()[check] ?? check;
}
