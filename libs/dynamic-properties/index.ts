export type { BackendLimits } from './backend-limits.ts';
export type { DynamicProperties } from './create-dynamic-properties.ts';
export { createDynamicProperties } from './create-dynamic-properties.ts';
export type { PropertyDeclaration } from './declaration.ts';
export { createMemcachedCache } from './memcached-cache.ts';
export type { PropertyReading } from './property-reading.ts';
export type { ValueCache } from './value-store.ts';
