import { InvalidInputError, messageOf, OperatorError } from '#libs/domain';

/** The broker's address without user and password, for logs and errors. */
export function brokerAddress(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/**
 * @throws InvalidInputError when this is not an AMQP URL. The text never repeats the URL, which may contain a
 * password.
 */
export function parseAmqpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['amqp:', 'amqps:'].includes(url.protocol) || url.hostname === '') {
    throw new InvalidInputError('VIGIL_AMQP_URL', 'must have the form amqp://user:password@host:5672/vhost');
  }
  return url;
}

/** Returns the remedy for a failed connection, for operators. */
export function explainConnectError(error: unknown, url: URL): OperatorError {
  if (error instanceof OperatorError) return error;
  const text = messageOf(error);
  const address = brokerAddress(url);
  const explain = (what: string): OperatorError => new OperatorError(what, { cause: error });
  if (text.includes('403') || text.includes('ACCESS_REFUSED') || text.includes('ACCESS-REFUSED')) {
    const user = decodeURIComponent(url.username) || 'guest';
    return explain(`RabbitMQ at ${address} refuses user ${user}: check the name and the password in VIGIL_AMQP_URL`);
  }
  // The broker closes instead of responding to `connection.open`, and the client library drops its reason.
  if (text.includes('Expected ConnectionOpenOk')) {
    return explain(
      `RabbitMQ at ${address} refuses the virtual host in VIGIL_AMQP_URL: it does not exist or is not ours`,
    );
  }
  if (/opening handshake|Expected|Frame size|frame type/.test(text)) {
    return explain(`the server at ${address} does not speak AMQP 0-9-1; check VIGIL_AMQP_URL (${text})`);
  }
  return explain(`RabbitMQ cannot be reached at ${address}; check VIGIL_AMQP_URL and the broker (${text})`);
}
