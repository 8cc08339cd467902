export type { BackendLimits } from './backend-limits.ts';
export type {
  DynamicProperties,
  DynamicPropertiesDeps,
  DynamicPropertiesOptions,
  PropertyReading,
} from './create-dynamic-properties.ts';
export { createDynamicProperties } from './create-dynamic-properties.ts';
export type { PropertyDeclaration } from './declaration.ts';
export { PropertyLateError, PropertyTypeError, PropertyUnknownError } from './errors.ts';
export { createMemcachedCache } from './memcached-cache.ts';
export type { ValueCache } from './value-cache.ts';
export type { PropertyEntry, PropertyFault, PropertyKey, ValueStore } from './value-store.ts';
