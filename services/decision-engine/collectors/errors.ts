import { VigilError } from '#libs/domain';

/** The catalogue of the cloud lacks a service that a model is made from. */
export class ServiceMissingError extends VigilError {
  readonly code = 'service_missing';
  readonly category = 'permanent';

  constructor(service: string) {
    super(`the catalogue of the cloud has no ${service} service`);
  }
}
