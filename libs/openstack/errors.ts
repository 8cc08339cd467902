import { type ErrorCategory, VigilError } from '#libs/domain';

/** An OpenStack service refused a call or was unreachable. `status` is 0 without an HTTP response. */
export class OpenStackError extends VigilError {
  readonly code = 'openstack';
  readonly category: ErrorCategory;
  readonly service: string;
  readonly status: number;
  /** Method and path, without query and host. */
  readonly request: string;
  /**
   * Whether the request may have taken effect although the response is missing (timeout or broken connection after
   * sending).
   */
  readonly ambiguous: boolean;
  /** The request id that the service assigned, for searching its logs. Null when the response had none. */
  readonly requestId: string | null;

  constructor(
    service: string,
    request: string,
    status: number,
    detail: string,
    options?: ErrorOptions & { ambiguous?: boolean; requestId?: string | null },
  ) {
    super(detail, options);
    this.service = service;
    this.request = request;
    this.status = status;
    this.ambiguous = options?.ambiguous ?? false;
    this.requestId = options?.requestId ?? null;
    this.category = categoryOf(status);
  }
}

function categoryOf(status: number): ErrorCategory {
  if (status === 409) return 'conflict';
  if (status === 0 || status === 408 || status === 429 || status >= 500) return 'retryable';
  return 'permanent';
}
