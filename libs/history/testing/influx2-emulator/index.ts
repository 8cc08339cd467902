export type { FluxFrontEnd } from './flux-front-end.ts';
export { loadFluxFrontEnd } from './flux-front-end.ts';
export type { Influx2Emulator } from './start-influx2-emulator.ts';
export { startInflux2Emulator } from './start-influx2-emulator.ts';
