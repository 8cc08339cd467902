import { VigilError } from '#libs/domain';

/** The loader of a property, or another process that runs it, took too long, and there is no earlier value. */
export class PropertyLateError extends VigilError {
  readonly code = 'property_late';
  readonly category = 'retryable';

  constructor(property: string, seconds: number) {
    super(`${property} was not loaded within ${seconds} s`);
  }
}

/** A loader returned a value that its declaration does not allow. */
export class PropertyTypeError extends VigilError {
  readonly code = 'property_type';
  readonly category = 'permanent';

  constructor(property: string, reason: string) {
    super(`${property} has the wrong type: ${reason}`);
  }
}

/** There is no property of this kind and name. */
export class PropertyUnknownError extends VigilError {
  readonly code = 'property_unknown';
  readonly category = 'invalid-input';

  constructor(kind: string, name: string | null) {
    super(name === null ? `There are no properties of the kind ${kind}` : `${kind} has no property ${name}`);
  }
}
