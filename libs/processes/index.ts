export type { Diagnostics } from './diagnostics.ts';
export { createDiagnostics } from './diagnostics.ts';
export { registerService } from './register-service.ts';
export { reportInvalidConfiguration } from './report-invalid-configuration.ts';
export { reportPluginFaults } from './report-plugin-faults.ts';
export { serviceTypes } from './service-types.ts';
