/** The answer of `/healthcheck` in the form that a client asks for. */
export interface HealthcheckAnswer {
  type: string;
  body: string;
}

/**
 * The body of `GET /healthcheck`, as oslo.middleware has it without back ends: the process answers. Plain text unless `accept` prefers JSON or
 * HTML.
 */
export function healthcheckAnswer(accept: string | undefined): HealthcheckAnswer {
  const [wanted = ''] = (accept ?? '').split(',');
  if (/application\/json/i.test(wanted)) {
    return { type: 'application/json', body: JSON.stringify({ detailed: false, reasons: ['OK'] }, null, 4) };
  }
  if (/text\/html/i.test(wanted)) {
    const body = '<HTML><HEAD><TITLE>Healthcheck Status</TITLE></HEAD><BODY><P>Result of 1 check: OK</P></BODY></HTML>';
    return { type: 'text/html; charset=UTF-8', body };
  }
  return { type: 'text/plain; charset=UTF-8', body: 'OK' };
}
