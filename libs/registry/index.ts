export type { CheckReport, Diagnostics } from './diagnostics.ts';
export { createDiagnostics } from './diagnostics.ts';
export type { Registration } from './register-service.ts';
export { registerService } from './register-service.ts';
export { reportInvalidConfiguration } from './report-invalid-configuration.ts';
export { reportPluginFaults } from './report-plugin-faults.ts';
export type { ServiceTypeName } from './service-types.ts';
export { serviceTypes } from './service-types.ts';
