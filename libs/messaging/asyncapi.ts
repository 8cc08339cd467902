import type { JsonObject } from '#libs/domain';
import type { MessageDefinition } from './catalogue/message-definition.ts';

const envelopeHeaders = {
  type: 'object',
  properties: {
    'x-schema': { type: 'string', description: 'Type and major version of the body, such as `plan.launch/1`.' },
    'x-attempt': { type: 'integer', minimum: 0, description: 'Retries so far that a consumer requested.' },
    traceparent: { type: 'string', description: 'W3C trace context of the span that sent it.' },
    'x-published-at': { type: 'string', format: 'date-time', description: 'Time of publishing with milliseconds.' },
    'x-reason': { type: 'string', description: 'Why the message is retried or dead.' },
  },
};

function nameOf(definition: MessageDefinition): string {
  return definition.type.replace(/\.(.)/g, (_, letter: string) => letter.toUpperCase());
}

function channel(definition: MessageDefinition): JsonObject {
  return {
    address: `{prefix}.${definition.queue}`,
    title: `Queue of ${definition.type}`,
    description:
      `Quorum queue bound to the direct exchange {prefix}.work with the key ${definition.type}; at most ` +
      `${definition.deliveryLimit} deliveries, back-off ${definition.retrySeconds.join(', ')} s.`,
    parameters: { prefix: { default: 'vigil', description: 'VIGIL_AMQP_PREFIX' } },
    messages: { [nameOf(definition)]: { $ref: `#/components/messages/${nameOf(definition)}` } },
    bindings: {
      amqp: {
        is: 'queue',
        queue: { name: `vigil.${definition.queue}`, durable: true, exclusive: false, autoDelete: false },
        bindingVersion: '0.3.0',
      },
    },
  };
}

function message(definition: MessageDefinition): JsonObject {
  return {
    name: definition.type,
    title: definition.type,
    summary: definition.description,
    contentType: 'application/json',
    headers: envelopeHeaders,
    payload: {
      schemaFormat: 'application/schema+json;version=draft-2020-12',
      schema: definition.schema as JsonObject,
    },
    bindings: { amqp: { contentEncoding: 'utf-8', messageType: definition.type, bindingVersion: '0.3.0' } },
  };
}

function operation(action: 'send' | 'receive', definition: MessageDefinition): JsonObject {
  const ref = `#/channels/${nameOf(definition)}`;
  return {
    action,
    channel: { $ref: ref },
    summary: definition.description,
    messages: [{ $ref: `${ref}/messages/${nameOf(definition)}` }],
    ...(action === 'send' ? { bindings: { amqp: { deliveryMode: 2, mandatory: true, bindingVersion: '0.3.0' } } } : {}),
  };
}

/** The AsyncAPI 3 document of all work messages. `openapi/asyncapi.yaml` contains it as YAML. */
export function asyncApiDocument(catalogue: readonly MessageDefinition[]): JsonObject {
  const byName = (build: (definition: MessageDefinition) => JsonObject): JsonObject =>
    Object.fromEntries(catalogue.map((definition) => [nameOf(definition), build(definition)]));
  const operations = catalogue.flatMap((definition) => {
    const suffix = nameOf(definition).replace(/^./, (letter) => letter.toUpperCase());
    return [
      [`send${suffix}`, operation('send', definition)],
      [`receive${suffix}`, operation('receive', definition)],
    ];
  });
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Vigil work messages',
      version: '1.0.0',
      description:
        'Messages between the processes of Vigil on RabbitMQ. Bodies carry ids only; the database is the truth. ' +
        'Unknown fields are ignored; a newer major version of a body goes to the dead letters.',
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      rabbitmq: {
        host: '{host}:5672',
        protocol: 'amqp',
        protocolVersion: '0.9.1',
        description: 'VIGIL_AMQP_URL',
        variables: { host: { default: 'localhost' } },
      },
    },
    channels: byName(channel),
    operations: Object.fromEntries(operations),
    components: { messages: byName(message) },
  };
}
